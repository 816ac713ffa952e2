// Games against engines, or of engines against each other.

import { announce } from './announcer.js';
import * as api from './api.js';
import { Clock } from './clock.js';
import { h, replace } from './dom.js';
import { clockTime, percent } from './format.js';
import { gameForm } from './game-form.js';
import { engineMove, engineSeat, seatName } from './match.js';
import { loading, problem } from './notice.js';
import { pause } from './pause.js';
import {
  START, count, finalScore, isOver, legalMoves, other, printPosition, squareName, squareNumber,
} from './rules.js';
import { chosenModel, settings } from './settings.js';
import { text } from './text.js';
import { followPath } from './tree-text.js';
import { transcript } from './game-tree.js';

/** @typedef {import('./studio.js').Studio} Studio */
/** @typedef {import('./game-tree.js').Node} GameNode */
/** @typedef {import('./rules.js').Color} Color */
/** @typedef {import('./match.js').Seat} Seat */
/** @typedef {import('./match.js').SavedMatch} SavedMatch */
/** @typedef {ReturnType<typeof import('./scoreboard.js').scoreboard>} Scoreboard */

/** Depth of a hint: stronger than most levels and still at once. */
const HINT_DEPTH = 10;
/** Milliseconds a move of the engine takes at least: one wants to see one's own. */
const CALM = 350;
/** The same between two engines. */
const CALM_WATCHING = 700;
/** An engine takes a draw if it does not expect to win more often than this. */
const DRAWISH = 0.5;

const COLORS = /** @type {const} */ (['X', 'O']);

/**
 * @typedef {object} Game
 * @property {Record<Color, Seat>} seats
 * @property {Record<Color, string>} names
 * @property {GameNode} tip the position the game has reached
 * @property {Clock | null} clock
 * @property {AbortController | null} thinking
 */

/**
 * @param {Studio} studio
 * @param {Scoreboard} board
 * @param {{ review: () => void, share: () => void }} next what to do with a game that is over
 */
