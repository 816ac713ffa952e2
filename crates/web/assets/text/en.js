// Every text of the page in English. A translation is a copy of this file
// with the same keys; functions get what changes.

/** @param {number} count @param {string} one @param {string} [many] */
const plural = (count, one, many = `${one}s`) => `${count} ${count === 1 ? one : many}`;

/** @type {Record<string, string>} */
const keys = {
  ArrowLeft: '←', ArrowRight: '→', ArrowUp: '↑', ArrowDown: '↓', Home: 'Home', End: 'End', Escape: 'Esc',
  Control: 'Ctrl', Shift: 'Shift',
};

export const en = {
  locale: 'en',
  language: 'English',
  name: 'Discern',
  tagline: 'Othello in winning probabilities',
  close: 'Close',
  cancel: 'Cancel',
  undo: 'Undo',
  retry: 'Try again',
  skip: 'Skip to the board',
  sides: { black: 'Black', white: 'White' },
  phases: { opening: 'Opening', midgame: 'Midgame', endgame: 'Endgame' },
  grades: { best: 'best move', good: 'good', inaccuracy: 'Inaccuracy', mistake: 'Mistake', blunder: 'Blunder' },
  glyphs: { best: '', good: '', inaccuracy: '?!', mistake: '?', blunder: '??' },
  /** @param {string} count */
  seconds: (count) => `${count} s`,

  /** @param {string} program @param {string} [weights] @param {string} [positions] */
  footer: (program, weights, positions) =>
    weights ? `${program} · weights ${weights}, fitted to ${positions} positions` : program,

  nav: { label: 'Views', studio: 'Board', experiments: 'Experiments' },
  theme: { light: 'Switch to light colours', dark: 'Switch to dark colours' },
  tabs: { label: 'Tools', play: 'Play', analysis: 'Analyse', review: 'Review', explain: 'Explain', train: 'Train', book: 'Book', library: 'Library' },

  server: {
    away: 'The server does not answer. Is “discern serve” still running?',
    connecting: 'Connecting to the server …',
    retrying: 'The server does not answer. Trying again every few seconds; your game stays here.',
    back: 'The server is back.',
    /** @param {number} status */
    status: (status) => `The server answered with an error (${status}).`,
    /** @param {import('../api.js').Refusal} refusal */
    refused: ({ error }) => error,
    noWeights: 'No weights are loaded: only the hand-set model is available. Start “discern serve --weights FILE” for learned models.',
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
    /** @param {string} share @param {number | null} score */
    short: (share, score) =>
      `Black ${share}${score === null ? '' : score === 0 ? ', even' : `, ${score > 0 ? '+' : '−'}${plural(Math.abs(score), 'disc')}`}`,
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
    play: 'Play',
    setUp: 'Set up',
    open: 'Open',
    games: 'Games',
    share: 'Share',
    undo: 'Undo',
    redo: 'Redo',
  },

  desk: {
    kept: 'The previous game is saved under Games.',
    playing: 'Not during a game: take back instead, or pause the game.',
    nothing: 'There is nothing to undo or redo.',
  },

  games: {
    title: 'Your games',
    how: 'Every game is saved in this browser automatically, with its review. Nothing leaves this machine.',
    search: 'Search names, events, dates, moves',
    unnamed: 'Game on the board',
    none: 'No games yet. Every move you make is saved here.',
    running: 'in progress',
    reviewed: 'reviewed',
    rename: 'Rename',
    remove: 'Delete',
    name: 'Name of the game',
    keep: 'Save',
    exportAll: 'Export all',
    restore: 'Restore from a file',
    full: 'The browser has no more room: export and delete some games.',
    notOurs: 'This file does not hold exported games.',
    /** @param {string} shown @param {string} all */
    count: (shown, all) => `${shown} of ${all} games`,
    /** @param {string} title */
    removed: (title) => `Deleted: ${title}`,
    /** @param {number} count */
    restored: (count) => `${plural(count, 'game')} restored.`,
  },

  link: {
    damaged: 'This link is damaged: part of it is missing or was changed. Ask for it again.',
    unknown: 'This link does not point to anything in the studio.',
    start: 'This link is broken: its start position needs 64 squares (X, O or -) and the side to move.',
    /** @param {{ number: number, word: string, why: 'square' | 'illegal' | 'bracket' }} fault */
    fault: ({ number, word, why }) =>
      `This link is broken: ${
        why === 'square' ? `“${word}” at move ${number} is not a square`
        : why === 'illegal' ? `move ${number}, ${word}, is not legal` : `a bracket does not fit at move ${number}`
      }. The game is shown as far as it could be read.`,
  },

  share: {
    title: 'Share this game',
    pageHow: 'One file with the whole game, to mail or to send by messenger. It opens in any browser: your friend needs nothing else.',
    page: 'Save the game as a page',
    send: 'Send …',
    /** @param {string} file */
    saved: (file) => `Saved as ${file}. Send this file.`,
    how: 'For friends who have Discern: the whole game with its variations and comments, at this position.',
    link: 'Link to this game',
    copyLink: 'Copy link',
    formats: 'Copy for other programs',
    transcript: 'Moves',
    obf: 'Position (OBF)',
    picture: 'Picture of the position, with the odds shown on it',
    svg: 'Save as SVG',
    png: 'Save as PNG',
    copied: 'Link copied. It holds the game with its variations and comments.',
    refused: 'The browser does not allow copying: the link is in the address bar.',
    /** @param {string} format */
    copiedAs: (format) => `Copied: ${format}`,
  },

  levels: {
    beginner: 'Beginner', novice: 'Novice', casual: 'Casual', club: 'Club player', strong: 'Strong club player',
    expert: 'Expert', master: 'Master', grandmaster: 'Grandmaster', champion: 'Champion', world: 'World champion',
  },

  moves: {
    title: 'Moves',
    none: 'No moves yet. Play on the board, or open a game.',
    pass: 'pass',
    promote: 'Make main line',
    remove: 'Delete from here',
    removed: 'Moves deleted.',
    comment: 'Comment on this position',
    commentShort: 'Comment',
    /** @param {string} side @param {string} square */
    played: (side, square) => `${side} plays ${square}.`,
    /** @param {number} ply @param {string} side @param {string} square @param {string} [grade] */
    label: (ply, side, square, grade) => `Move ${ply}, ${side} ${square}${grade ? `, ${grade}` : ''}`,
  },

  setup: {
    title: 'Set up a position',
    how: 'Press or draw over squares to place discs; a second press takes them away, the right button places the other colour. Esc leaves.',
    paint: 'Place',
    eraser: 'Nothing',
    mover: 'To move',
    clear: 'Empty board',
    start: 'Start position',
    mirror: 'Mirror',
    rotate: 'Rotate',
    use: 'Use this position',
    nothing: 'The board is empty.',
    oneColor: 'Both colours need at least one disc.',
    over: 'Neither side can move: this game is over.',
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
    how: 'Moves in any notation, a position or a drawn board, a link, GGF, SGF, OBF, or WTHOR files (with .jou and .trn for the names). You can also paste or drop it anywhere on the page.',
    example: 'f5d6c3d3c4f4f6f3e6e7…',
    paste: 'Moves, position or record',
    file: 'Choose files',
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
    position: 'Opened: a position',
    onlyNames: 'These files hold only names. Choose the games (.wtb) with them.',
    /** @param {string} players */
    opened: (players) => `Opened: ${players}`,
    /** @param {string} shown @param {string} all @param {boolean} truncated */
    count: (shown, all, truncated) => `${shown} of ${all} games${truncated ? ' (the file has more)' : ''}`,
    /** @param {import('../api.js').Fault} fault */
    fault: ({ sentence }) => sentence,
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
    busy: 'The server was too busy for this search.',
    playing: 'Not during a game: finish it, pause it, or ask for a hint.',
    more: 'Continue',
    endless: 'endless',
    autoThreads: 'all free',
    /** @param {string} discs */
    discs: (discs) => `${discs} discs`,
    /** @param {number} depth @param {string} confidence */
    selective: (depth, confidence) => `${depth} @ ${confidence}`,
    /** @param {string} move @param {number} done @param {number} all */
    solving: (move, done, all) => `solving ${move}, ${done} of ${all} proven`,
    intro: 'See the winning probability of every move on its square. The search goes deeper every second until the result is proven.',
    /** @param {number} depth */
    depth: (depth) => `depth ${depth}`,
    /** @param {string} move @param {string} rest */
    followLabel: (move, rest) => `Add the line ${move} ${rest} to the game`,
    /** @param {number} ahead */
    waiting: (ahead) => (ahead ? `Waiting for the server, ${ahead} ahead …` : 'Waiting for the server …'),
    /** @param {{ depth: string, speed: string, time: string, reason?: string, solving: string }} facts */
    state: ({ depth, speed, time, reason, solving }) =>
      [`Depth ${depth}`, `${speed} nodes/s`, time, solving, reason === 'solved' ? 'solved' : reason === 'limit' ? 'time is up' : '']
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
    starting: 'Reviewing the game …',
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
    why: 'Why?',
    /** @param {string} best */
    best: (best) => `better ${best}`,
    page: 'Save as a page to print or send',
    noMore: 'No further mistake in this direction.',
    noErrors: 'No mistakes are known: review the game first.',
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
    moves: 'Best and played move',
    first: 'This move',
    second: 'Against this one',
    loading: 'Taking the evaluation apart …',
    over: 'The game is over: there is nothing left to estimate.',
    caption: 'What each feature adds to the log-odds in each model',
    feature: 'Feature',
    intercept: 'Constant',
    sum: 'Sum: log-odds',
    probability: 'At first sight',
    same: 'Both moves are the same.',
    nothing: 'Nothing on the board counts here.',
    /** @param {string} model */
    seenBy: (model) => `These reasons are those of the model ${model}, in log-odds.`,
    note: 'The numbers below the odds are log-odds before any search: 0.10 makes a win about a tenth more likely against a loss. The models’ first sight is not the searched value. QUAD multiplies features; each product is shared equally between its two.',
    /** @param {string} move */
    probabilityOf: (move) => `At first sight, ${move}`,
    /** @param {string} share @param {string} discs */
    odds: (share, discs) => `${share} (${discs} discs)`,
    /** @param {string} side @param {string} a @param {string} first @param {string} b @param {string} second */
    searched: (side, a, first, b, second) => `Searched, ${side} wins with ${first} after ${a} and ${second} after ${b}.`,
    /** @param {string} side @param {string} odds @param {string} move */
    searchedPosition: (side, odds, move) => `Searched, ${side} wins with ${odds}; the best move is ${move}.`,
    /** @param {string} what */
    speaksFor: (what) => `For ${what}:`,
    /** @param {string} what */
    speaksAgainst: (what) => `Against ${what}:`,
    /** @param {string} a @param {string} b */
    comparison: (a, b) => `Numbers are ${a} less ${b}: to the right speaks for ${a}, to the left for ${b}.`,
  },

  play: {
    opponent: 'Opponent',
    black: 'Black',
    white: 'White',
    color: 'You play',
    random: 'Random',
    watch: 'Watch',
    custom: 'A model of your choice',
    model: 'Model',
    thinks: 'Thinks',
    byDepth: 'by depth',
    byTime: 'by time',
    depth: 'Looks ahead',
    moveTime: 'Seconds per move',
    clock: 'Clock',
    noClock: 'no clock',
    increment: 'Added per move',
    start: 'New game',
    continue: 'Play from here',
    pause: 'Pause',
    resume: 'Resume the game',
    leave: 'End the game',
    draw: 'Offer a draw',
    offering: 'Thinking about your offer …',
    agreed: 'Draw agreed.',
    refused: 'No draw: your opponent wants to continue. Your move.',
    rematch: 'Rematch',
    send: 'Send to a friend',
    saved: 'The game is saved under Games.',
    watching: 'Two engines play. The move list shows the game.',
    /** @param {string} title @param {number} elo */
    levelWithElo: (title, elo) => `${title} · ${elo}`,
    /** @param {string} black @param {string} white */
    paused: (black, white) => `Game in progress, ${black} – ${white}. The clock is stopped.`,
    /** @param {string} side */
    gaveUp: (side) => `${side} resigned.`,
    /** @param {string} side */
    late: (side) => `${side} ran out of time.`,
    hint: 'Hint',
    hinting: 'Looking for a good move …',
    takeBack: 'Take back',
    resign: 'Resign',
    review: 'Review this game',
    begin: 'Press a marked square to begin, or New game.',
    you: 'You',
    yourMove: 'Your move.',
    youPass: 'You have no move and must pass.',
    nothingToTakeBack: 'There is nothing to take back.',
    how: 'Press a marked square. The move list shows the game; press the board to return to it.',
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

  train: {
    title: 'Find the better move',
    none: 'Review your games and your mistakes appear here. Then find the better moves.',
    start: 'Start training',
    show: 'Show me',
    stop: 'Stop',
    next: 'Next',
    game: 'To the game',
    right: 'Right!',
    features: 'What you overlooked most',
    featureColumns: ['Feature that spoke for the better move', 'Mistakes'],
    phaseColumns: ['Phase', 'Moves', 'Mean loss', 'Discs lost per game', 'Mistakes'],
    /** @param {number} all @param {number} waiting */
    count: (all, waiting) => `${plural(all, 'mistake')} in your reviewed games, ${waiting} to try today.`,
    /** @param {string} side @param {string} played */
    find: (side, played) => `${side} to move. You played ${played}: find the better move.`,
    /** @param {string} square */
    again: (square) => `${square} is what you played. Find the better move.`,
    /** @param {string} square */
    wrong: (square) => `Not ${square}. Try again.`,
    /** @param {string} best */
    was: (best) => `The better move was ${best}.`,
    /** @param {string} best @param {string} odds @param {string} played @param {string} lost */
    worth: (best, odds, played, lost) => `${best} wins with ${odds}; ${played} gave away ${lost}.`,
    /** @param {number} games */
    phases: (games) => `Your play in ${plural(games, 'reviewed game')}`,
  },

  preferences: {
    title: 'Settings',
    language: 'Language',
    board: 'Board',
    boards: { green: 'Green', blue: 'Blue', wood: 'Wood', grey: 'Grey' },
    sounds: 'Sounds',
    on: 'On',
    off: 'Off',
  },

  rules: {
    open: 'Rules of the game',
    title: 'How Othello is played',
    goal: 'Two players, Black and White, place discs on a board of 64 squares. Whoever has more discs of their colour at the end wins.',
    start: 'The start. Black begins; the dots on the board show the legal moves.',
    turned: 'Black has played f5. The white disc between the two black ones has turned.',
    points: [
      'A move places a disc so that it encloses at least one row of the other colour between itself and another disc of its own: along a line, a file or a diagonal.',
      'All enclosed discs turn to the mover’s colour, in all directions at once.',
      'Whoever has no such move passes, and the other side moves again. Passing by choice is not allowed.',
      'The game ends when neither side can move, mostly when the board is full. Empty squares count for the winner.',
    ],
    tipsTitle: 'Three things beginners learn first',
    tips: [
      'A disc in a corner can never be turned. Avoid the squares beside an empty corner.',
      'Few discs in the middle of the game are good: what counts is to have many moves and to leave the other side few.',
      'The last moves turn the most discs. Count them.',
    ],
    studioTitle: 'In this studio',
    studio: [
      'Play: choose an opponent and press New game.',
      'Review: see which of your moves were mistakes, and why.',
      'Games: every game is saved automatically. Share: send one to a friend.',
    ],
  },

  help: {
    title: 'Keyboard',
    open: 'Keyboard shortcuts',
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
      games: 'your games',
      undo: 'undo',
      redo: 'redo',
      nextMistake: 'next mistake of the review',
      previousMistake: 'previous mistake',
      share: 'copy the link',
      board: 'go to the board',
      tabs: 'play, analyse, review, explain, train, book, library',
      leave: 'leave the set-up',
      help: 'this help',
    },
  },

  book: {
    unnamed: 'No named opening',
    over: 'The game is over.',
    none: 'There is no opening book. Start the studio with one:',
    command: 'discern serve --book FILE',
    unknown: 'The book ends before this position.',
    deviation: 'not examined',
    proven: 'proven',
    caption: 'Moves of the opening book, the best first',
    columns: { move: 'Move', wins: 'Wins', reliability: 'Reliability', human: 'People', engine: 'Programs' },
    outcomes: { win: 'win', draw: 'draw', loss: 'loss' },
    /** @param {number} depth */
    depth: (depth) => `depth ${depth}`,
    /**
     * @param {string} side
     * @param {string} odds
     * @param {string} reliability
     */
    value: (side, odds, reliability) => `${side} to move wins: ${odds} (${reliability})`,
    /** @param {string} positions */
    legend: (positions) => `Games are won–drawn–lost by the side that moves. The book has ${positions} positions.`,
  },

  library: {
    none: 'No library of games is loaded. Start the studio with a file or folder of games: WTHOR, GGF, SGF, transcripts or archives.',
    command: 'discern serve --games FOLDER',
    fields: { player: 'Player', opponent: 'Opponent', event: 'Tournament', opening: 'Opening', from: 'From year', to: 'To year' },
    here: 'Only with this position',
    searching: 'Searching …',
    open: 'no result',
    moves: 'Played in this position',
    moveColumns: ['Move', 'Games', 'Won–drawn–lost', 'Points'],
    newer: 'Previous',
    older: 'Next',
    back: 'Back to the games',
    both: 'All',
    sideTitle: 'Colour',
    unnamed: 'no named opening',
    losses: 'What the moves cost',
    lossColumns: ['Phase', 'Moves', 'Mean loss', 'Discs lost per game'],
    endings: 'Endings',
    openings: 'Openings',
    opening: 'Opening',
    opponents: 'Opponents',
    opponent: 'Opponent',
    byYear: 'By year',
    year: 'Year',
    explored: 'Games of the library',
    nobody: 'No game of the library came here.',
    /** @param {string} moves */
    everywhere: (moves) => `After ${moves}: show all positions`,
    /** @param {string} found @param {string} all @param {boolean} complete */
    count: (found, all, complete) => `${found} of ${all} games${complete ? '' : ' (the search was cut short)'}`,
    /** @param {'mover' | 'player' | 'black'} whose @param {string} results */
    results: (whose, results) =>
      `Won–drawn–lost ${{ mover: 'by the side to move', player: 'by the player', black: 'by Black' }[whose]}: ${results}`,
    /** @param {string} name */
    report: (name) => `Report on ${name}`,
    /** @param {string} games */
    games: (games) => (games === '1' ? '1 game' : `${games} games`),
    /** @param {string} games */
    show: (games) => (games === '1' ? 'Show the game' : `Show the ${games} games`),
    /** @param {string} from @param {string} to @param {string} all */
    page: (from, to, all) => `${from}–${to} of ${all}`,
    /** @param {string} from @param {string} to */
    years: (from, to) => (from === to ? from : `${from}–${to}`),
    /** @param {string} discs */
    mean: (discs) => `${discs} discs a game`,
    /** @param {string} what */
    lineColumns: (what) => [what, 'Games', 'Won–drawn–lost', 'Points'],
    /** @param {number} games */
    reviewed: (games) =>
      games ? `From ${plural(games, 'game')} that were reviewed in this browser.` : 'None of the games has been reviewed in this browser yet.',
    /** @param {number} games */
    review: (games) => `Review ${plural(games, 'game')}`,
    /** @param {number} game @param {number} games @param {string} judged */
    reviewing: (game, games, judged) => `Game ${game} of ${games}: ${judged}`,
    /** @param {{ games: string, empties: number, better: number, worse: number, gained: string }} facts */
    theory: ({ games, empties, better, worse, gained }) =>
      `${games} games were solved with ${empties} or more squares empty. Compared with perfect play from there, the outcome was better in ${better} and worse in ${worse}, and the result ${gained} discs on average: what both players made of the endings.`,
  },

  /** The name of an opening, which the server says in English. @param {string} name */
  opening: (name) => name,

  /** English names of the openings that somebody searches for. @param {string} typed @returns {string} */
  openingsLike: (typed) => typed,

  /** Titles of features by name, where they are not the server's. @type {Record<string, string>} */
  features: {},

  /** What features look at, where it is not the server's text. @type {Record<string, string>} */
  featureNotes: {},

  experiments: {
    runs: 'Runs',
    loading: 'Loading the experiments …',
    running: 'running',
    builtIn: 'The reproduction that comes with Discern',
    inEnglish: '',
    kinds: { reproduction: 'Reproduction', tournament: 'Tournament' },
    none: 'No experiments yet',
    /** @param {string} file @param {string} why */
    unreadable: (file, why) => `${file}: ${why}`,
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
    endingNames: {
      played: 'played to the end', unfinished: 'unfinished', resigned: 'resigned', agreed: 'agreed', timeout: 'out of time',
      illegal: 'illegal move', crash: 'crashed', silence: 'no answer', left: 'left', adjudicated: 'adjudicated', interrupted: 'interrupted',
    },
    note: 'Percentages with 95 % intervals over pairs of games; p-values of the paired and of the paper’s conservative test; pairs by points of the first player: 0 · ½ · 1 · 1½ · 2.',
    playerColumns: ['Player', 'Limits', 'Points', 'W–D–L', 'Elo', 'Per move', 'Depth', 'Nodes/s'],
    matchColumns: ['Match', 'W–D–L', 'Percentage', 'Elo', 'p paired', 'p conservative', 'Pairs', 'Discs'],
    /** @param {string} count */
    games: (count) => `${count} games`,
    /** @param {string} first @param {string} second */
    versus: (first, second) => `${first} – ${second}`,
  },
};
