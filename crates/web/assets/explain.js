// Why the evaluation is what it is: the features side by side in all models,
// for a position or for two moves.

import * as api from './api.js';
import { account, difference, strongest } from './contributions.js';
import { h, replace } from './dom.js';
import { featureTable } from './feature-table.js';
import { choice, select } from './fields.js';
import { percent, signed } from './format.js';
import { loading, problem } from './notice.js';
import { LEAFING, pause } from './pause.js';
import { isOver, legalMoves, play, printPosition, squareName } from './rules.js';
import { text } from './text.js';

/** @typedef {import('./studio.js').Studio} Studio */
/** @typedef {import('./contributions.js').Account} Account */
/** @typedef {import('./contributions.js').FeatureRow} FeatureRow */
/** @typedef {import('./rules.js').Position} Position */

/** @param {Studio} studio */
export function explain(studio) {
  let visible = false;
  /** @type {'position' | 'moves'} */
  let subject = 'position';
  /** @type {[number, number]} */
  let pair = [-1, -1];
  /** @type {AbortController | null} */
  let asking = null;

  const chooser = h('div', { class: 'chooser' });
  const content = h('div', { class: 'explanation' });
  const root = h('div', { class: 'panel-body' }, chooser, content);

  const showChooser = () => {
    const moves = legalMoves(studio.tree.current.position);
    if (moves.length < 2) subject = 'position';
    if (!moves.includes(pair[0]) || !moves.includes(pair[1])) pair = defaultPair(studio, moves);
    /** @type {[string, string][]} */
    const options = moves.map((move) => [String(move), squareName(move)]);
    replace(
      chooser,
      choice('subject', text.explain.subject, subject, [
        ['position', text.explain.position],
        ['moves', text.explain.moves],
      ], (value) => {
        subject = value === 'moves' && moves.length > 1 ? 'moves' : 'position';
        show();
        /** @type {HTMLInputElement | null} */ (chooser.querySelector(`[value=${subject}]`))?.focus();
      }),
      subject === 'moves' &&
        h(
          'div',
          { class: 'fields' },
          select(text.explain.first, String(pair[0]), options, (move) => {
            pair[0] = Number(move);
            ask();
          }),
          select(text.explain.second, String(pair[1]), options, (move) => {
            pair[1] = Number(move);
            ask();
          }),
        ),
    );
  };

  const ask = async () => {
    asking?.abort();
    studio.overlay({ tints: new Map() });
    const { position } = studio.tree.current;
    if (isOver(position)) {
      replace(content, h('p', { class: 'empty' }, text.explain.over));
      return;
    }
    const request = new AbortController();
    asking = request;
    // A flash of "loading" on every move would be worse than nothing.
    const patience = setTimeout(() => replace(content, loading(text.explain.loading)), 300);
    try {
      await pause(LEAFING);
      if (request.signal.aborted) return;
      const side = text.sides[position.mover === 'X' ? 'black' : 'white'];
      const view =
        subject === 'position'
          ? positionView(studio, account(await api.explain(printPosition(position), request.signal)), side)
          : await compareMoves(studio, position, pair, side, request.signal);
      if (!request.signal.aborted) replace(content, view);
    } catch (error) {
      if (!request.signal.aborted) replace(content, problem(api.sentence(error), ask));
    } finally {
      clearTimeout(patience);
    }
  };

  const show = () => {
    if (!visible || studio.draft) return;
    showChooser();
    ask();
  };
  studio.tree.on('moved', show);

  return {
    root,
    /** @param {boolean} now */
    visible(now) {
      visible = now;
      if (!now) {
        asking?.abort();
        studio.overlay({ tints: new Map() });
      }
      show();
    },
  };
}

/**
 * The two best moves of the analysis if there is one.
 * @param {Studio} studio
 * @param {number[]} moves
 * @returns {[number, number]}
 */
function defaultPair(studio, moves) {
  const known = [...studio.labels.keys()].filter((square) => moves.includes(square));
  const [first = -1, second = -1] = known.length > 1 ? known : moves;
  return [first, second];
}

/**
 * @param {Studio} studio
 * @param {Position} position
 * @param {[number, number]} pair
 * @param {string} side
 * @param {AbortSignal} signal
 */
async function compareMoves(studio, position, pair, side, signal) {
  const after = pair.map((move) => /** @type {Position} */ (play(position, move)));
  const answers = await Promise.all(after.map((next) => api.explain(printPosition(next), signal)));
  const [first, second] = answers.map((answer) => account(answer, true));
  const change = difference(first, second);
  const [a, b] = pair.map(squareName);
  const better = change.values[0] >= 0;
  const { explain: words } = text;
  return [
    h(
      'div',
      { class: 'words' },
      h(
        'p',
        {},
        pair[0] === pair[1]
          ? words.same
          : words.prefers(
              change.models[0], side, better ? a : b, better ? b : a,
              percent((better ? first : second).probabilities[0]),
              percent((better ? second : first).probabilities[0]),
            ),
      ),
      reasons(change, words.speaksFor(a), words.speaksFor(b)),
      h('p', { class: 'hint' }, words.comparison(a, b)),
    ),
    featureTable(studio, change, [
      { title: words.probabilityOf(a), cells: first.probabilities.map(percent) },
      { title: words.probabilityOf(b), cells: second.probabilities.map(percent) },
    ]),
    h('p', { class: 'hint' }, words.note),
  ];
}

/**
 * @param {Studio} studio
 * @param {Account} values
 * @param {string} side
 */
function positionView(studio, values, side) {
  const { explain: words } = text;
  const odds = values.models.map((model, index) => `${percent(values.probabilities[index])} (${model})`);
  return [
    h(
      'div',
      { class: 'words' },
      h('p', {}, words.odds(side, odds)),
      reasons(values, words.speaksFor(side), words.speaksAgainst(side)),
    ),
    featureTable(studio, values, [
      { title: words.probability, cells: values.probabilities.map(percent) },
    ]),
    h('p', { class: 'hint' }, words.note),
  ];
}

/**
 * What the first model finds most important, in words.
 * @param {Account} values
 * @param {string} inFavour
 * @param {string} against
 */
function reasons(values, inFavour, against) {
  /** @param {FeatureRow[]} rows */
  const list = (rows) =>
    rows.map(({ title, parts }) => `${title} (${signed(parts[0], 2)})`).join(', ');
  const pros = strongest(values, 0, 1);
  const cons = strongest(values, 0, -1);
  return h(
    'ul',
    { class: 'reasons' },
    pros.length > 0 && h('li', { class: 'for' }, h('strong', {}, inFavour), ' ', list(pros)),
    cons.length > 0 && h('li', { class: 'against' }, h('strong', {}, against), ' ', list(cons)),
  );
}
