// Tables of numbers that scroll by themselves on narrow screens.

import { h } from './dom.js';

/** @typedef {import('./dom.js').Child} Child */

/**
 * @param {string} caption
 * @param {string[]} columns
 * @param {Child[][]} rows the first cell of each is its header
 */
export const table = (caption, columns, rows) =>
  h(
    'div',
    { class: 'scroll', role: 'region', 'aria-label': caption, tabindex: 0 },
    h(
      'table',
      { class: 'numbers' },
      h('caption', { class: 'unseen' }, caption),
      h('thead', {}, h('tr', {}, columns.map((name) => h('th', { scope: 'col' }, name)))),
      h(
        'tbody',
        {},
        rows.map(([head, ...cells]) =>
          h('tr', {}, h('th', { scope: 'row' }, head), cells.map((cell) => h('td', {}, cell))),
        ),
      ),
    ),
  );
