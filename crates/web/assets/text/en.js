// Every text of the page in English. A translation is a copy of this file
// with the same keys; functions get what changes.

/** @param {number} count @param {string} one @param {string} [many] */
const plural = (count, one, many = `${one}s`) => `${count} ${count === 1 ? one : many}`;

/** @type {Record<string, string>} */
const keys = {
  ArrowLeft: '←', ArrowRight: '→', ArrowUp: '↑', ArrowDown: '↓', Home: 'Home', End: 'End', Escape: 'Esc',
};

export const en = {
  name: 'Discern',
  tagline: 'Othello in winning probabilities',
  close: 'Close',
  cancel: 'Cancel',
  retry: 'Try again',
  skip: 'Skip to the board',
  sides: { black: 'Black', white: 'White' },
  phases: { opening: 'Opening', midgame: 'Midgame', endgame: 'Endgame' },
  grades: { best: 'best move', good: 'good', inaccuracy: 'Inaccuracy', mistake: 'Mistake', blunder: 'Blunder' },
  glyphs: { best: '', good: '', inaccuracy: '?!', mistake: '?', blunder: '??' },

  /** @param {string} program @param {string} [weights] @param {string} [positions] */
  footer: (program, weights, positions) =>
    weights ? `${program} · weights ${weights}, fitted to ${positions} positions` : program,

  nav: { label: 'Views', studio: 'Board', experiments: 'Experiments' },
  theme: { light: 'Switch to light colours', dark: 'Switch to dark colours' },
  tabs: { label: 'Tools', analysis: 'Analyse', review: 'Review', explain: 'Explain', play: 'Play' },

  server: {
    away: 'The server does not answer. Is “discern serve” still running?',
    connecting: 'Connecting to the server …',
    retrying: 'The server does not answer. Trying again every few seconds; your game stays here.',
    back: 'The server is back.',
    /** @param {number} status */
    status: (status) => `The server answered with an error (${status}).`,
    noWeights: 'No weights are loaded: only the model without learning is there. Start “discern serve --weights FILE” for learned models.',
  },

  board: {
    label: 'Othello board',
    contents: { X: 'black', O: 'white', '-': 'empty' },
    /**
     * @param {string} square
     * @param {string} content
     * @param {{ legal: boolean, last: boolean, hint: boolean, note?: string }} facts
     */
    square: (square, content, { legal, last, hint, note }) =>
      [square, content, legal && 'playable', last && 'last move', hint && 'hint', note].filter(Boolean).join(', '),
  },

  balance: {
    unknown: 'Winning probability not known',
    /** @param {string} share */
    black: (share) => `Black wins with a probability of ${share}`,
  },

  result: {
    /** @param {string} side */
    toMove: (side) => `${side} to move`,
    /** @param {string} idle @param {string} side */
    passed: (idle, side) => `${idle} must pass; ${side} to move`,
    /** @param {number} score @param {number} black @param {number} white */
    over: (score, black, white) =>
      score === 0 ? `Draw, ${black}–${white}`
      : `${score > 0 ? 'Black' : 'White'} wins by ${Math.abs(score)}, ${black}–${white}`,
  },

  controls: {
    steps: 'Through the game',
    tools: 'Game',
    first: 'First position',
    back: 'Back',
    forward: 'Forward',
    last: 'Last position',
    fresh: 'New',
    setUp: 'Set up',
    open: 'Open',
    share: 'Share',
  },

  share: {
    copied: 'Link copied. It holds the whole line and the position.',
    refused: 'The browser does not allow copying: the link is in the address bar.',
  },

  moves: {
    title: 'Moves',
    none: 'No moves yet. Play on the board, or open a game.',
    pass: 'pass',
    promote: 'Make main line',
    remove: 'Delete from here',
    /** @param {string} side @param {string} square */
    played: (side, square) => `${side} plays ${square}.`,
    /** @param {number} ply @param {string} side @param {string} square @param {string} [grade] */
    label: (ply, side, square, grade) => `Move ${ply}, ${side} ${square}${grade ? `, ${grade}` : ''}`,
  },

  setup: {
    title: 'Set up a position',
    how: 'Press squares to place discs; a second press takes them away.',
    paint: 'Place',
    eraser: 'Nothing',
    mover: 'To move',
    clear: 'Empty board',
    start: 'Start position',
    use: 'Use this position',
    nothing: 'The board is empty.',
    oneColor: 'Both colours need at least one disc.',
    over: 'Nobody can move: this game is over.',
    hollow: 'Playable, although no game leaves a square in the centre empty.',
    /** @param {string} square @param {string} content */
    painted: (square, content) => `${square} ${content}`,
    /** @param {string} side @param {string} idle */
    mustPass: (side, idle) => `${side} cannot move and passes: ${idle} begins.`,
    /** @param {number} black @param {number} white @param {string} side */
    fine: (black, white, side) => `${plural(black, 'black disc')}, ${plural(white, 'white disc')}, ${side} to move.`,
  },

  importer: {
    title: 'Open a game',
    how: 'A transcript, a position, GGF, SGF, OBF or a WTHOR file. You can also paste or drop it anywhere on the page.',
    example: 'f5d6c3d3c4f4f6f3e6e7…',
    paste: 'Moves, position or record',
    file: 'Choose a file',
    open: 'Open',
    nothing: 'Paste a game first, or choose a file.',
    reading: 'Reading …',
    search: 'Search players, events, years, moves',
    unnamed: 'Game',
    drop: 'Drop the file to open it',
    /** @param {string} black @param {string} white */
    players: (black, white) => `${black} – ${white}`,
    /** @param {number} count */
    moves: (count) => plural(count, 'move'),
    /** @param {string} players */
    opened: (players) => `Opened: ${players}`,
    /** @param {string} shown @param {string} all @param {boolean} truncated */
    count: (shown, all, truncated) => `${shown} of ${all} games${truncated ? ' (the file has more)' : ''}`,
    /** @param {string[]} faults */
    faults: (faults) => `Not everything could be read: ${faults.slice(0, 3).join('; ')}`,
  },

  analysis: {
    start: 'Analyse',
    stop: 'Stop',
    stopped: 'Analysis stopped.',
    starting: 'Searching …',
    model: 'Model',
    lines: 'Moves',
    all: 'all',
    threads: 'Threads',
    seconds: 'Time',
    list: 'Moves and their winning probabilities, best first',
    proven: 'proven',
    follow: 'Add this line to the game',
    over: 'The game is over: nothing to analyse.',
    busy: 'The server had no free place for this search.',
    playing: 'Not during a game: finish it, resign, or ask for a hint.',
    intro: 'See the winning probability of every move on its square, deeper by the second, until the result is proven.',
    /** @param {number} depth */
    depth: (depth) => `depth ${depth}`,
    /** @param {string} move @param {string} rest */
    followLabel: (move, rest) => `Add the line ${move} ${rest} to the game`,
    /** @param {number} ahead */
    waiting: (ahead) => (ahead ? `Waiting for a free place, ${ahead} ahead …` : 'Waiting for a free place …'),
    /** @param {number} depth @param {string} speed @param {string} time @param {string} [reason] */
    state: (depth, speed, time, reason) =>
      [`Depth ${depth}`, `${speed} nodes/s`, time, reason === 'solved' ? 'solved' : reason === 'limit' ? 'time is up' : '']
        .filter(Boolean)
        .join(' · '),
  },

  proven: {
    letters: { win: 'W', draw: 'D', loss: 'L' },
    short: { win: 'proven win', draw: 'proven draw', loss: 'proven loss' },
    /** @param {string} score */
    exact: (score) => `${score} exact`,
    /** @param {number} score @param {string} side @param {string} rival */
    score: (score, side, rival) =>
      score === 0 ? 'Draw, exact' : `${score > 0 ? side : rival} wins by ${Math.abs(score)}, exact`,
    /** @param {'win' | 'draw' | 'loss'} outcome @param {string} side @param {string} rival */
    outcome: (outcome, side, rival) =>
      outcome === 'draw' ? 'Proven draw' : `Proven win for ${outcome === 'win' ? side : rival}`,
  },

  review: {
    start: 'Review the game',
    stop: 'Stop',
    stopped: 'Stopped.',
    starting: 'Looking at the game …',
    complete: 'Review complete.',
    interrupted: 'The review was interrupted.',
    progress: 'Progress of the review',
    empty: 'Every move of the game is judged by the winning probability or the discs it gave away. Play or open a game, then start.',
    counts: 'What counts',
    countsOptions: { both: 'Outcome, then discs', outcome: 'Outcome only', discs: 'Discs only' },
    noMoves: 'There are no moves to review yet. Play or open a game first.',
    seconds: 'Time per move',
    errors: 'Mistakes and blunders',
    summary: 'Summary',
    columns: ['Side and phase', 'Moves', 'Mean loss', 'Discs lost'],
    /** @param {string} best */
    better: (best) => `Show ${best}`,
    /** @param {number} done @param {number} total */
    judged: (done, total) => `${done} of ${plural(total, 'move')}`,
    /** @param {'best' | 'good' | 'inaccuracy' | 'mistake' | 'blunder'} grade @param {string} loss @param {string} best */
    tooltip: (grade, loss, best) =>
      grade === 'best' ? 'Best move' : `${en.grades[grade]}: gives away ${loss}; best was ${best}`,
    /** @param {number} ply @param {string} side @param {string} played @param {string} best */
    error: (ply, side, played, best) => `${ply}. ${side} ${played}, better ${best}`,
    /** @param {string} odds empty if too little to mention @param {number} discs @param {boolean} exact */
    lost: (odds, discs, exact) => {
      const counted = discs > 0 || !odds ? `${exact ? '' : 'about '}${plural(discs, 'disc')}` : '';
      return [odds, counted].filter(Boolean).join(', ');
    },
  },

  curve: {
    label: 'Black’s winning probability over the game',
    start: 'Start of the game',
    unknown: 'not yet judged',
    /** @param {number} ply @param {string} side @param {string} square @param {string} share @param {string} [grade] */
    value: (ply, side, square, share, grade) =>
      `Move ${ply}, ${side} ${square}, Black ${share}${grade ? `, ${grade}` : ''}`,
  },

  explain: {
    subject: 'Explain',
    position: 'This position',
    moves: 'Two moves',
    first: 'First move',
    second: 'Second move',
    loading: 'Taking the evaluation apart …',
    over: 'The game is over: there is nothing left to estimate.',
    caption: 'What each feature adds to the log-odds in each model',
    feature: 'Feature',
    intercept: 'Constant',
    sum: 'Sum: log-odds',
    probability: 'Winning probability',
    same: 'Both moves are the same.',
    nothing: 'Nothing on the board counts here.',
    note: 'Log-odds before any search: +0.10 makes a win about a tenth more likely against a loss. QUAD multiplies features; each product is shared equally between its two.',
    /** @param {string} move */
    probabilityOf: (move) => `After ${move}`,
    /** @param {string} side @param {string[]} odds */
    odds: (side, odds) => `At first sight ${side} wins with ${odds.join(', ')}.`,
    /** @param {string} model @param {string} side @param {string} better @param {string} worse @param {string} high @param {string} low */
    prefers: (model, side, better, worse, high, low) =>
      `At first sight ${model} prefers ${better} to ${worse}: ${side} wins with ${high} instead of ${low}.`,
    /** @param {string} what */
    speaksFor: (what) => `For ${what}:`,
    /** @param {string} what */
    speaksAgainst: (what) => `Against ${what}:`,
    /** @param {string} a @param {string} b */
    comparison: (a, b) => `Numbers are ${a} less ${b}: to the right speaks for ${a}, to the left for ${b}.`,
  },

  play: {
    opponent: 'Opponent',
    color: 'Your colour',
    random: 'Random',
    strength: 'Strength',
    byLevel: 'Level',
    byTime: 'Per move',
    byClock: 'Clock',
    level: 'Looks ahead',
    moveTime: 'Seconds per move',
    minutes: 'Minutes each',
    increment: 'Added per move',
    start: 'New game',
    continue: 'Play on from here',
    hint: 'Hint',
    hinting: 'Looking for a good move …',
    takeBack: 'Take back',
    resign: 'Resign',
    review: 'Review this game',
    you: 'You',
    yourMove: 'Your move.',
    youPass: 'You have no move and must pass.',
    nothingToTakeBack: 'There is nothing to take back.',
    how: 'Press a marked square. The move list shows the game; pressing the board brings you back to it.',
    /** @param {number} depth */
    plies: (depth) => plural(depth, 'move'),
    /** @param {string} minutes */
    minute: (minutes) => `${minutes} min`,
    /** @param {string} model */
    thinking: (model) => `${model} is thinking …`,
    /** @param {string} model */
    youPassThinking: (model) => `You must pass; ${model} is thinking …`,
    /** @param {string} model */
    theyPass: (model) => `${model} must pass: your move again.`,
    /** @param {string} square */
    illegal: (square) => `${square} is not a legal move.`,
    /** @param {string} square @param {string} share */
    hinted: (square, share) => `Try ${square}: ${share} for you.`,
    /** @param {string} model */
    resigned: (model) => `You resigned: ${model} wins.`,
    /** @param {string} model */
    youAreLate: (model) => `Your time is up: ${model} wins.`,
    /** @param {string} model */
    theyAreLate: (model) => `${model} has run out of time: you win.`,
    /** @param {number} score @param {number} black @param {number} white */
    over: (score, black, white) =>
      score === 0 ? `A draw, ${black}–${white}.`
      : score > 0 ? `You win by ${score}, ${black}–${white}.` : `You lose by ${-score}, ${black}–${white}.`,
  },

  help: {
    title: 'Keyboard',
    open: 'Help and shortcuts',
    board: 'On the board, arrow keys move a cursor over the squares and Enter plays there. Everywhere else:',
    letters: 'Single-letter shortcuts',
    keys,
    what: {
      back: 'one move back',
      forward: 'one move forward',
      first: 'first position',
      last: 'last position',
      before: 'variation before',
      after: 'next variation',
      analyse: 'start or stop the analysis',
      fresh: 'new game on the board',
      setUp: 'set up a position',
      open: 'open a game',
      share: 'copy the link',
      board: 'go to the board',
      tabs: 'analyse, review, explain, play',
      help: 'this help',
    },
  },

  experiments: {
    runs: 'Runs',
    loading: 'Loading the experiments …',
    running: 'running',
    kinds: { reproduction: 'Reproduction', tournament: 'Tournament' },
    none: 'No experiments yet',
    how: 'Runs appear here when the server knows the folders they are in:',
    commands: [
      { what: 'The paper’s experiment, from games to Table 1:', command: 'discern reproduce -o runs/paper' },
      { what: 'A match of your own, watched live:', command: 'discern tournament --move-time 0.1 --player name=rev --player name=edges,model=rev-edges -o runs/match.games' },
      { what: 'Show them:', command: 'discern serve --runs runs' },
    ],
  },

  tournament: {
    players: 'Players',
    matches: 'Matches',
    endings: 'Endings:',
    note: 'Percentages with 95 % intervals over pairs of games; p-values of the paired and of the paper’s conservative test; pairs by points of the first player: 0 · ½ · 1 · 1½ · 2.',
    playerColumns: ['Player', 'Limits', 'Points', 'W–D–L', 'Elo', 'Per move', 'Depth', 'Nodes/s'],
    matchColumns: ['Match', 'W–D–L', 'Percentage', 'Elo', 'p paired', 'p conservative', 'Pairs', 'Discs'],
    /** @param {string} count */
    games: (count) => `${count} games`,
    /** @param {string} first @param {string} second */
    versus: (first, second) => `${first} – ${second}`,
  },
};
