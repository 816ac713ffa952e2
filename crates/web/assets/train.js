// Finding the better move in the positions of one's own mistakes.

import { announce } from './announcer.js';
import * as api from './api.js';
import { account, difference, strongest } from './contributions.js';
import { h, replace } from './dom.js';
import { titleOf } from './features.js';
import { fixed, percent } from './format.js';
import { answered, cards, due, mistakesOf, overlooked, reviewedMoves } from './mistakes.js';
import { toast } from './notice.js';
import { lost } from './review-summary.js';
import { play, printPosition, squareName, squareNumber } from './rules.js';
import { shelf } from './shelf.js';
import { table } from './tables.js';
import { text } from './text.js';

/** @typedef {import('./studio.js').Studio} Studio */
/** @typedef {import('./mistakes.js').Mistake} Mistake */

const PHASES = /** @type {const} */ (['opening', 'midgame', 'endgame']);
/** Mistakes whose features are looked at; more say the same. */
const LOOKED_AT = 100;

/**
 * @param {Studio} studio
 * @param {() => void} opened told when a game is on the board
 */
export function training(studio, opened) {
  /** @type {Mistake | null} */
  let current = null;
  let visible = false;
  let stale = true;
  const task = h('div', { class: 'task' });
  const statistics = h('div', {});
  const root = h('div', { class: 'panel-body' }, task, statistics);

  const show = () => {
    if (!visible) return;
    if (current === null) showOffer();
    if (!stale) return;
    stale = false;
    showStatistics();
  };

  const showOffer = () => {
    const all = mistakesOf(reviewedMoves());
    const waiting = due(all);
    replace(
      task,
      h('p', {}, all.length ? text.train.count(all.length, waiting.length) : text.train.none),
      waiting.length > 0 &&
        h('button', { type: 'button', class: 'primary', onclick: () => begin(waiting[0]) }, text.train.start),
    );
  };

  /** @param {Mistake} mistake */
  const begin = (mistake) => {
    if (studio.playing) {
      toast(text.analysis.playing);
      return;
    }
    current = mistake;
    studio.emit('search', 'train');
    studio.presses = press;
    studio.overlay({ puzzle: mistake.position, hint: null });
    const { move } = mistake;
    replace(
      task,
      h('p', { class: 'game-status', role: 'status' }, text.train.find(text.sides[move.mover], move.move)),
      h('div', { class: 'row' },
        h('button', { type: 'button', onclick: () => reveal(false) }, text.train.show),
        h('button', { type: 'button', onclick: stop }, text.train.stop)),
    );
  };

  /** @param {number} square */
  const press = (square) => {
    if (!current || !play(current.position, square)) return;
    const name = squareName(square);
    if (name === current.move.best) reveal(true);
    else if (name === current.move.move) say(text.train.again(name));
    else say(text.train.wrong(name));
  };

  /** @param {string} sentence */
  const say = (sentence) => {
    const line = task.querySelector('.game-status');
    if (line) line.textContent = sentence;
    if (current && sentence !== text.train.right) answered(current, false);
  };

  /** @param {boolean} right */
  const reveal = (right) => {
    if (!current) return;
    const mistake = current;
    const { move, game } = mistake;
    answered(mistake, right);
    studio.presses = null;
    studio.overlay({ hint: squareNumber(move.best) });
    const next = due(mistakesOf(reviewedMoves())).find(({ key }) => key !== mistake.key);
    const sentence = right ? text.train.right : text.train.was(move.best);
    announce(sentence);
    replace(
      task,
      h('p', { class: 'game-status', role: 'status' }, sentence),
      h('p', {}, text.train.worth(move.best, percent(move.probability_best), move.move, lost(move))),
      h('p', { class: 'pv-text' }, (move.pv.match(/pass|../g) ?? []).join(' ')),
      h('div', { class: 'row' },
        next && h('button', { type: 'button', class: 'primary', onclick: () => begin(next) }, text.train.next),
        h('button', { type: 'button', onclick: () => openGame(game, mistake) }, text.train.game),
        h('button', { type: 'button', onclick: stop }, text.train.stop)),
    );
    /** @type {HTMLElement | null} */ (task.querySelector('button'))?.focus();
  };

  /** @param {string} id @param {Mistake} mistake */
  const openGame = (id, mistake) => {
    stop();
    const saved = shelf.get(id);
    if (saved) studio.desk.open(saved);
    opened();
    const at = [studio.tree.root, ...studio.tree.root.end().path()].find((node) => printPosition(node.position) === mistake.key);
    if (at) studio.tree.goTo(at);
  };

  const stop = () => {
    if (!current) return;
    current = null;
    if (studio.presses === press) studio.presses = null;
    studio.overlay({ puzzle: null, hint: null });
    show();
  };

  const showStatistics = async () => {
    const moves = reviewedMoves();
    if (!moves.length) {
      replace(statistics);
      return;
    }
    const games = new Set(moves.map(({ game }) => game)).size;
    const rows = PHASES.map((phase) => {
      const these = moves.filter(({ move }) => move.phase === phase);
      const loss = these.reduce((sum, { move }) => sum + move.loss, 0);
      const discs = these.reduce((sum, { move }) => sum + Math.max(0, move.score_best - move.score_played), 0);
      return [
        text.phases[phase], these.length, these.length ? `${fixed((100 * loss) / these.length, 1)} %` : '–',
        fixed(discs / games, 1), mistakesOf(these).length,
      ];
    });
    replace(statistics, h('h3', {}, text.train.phases(games)), table(text.train.phases(games), text.train.phaseColumns, rows));
    const counted = await overlookedFeatures(mistakesOf(moves).slice(0, LOOKED_AT));
    if (!counted.length) return;
    statistics.append(
      h('h3', {}, text.train.features),
      table(text.train.features, text.train.featureColumns, counted.map(([name, count]) => [titleOf(name), count])),
    );
  };

  studio.desk.on('leave', stop);
  studio.on('search', (searcher) => {
    if (searcher !== 'train') stop();
  });
  shelf.on('changed', () => {
    stale = true;
  });
  return {
    root,
    /** @param {boolean} now */
    visible(now) {
      visible = now;
      if (now) show();
      else stop();
    },
  };
}

/**
 * What spoke most for the better moves, over all mistakes.
 * @param {Mistake[]} mistakes
 */
async function overlookedFeatures(mistakes) {
  /** @type {Map<string, number>} */
  const counts = new Map();
  for (const mistake of mistakes) {
    const feature = cards()[mistake.key]?.feature ?? (await mainReason(mistake));
    if (feature === null) break;
    if (feature) counts.set(feature, (counts.get(feature) ?? 0) + 1);
  }
  return [...counts].sort((a, b) => b[1] - a[1]);
}

/**
 * The feature that speaks most for the better move; `null` if nobody answers.
 * @param {Mistake} mistake
 */
async function mainReason(mistake) {
  const { position, move } = mistake;
  try {
    const [better, played] = await Promise.all([move.best, move.move].map(async (name) => {
      const after = play(position, squareNumber(name));
      return after && account(await api.explain(printPosition(after)), true);
    }));
    const feature = (better && played && strongest(difference(better, played), 0, 1)[0]?.name) ?? '';
    overlooked(mistake, feature);
    return feature;
  } catch {
    return null;
  }
}
