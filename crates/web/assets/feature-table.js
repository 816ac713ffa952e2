// The table of features; its rows light up their squares on the board.

import { h, vary } from './dom.js';
import { fixed, signed } from './format.js';
import { squareNumber } from './rules.js';
import { text } from './text.js';

/** @typedef {import('./studio.js').Studio} Studio */
/** @typedef {import('./studio.js').Tint} Tint */
/** @typedef {import('./contributions.js').Account} Account */
/** @typedef {import('./contributions.js').FeatureRow} FeatureRow */

/**
 * @param {Studio} studio
 * @param {Account} values
 * @param {{ title: string, cells: string[] }[]} results
 */
export function featureTable(studio, values, results) {
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
  const id = `places-${row.name}`;
  const details = h('tr', { class: 'places', id, hidden: true });
  const button = h(
    'button',
    {
      type: 'button',
      class: 'quiet feature',
      'aria-expanded': 'false',
      'aria-controls': id,
      title: row.explanation,
      onclick: () => {
        details.hidden = !details.hidden;
        button.setAttribute('aria-expanded', String(!details.hidden));
        if (!details.hidden && !details.children.length) {
          details.append(h('td', { colspan: row.parts.length + 1 }, placeList(studio, row)));
        }
      },
    },
    row.title,
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
 */
function placeList(studio, row) {
  const telling = row.instances
    .filter(({ table_value }) => Math.abs(table_value) > 1e-9)
    .sort((a, b) => Math.abs(b.table_value) - Math.abs(a.table_value));
  return [
    h('p', { class: 'hint' }, row.explanation),
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