export function playing(studio, board, next) {
  const { desk, tree } = studio;
  /** @type {Game | null} */
  let game = null;
  const status = h('p', { class: 'game-status', role: 'status' });
  const body = h('div', { class: 'panel-body' });
  const hintButton = h('button', { type: 'button', onclick: () => hint() }, text.play.hint);
  const goOn = h('button', { type: 'button', onclick: () => start(false) }, text.play.continue);
  let visible = false;
  let saved = 0;
  setInterval(() => tick(), 100);

  const showForm = (/** @type {import('./dom.js').Child} */ result = null) => {
    if (!studio.info) {
      replace(body, loading(text.server.connecting));
      return;
    }
    replace(
      body,
      result,
      h('div', { class: 'row' }, h('button', { type: 'button', class: 'primary', onclick: () => start(true) }, text.play.start), goOn),
      isFresh() && h('p', { class: 'hint' }, text.play.begin),
      gameForm(studio.info),
    );
    showContinue();
  };

  /** Is the board as a game begins? */
  const isFresh = () => !tree.root.children.length && tree.root.position.cells === START.cells;

  const showContinue = () => {
    const { position } = tree.current;
    goOn.hidden = isOver(position) || position.cells === START.cells;
  };

  /** @param {SavedMatch} match a game found again */
  const showPaused = (match) => {
    const names = COLORS.map((color) => seatName(match[color], studio.info));
    replace(
      body,
      h('p', { class: 'game-status' }, text.play.paused(names[0], names[1])),
      h(
        'div',
        { class: 'row' },
        h('button', { type: 'button', class: 'primary', onclick: () => resume(match) }, text.play.resume),
        h('button', { type: 'button', onclick: () => giveUp() }, text.play.leave),
      ),
    );
    if (match.clock) {
      for (const color of COLORS) board.clock(side(color), clockTime(match.clock[color]));
    }
  };

  const showGame = () => {
    const { play: words } = text;
    const watching = !person();
    replace(
      body,
      status,
      h(
        'div',
        { class: 'row' },
        !watching && [
          hintButton,
          h('button', { type: 'button', onclick: takeBack }, words.takeBack),
          h('button', { type: 'button', onclick: offerDraw }, words.draw),
        ],
        h('button', { type: 'button', onclick: () => suspend() }, words.pause),
        h('button', { type: 'button', onclick: resign }, watching ? words.leave : words.resign),
      ),
      h('p', { class: 'hint' }, watching ? words.watching : words.how),
    );
  };

  /** The colour of the person, if one plays. */
  const person = () => COLORS.find((color) => game?.seats[color].kind === 'person');

  /** @param {boolean} fresh from the start, or from the position on the board */
  const start = (fresh) => {
    if (!studio.info) return;
    const engine = engineSeat(studio.info, 'level');
    const color = settings.color === 'random' ? (Math.random() < 0.5 ? 'black' : 'white') : settings.color;
    /** @type {Seat} */
    const rival = color === 'watch' ? engineSeat(studio.info, 'rival') : { kind: 'person' };
    const seats = color === 'white' ? { X: engine, O: rival } : { X: rival, O: engine };
    const seconds = 60 * Number(settings.minutes);
    begin(seats, fresh ? null : tree.current,
      seconds ? { X: seconds, O: seconds, increment: Number(settings.increment) } : undefined);
  };

  /**
   * @param {Record<Color, Seat>} seats
   * @param {GameNode | null} from `null` for the start
   * @param {SavedMatch['clock']} clock
   */
  const begin = (seats, from, clock) => {
    const [black, white] = COLORS.map((color) => seatName(seats[color], studio.info));
    if (from === null) desk.begin(START, '', { black, white, date: new Date().toISOString().slice(0, 10) });
    else if (!desk.about.black && !desk.about.white) desk.describe({ ...desk.about, black, white });
    enter({ ...seats, tip: transcript(tree.current.path()), clock });
  };

  /** @param {SavedMatch} match */
  const resume = (match) => enter(match);

  /** @param {SavedMatch} match */
  const enter = ({ X, O, tip, clock }) => {
    studio.emit('search', 'play');
    game = {
      seats: { X, O },
      names: { X: seatName(X, studio.info), O: seatName(O, studio.info) },
      tip: followPath(tree.root, tip) ?? tree.current,
      clock: clock ? new Clock(clock) : null,
      thinking: null,
    };
    studio.presses = press;
    studio.playing = true;
    studio.emit('playing', true);
    tree.goTo(game.tip);
    showGame();
    keep();
    turn();
  };

  /** Keeps the game as it stands, so that it can be found again. */
  const keep = () => {
    if (!game) return;
    saved = performance.now();
    desk.match = { ...game.seats, tip: transcript(game.tip.path()), clock: game.clock?.state };
    desk.keep();
  };

  /** Stops playing; the game stays as it is kept. */
  const quit = () => {
    if (!game) return;
    game.thinking?.abort();
    game.clock?.stop();
    game = null;
    studio.presses = null;
    studio.playing = false;
    studio.emit('playing', false);
    studio.overlay({ hint: null });
  };

  const suspend = () => {
    keep();
    quit();
    if (desk.match) showPaused(desk.match);
  };

  /** Ends a game without a result. */
  const giveUp = () => {
    quit();
    desk.match = undefined;
    desk.keep();
    for (const color of COLORS) board.clock(side(color), '');
    showForm();
  };

  /** @param {string} sentence @param {string} [note] what to write under the last position */
  const finish = (sentence, note) => {
    if (!game) return;
    tick();
    if (!game) return;
    const { seats, tip, clock } = game;
    quit();
    desk.match = undefined;
    if (note) {
      tree.goTo(tip);
      tree.note(note);
    }
    desk.keep();
    announce(sentence);
    const seconds = 60 * Number(settings.minutes);
    const again = clock ? { X: seconds, O: seconds, increment: clock.increment } : undefined;
    showForm(
      h(
        'div',
        { class: 'result' },
        h('p', { class: 'game-status' }, sentence),
        h(
          'div',
          { class: 'row' },
          h('button', { type: 'button', class: 'primary', onclick: next.review }, text.play.review),
          h('button', { type: 'button', onclick: () => begin({ X: seats.O, O: seats.X }, null, again) }, text.play.rematch),
          h('button', { type: 'button', onclick: next.share }, text.play.send),
        ),
        h('p', { class: 'hint' }, text.play.saved),
      ),
    );
    // On a small phone what to do next is below the board.
    body.querySelector('.result')?.scrollIntoView({ block: 'nearest' });
  };

  const turn = () => {
    if (!game) return;
    const { position } = game.tip;
    if (isOver(position)) {
      const { black, white } = count(position);
      const score = finalScore(position);
      const color = person();
      finish(color ? text.play.over(color === 'X' ? score : -score, black, white) : text.result.over(score, black, white));
      return;
    }
    game.clock?.start(position.mover);
    const seat = game.seats[position.mover];
    if (seat.kind === 'person') {
      hintButton.setAttribute('aria-disabled', 'false');
      say(game.tip.passed ? text.play.theyPass(game.names[other(position.mover)]) : text.play.yourMove);
    } else {
      if (game.tip.passed && person()) announce(text.play.youPass);
      think(game, seat);
    }
  };

  /** @param {Game} current @param {Exclude<Seat, { kind: 'person' }>} seat */
  const think = async (current, seat) => {
    const { tip, clock } = current;
    const name = current.names[tip.position.mover];
    const search = new AbortController();
    current.thinking = search;
    hintButton.setAttribute('aria-disabled', 'true');
    replace(status, loading(tip.passed && person() ? text.play.youPassThinking(name) : text.play.thinking(name)));
    try {
      const asked = performance.now();
      const answer = await engineMove(seat, tip, clock, search.signal);
      await pause((person() ? CALM : CALM_WATCHING) - (performance.now() - asked));
      if (game !== current || search.signal.aborted) return;
      current.thinking = null;
      makeMove(squareNumber(answer.move));
    } catch (error) {
      if (game !== current || search.signal.aborted) return;
      // Whoever cannot be asked does not lose on time.
      clock?.stop();
      replace(status, problem(api.sentence(error), () => {
        clock?.start(tip.position.mover);
        think(current, seat);
      }));
      studio.lost(error);
    }
  };

  /** @param {number} square */
  const makeMove = (square) => {
    if (!game) return;
    tree.goTo(game.tip);
    studio.overlay({ hint: null });
    const next = tree.play(square);
    if (!next) return;
    game.clock?.stop(true);
    game.tip = next;
    keep();
    turn();
  };

  /** @param {number} square */
  const press = (square) => {
    if (!game) return;
    if (tree.current !== game.tip) {
      tree.goTo(game.tip);
      return;
    }
    const { position } = game.tip;
    if (game.seats[position.mover].kind !== 'person') return;
    if (legalMoves(position).includes(square)) makeMove(square);
    else announce(text.play.illegal(squareName(square)));
  };

  // A newcomer presses the board before any button.
  studio.begins = (square) => {
    const wanted = visible && !game && studio.info && isFresh() && settings.color !== 'watch';
    if (!wanted || !legalMoves(START).includes(square)) return false;
    start(true);
    if (person() === 'X') makeMove(square);
    return true;
  };

  const hint = () =>
    ask(text.play.hinting, hint, (answer) => {
      studio.overlay({ hint: squareNumber(answer.move) });
      say(text.play.hinted(answer.move, percent(answer.probability)));
    });

  const offerDraw = () =>
    ask(text.play.offering, offerDraw, (answer) => {
      // The odds are the person's: it is his turn.
      if (1 - answer.probability <= DRAWISH) finish(text.play.agreed, text.play.agreed);
      else say(text.play.refused);
    });

  /**
   * Looks at the position on behalf of the person.
   * @param {string} busy
   * @param {() => void} again
   * @param {(answer: api.MoveAnswer) => void} use
   */
  const ask = async (busy, again, use) => {
    if (!game || game.thinking) return;
    const current = game;
    const { tip } = current;
    if (current.seats[tip.position.mover].kind !== 'person') return;
    const search = new AbortController();
    current.thinking = search;
    replace(status, loading(busy));
    try {
      const model = chosenModel(studio.info, 'model');
      const answer = await api.move({ position: printPosition(tip.position), model, limit: { depth: HINT_DEPTH } }, search.signal);
      if (game !== current || search.signal.aborted) return;
      current.thinking = null;
      tree.goTo(tip);
      use(answer);
    } catch (error) {
      if (game !== current || search.signal.aborted) return;
      current.thinking = null;
      replace(status, problem(api.sentence(error), again));
      studio.lost(error);
    }
  };

  const takeBack = () => {
    if (!game) return;
    const color = person();
    /** @type {GameNode | null} */
    let last = game.tip;
    while (last && last.by !== color) last = last.parent;
    if (!last?.parent) {
      say(text.play.nothingToTakeBack);
      return;
    }
    game.thinking?.abort();
    game.thinking = null;
    game.tip = last.parent;
    tree.goTo(game.tip);
    tree.remove(last);
    studio.overlay({ hint: null });
    keep();
    turn();
  };

  const resign = () => {
    if (!game) return;
    const color = person();
    if (!color) {
      giveUp();
      return;
    }
    finish(text.play.resigned(game.names[other(color)]), text.play.gaveUp(text.sides[side(color)]));
  };

  /** @param {string} sentence */
  const say = (sentence) => {
    status.textContent = sentence;
  };

  const tick = () => {
    if (!game?.clock) return;
    for (const color of COLORS) {
      const left = game.clock.left(color);
      board.clock(side(color), clockTime(left), left < 20);
    }
    if (performance.now() - saved > 2000) keep();
    const late = COLORS.find((color) => game?.clock?.left(color) === 0);
    if (!late) return;
    const rival = game.names[other(late)];
    game.clock.stop();
    game.clock = null;
    const note = text.play.late(text.sides[side(late)]);
    finish(late === person() ? text.play.youAreLate(rival) : text.play.theyAreLate(game.names[late]), note);
  };

  studio.on('info', () => {
    if (game) return;
    if (desk.match) showPaused(desk.match);
    else showForm();
  });
  studio.on('stopGame', suspend);
  addEventListener('pagehide', keep);
  desk.on('leave', () => {
    keep();
    quit();
  });
  desk.on('opened', () => {
    for (const color of COLORS) board.clock(side(color), '');
    if (desk.match) showPaused(desk.match);
    else showForm();
  });
  tree.on('changed', () => {
    if (!game) return;
    /** @type {GameNode} */
    let top = game.tip;
    while (top.parent?.children.includes(top)) top = top.parent;
    if (top !== tree.root) giveUp();
  });
  tree.on('moved', showContinue);
  showForm();
  return {
    root: body,
    /** @param {boolean} now */
    visible(now) {
      visible = now;
    },
  };
}

/** @param {Color} color */
const side = (color) => (color === 'X' ? 'black' : 'white');
