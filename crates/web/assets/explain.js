// Why the evaluation is what it is: the 13 features side by side in the three
// models, for a position or for two moves.

import * as api from './api.js';
import { account, difference, strongest } from './contributions.js';
import { h, replace, vary } from './dom.js';
import { choice, select } from './fields.js';
import { fixed, percent, signed } from './format.js';
import { loading, problem } from './notice.js';
import { isOver, legalMoves, play, printPosition, squareName, squareNumber } from './rules.js';
import { text } from './text.js';

/** @typedef {import('./studio.js').Studio} Studio */
/** @typedef {import('./studio.js').Tint} Tint */
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
    table(studio, change, [
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
    table(studio, values, [
      { title: words.probability, cells: values.probabilities.map(percent) },
    ]),
    h('p', { class: 'hint' }, words.note),
  ];
}

/**
 * What LOG finds most important, in words.
 * @param {Account} values
 * @param {string} inFavour
 * @param {string} against
 */
function reasons(values, inFavour, against) {
  /** @param {FeatureRow[]} rows */
  const list = (rows) =>
    rows.map(({ name, parts }) => `${text.features[name]?.title ?? name} (${signed(parts[0], 2)})`).join(', ');
  const pros = strongest(values, 0, 1);
  const cons = strongest(values, 0, -1);
  return h(
    'ul',
    { class: 'reasons' },
    pros.length > 0 && h('li', { class: 'for' }, h('strong', {}, inFavour), ' ', list(pros)),
    cons.length > 0 && h('li', { class: 'against' }, h('strong', {}, against), ' ', list(cons)),
  );
}

/**
 * @param {Studio} studio
 * @param {Account} values
 * @param {{ title: string, cells: string[] }[]} results
 */
function table(studio, values, results) {
  const { explain: words } = text;
  const largest = Math.max(0.05, ...values.rows.flatMap(({ parts }) => parts.map(Math.abs)));
  const rows = values.rows.map((row) => featureRows(studio, row, largest));
  return h(
    'table',
    { class: 'features' },
    h('caption', { class: 'unseen' }, words.caption),
    h(
      'thead',
      {},
      h('tr', {}, h('th', { scope: 'col' }, words.feature), values.models.map((m) => h('th', { scope: 'col' }, m))),
    ),
    h('tbody', {}, rows),
    h(
      'tfoot',
      {},
      numberRow(words.intercept, values.intercepts.map((value) => signed(value, 2))),
      numberRow(words.sum, values.values.map((value) => signed(value, 2))),
      results.map(({ title, cells }) => numberRow(title, cells)),
    ),
  );
}

/**
 * @param {string} title
 * @param {string[]} cells
 */
const numberRow = (title, cells) =>
  h('tr', {}, h('th', { scope: 'row' }, title), cells.map((cell) => h('td', {}, cell)));

/**
 * A feature and, folded away, its places on the board.
 * @param {Studio} studio
 * @param {FeatureRow} row
 * @param {number} largest
 */
function featureRows(studio, row, largest) {
  const words = text.features[row.name] ?? { title: row.name, about: '' };
  const id = `places-${row.name}`;
  const details = h('tr', { class: 'places', id, hidden: true });
  const button = h(
    'button',
    {
      type: 'button',
      class: 'quiet feature',
      'aria-expanded': 'false',
      'aria-controls': id,
      title: words.about,
      onclick: () => {
        details.hidden = !details.hidden;
        button.setAttribute('aria-expanded', String(!details.hidden));
        if (!details.hidden && !details.children.length) {
          details.append(h('td', { colspan: row.parts.length + 1 }, placeList(studio, row, words.about)));
        }
      },
    },
    words.title,
  );
  const line = h(
    'tr',
    { class: 'feature-row' },
    h('th', { scope: 'row' }, button),
    row.parts.map((part) =>
      h(
        'td',
        {},
        vary(
          h('span', { class: `diverging ${part < 0 ? 'against' : 'for'}`, 'aria-hidden': 'true' }),
          { size: Math.abs(part) / largest },
        ),
        h('span', { class: 'part' }, signed(part, 2)),
      ),
    ),
  );
  lightUp(studio, line, () => tintsOf(row.instances));
  return [line, details];
}

/**
 * @param {Studio} studio
 * @param {FeatureRow} row
 * @param {string} about
 */
function placeList(studio, row, about) {
  const telling = row.instances
    .filter(({ table_value }) => Math.abs(table_value) > 1e-9)
    .sort((a, b) => Math.abs(b.table_value) - Math.abs(a.table_value));
  return [
    h('p', { class: 'hint' }, about),
    telling.length === 0 && h('p', { class: 'hint' }, text.explain.nothing),
    h(
      'ul',
      { class: 'instances' },
      telling.map((instance) => {
        const first = instance.squares[0];
        const last = instance.squares[instance.squares.length - 1];
        const view = h(
          'button',
          { type: 'button', class: 'quiet instance' },
          h('span', {}, `${first}–${last}`),
          h(
            'span',
            { class: 'strip', 'aria-hidden': 'true' },
            [...instance.configuration].map((cell) =>
              h('i', { class: { X: 'black', O: 'white', '-': 'none' }[cell] ?? 'none' }),
            ),
          ),
          h('span', { class: 'part' }, fixed(instance.table_value, 2)),
        );
        lightUp(studio, view, () => tintsOf([instance]));
        return h('li', {}, view);
      }),
    ),
  ];
}

/**
 * Shows squares on the board while the pointer or the focus is on an element.
 * @param {Studio} studio
 * @param {HTMLElement} element
 * @param {() => Map<number, Tint>} tints
 */
function lightUp(studio, element, tints) {
  const on = () => studio.overlay({ tints: tints() });
  const off = () => studio.overlay({ tints: new Map() });
  element.addEventListener('pointerenter', on);
  element.addEventListener('focusin', on);
  element.addEventListener('pointerleave', off);
  element.addEventListener('focusout', off);
}

/**
 * @param {import('./api.js').Instance[]} instances
 * @returns {Map<number, Tint>}
 */
function tintsOf(instances) {
  /** @type {Map<number, number>} */
  const sums = new Map();
  for (const { squares, table_value: value } of instances) {
    for (const name of squares) {
      const square = squareNumber(name);
      sums.set(square, (sums.get(square) ?? 0) + value);
    }
  }
  return new Map(
    [...sums].map(([square, sum]) => [
      square,
      Math.abs(sum) < 1e-9 ? 'neutral' : sum > 0 ? 'for' : 'against',
    ]),
  );
}
