// A game against one of the models.

import { announce } from './announcer.js';
import * as api from './api.js';
import { Clock } from './clock.js';
import { h, replace } from './dom.js';
import { clockTime, percent } from './format.js';
import { gameForm, moveLimit } from './game-form.js';
import { loading, problem } from './notice.js';
import { pause } from './pause.js';
import {
  START, count, finalScore, isOver, legalMoves, printPosition, squareName, squareNumber,
} from './rules.js';
import { chosenModel, settings } from './settings.js';
import { text } from './text.js';

/** @typedef {import('./studio.js').Studio} Studio */
/** @typedef {import('./game-tree.js').Node} GameNode */
/** @typedef {import('./rules.js').Color} Color */
/** @typedef {ReturnType<typeof import('./scoreboard.js').scoreboard>} Scoreboard */

/** Depth of a hint: stronger than most levels and still at once. */
const HINT_DEPTH = 10;

/**
 * @typedef {object} Game
 * @property {Color} human
 * @property {string} model
 * @property {string} label
 * @property {GameNode} tip the position the game has reached
 * @property {Clock | null} clock
 * @property {AbortController | null} thinking
 */

/**
 * @param {Studio} studio
 * @param {Scoreboard} board
 * @param {() => void} review opens the review of the game
 */
export function playing(studio, board, review) {
  /** @type {Game | null} */
  let game = null;
  const status = h('p', { class: 'game-status', role: 'status' });
  const body = h('div', { class: 'panel-body' });
  const hintButton = h('button', { type: 'button', onclick: () => hint() }, text.play.hint);
  const goOn = h('button', { type: 'button', onclick: () => start(false) }, text.play.continue);
  const timer = setInterval(() => tick(), 100);
  addEventListener('pagehide', () => clearInterval(timer));

  const showForm = (/** @type {import('./dom.js').Child} */ result = null) => {
    if (!studio.info) {
      replace(body, loading(text.server.connecting));
      return;
    }
    replace(
      body,
      result,
      gameForm(studio.info),
      h(
        'div',
        { class: 'row' },
        h('button', { type: 'button', class: 'primary', onclick: () => start(true) }, text.play.start),
        goOn,
      ),
    );
    showContinue();
  };

  const showContinue = () => {
    const { position } = studio.tree.current;
    goOn.hidden = isOver(position) || position.cells === START.cells;
  };

  const showGame = () => {
    const { play: words } = text;
    replace(
      body,
      status,
      h(
        'div',
        { class: 'row' },
        hintButton,
        h('button', { type: 'button', onclick: takeBack }, words.takeBack),
        h('button', { type: 'button', onclick: resign }, words.resign),
      ),
      h('p', { class: 'hint' }, words.how),
    );
  };

  /** @param {boolean} fresh from the start, or from the position on the board */
  const start = (fresh) => {
    end();
    studio.emit('search', 'play');
    if (fresh) studio.tree.reset(START);
    const color = settings.color === 'random' ? (Math.random() < 0.5 ? 'black' : 'white') : settings.color;
    const model = chosenModel(studio.info, 'opponent');
    const label = studio.info?.models.find(({ name }) => name === model)?.label ?? model;
    game = {
      human: color === 'black' ? 'X' : 'O',
      model,
      label,
      tip: studio.tree.current,
      clock: settings.limit === 'clock'
        ? new Clock(60 * Number(settings.minutes), Number(settings.increment)) : null,
      thinking: null,
    };
    studio.presses = press;
    studio.playing = true;
    board.name('black', color === 'black' ? text.play.you : label);
    board.name('white', color === 'black' ? label : text.play.you);
    showGame();
    turn();
  };

  /** Leaves the game without a result. */
  const end = () => {
    if (!game) return;
    game.thinking?.abort();
    game.clock?.stop();
    game = null;
    studio.presses = null;
    studio.playing = false;
    studio.overlay({ hint: null });
    for (const side of /** @type {const} */ (['black', 'white'])) {
      board.name(side, text.sides[side]);
      board.clock(side, '');
    }
  };

  /** @param {string} sentence */
  const finish = (sentence) => {
    tick();
    end();
    announce(sentence);
    showForm(
      h(
        'div',
        { class: 'result' },
        h('p', { class: 'game-status' }, sentence),
        h('button', { type: 'button', onclick: review }, text.play.review),
      ),
    );
  };

  const turn = () => {
    if (!game) return;
    const { position } = game.tip;
    if (isOver(position)) {
      const score = finalScore(position) * (game.human === 'X' ? 1 : -1);
      const { black, white } = count(position);
      finish(text.play.over(score, black, white));
      return;
    }
    game.clock?.start(position.mover);
    if (position.mover === game.human) {
      hintButton.setAttribute('aria-disabled', 'false');
      say(game.tip.passed ? text.play.theyPass(game.label) : text.play.yourMove);
    } else {
      if (game.tip.passed) announce(text.play.youPass);
      think(game);
    }
  };

  /** @param {Game} current */
  const think = async (current) => {
    const { tip, model, label, clock } = current;
    const search = new AbortController();
    current.thinking = search;
    hintButton.setAttribute('aria-disabled', 'true');
    replace(status, loading(tip.passed ? text.play.youPassThinking(label) : text.play.thinking(label)));
    const limit = clock
      ? { clock: { left: clock.left(tip.position.mover), increment: clock.increment } }
      : moveLimit();
    try {
      const asked = performance.now();
      const answer = await api.move({ position: printPosition(tip.position), model, limit }, search.signal);
      // A reply in no time would leave one's own move unseen.
      await pause(350 - (performance.now() - asked));
      if (game !== current || search.signal.aborted) return;
      current.thinking = null;
      makeMove(squareNumber(answer.move));
    } catch (error) {
      if (game !== current || search.signal.aborted) return;
      replace(status, problem(api.sentence(error), () => think(current)));
    }
  };

  /** @param {number} square */
  const makeMove = (square) => {
    if (!game) return;
    studio.tree.goTo(game.tip);
    studio.overlay({ hint: null });
    const next = studio.tree.play(square);
    if (!next) return;
    game.clock?.stop(true);
    game.tip = next;
    turn();
  };

  /** @param {number} square */
  const press = (square) => {
    if (!game) return;
    if (studio.tree.current !== game.tip) {
      studio.tree.goTo(game.tip);
      return;
    }
    const { position } = game.tip;
    if (position.mover !== game.human) return;
    if (legalMoves(position).includes(square)) makeMove(square);
    else announce(text.play.illegal(squareName(square)));
  };

  const hint = async () => {
    if (!game || game.thinking) return;
    const current = game;
    const { tip } = current;
    if (tip.position.mover !== current.human) return;
    const search = new AbortController();
    current.thinking = search;
    replace(status, loading(text.play.hinting));
    try {
      const wish = { position: printPosition(tip.position), model: current.model, limit: { depth: HINT_DEPTH } };
      const answer = await api.move(wish, search.signal);
      if (game !== current || search.signal.aborted) return;
      current.thinking = null;
      studio.tree.goTo(tip);
      studio.overlay({ hint: squareNumber(answer.move) });
      say(text.play.hinted(answer.move, percent(answer.probability)));
    } catch (error) {
      if (game !== current || search.signal.aborted) return;
      current.thinking = null;
      replace(status, problem(api.sentence(error), hint));
    }
  };

  const takeBack = () => {
    if (!game) return;
    /** @type {GameNode | null} */
    let last = game.tip;
    while (last && last.by !== game.human) last = last.parent;
    if (!last?.parent) {
      say(text.play.nothingToTakeBack);
      return;
    }
    game.thinking?.abort();
    game.thinking = null;
    game.tip = last.parent;
    studio.tree.goTo(game.tip);
    studio.tree.remove(last);
    studio.overlay({ hint: null });
    turn();
  };

  const resign = () => {
    if (game) finish(text.play.resigned(game.label));
  };

  /** @param {string} sentence */
  const say = (sentence) => {
    status.textContent = sentence;
  };

  const tick = () => {
    if (!game?.clock) return;
    for (const color of /** @type {const} */ (['X', 'O'])) {
      const left = game.clock.left(color);
      board.clock(color === 'X' ? 'black' : 'white', clockTime(left), left < 20);
    }
    const late = /** @type {const} */ (['X', 'O']).find((color) => game?.clock?.left(color) === 0);
    if (late) {
      const { human, label } = game;
      game.clock.stop();
      game.clock = null;
      finish(late === human ? text.play.youAreLate(label) : text.play.theyAreLate(label));
    }
  };

  studio.on('info', () => {
    if (!game) showForm();
  });
  studio.tree.on('changed', () => {
    if (!game) return;
    /** @type {GameNode} */
    let top = game.tip;
    while (top.parent?.children.includes(top)) top = top.parent;
    if (top !== studio.tree.root) {
      end();
      showForm();
    }
  });
  studio.tree.on('moved', showContinue);
  showForm();
  return { root: body };
}
