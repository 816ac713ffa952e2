// Tables of numbers that scroll by themselves on narrow screens.

import { h } from './dom.js';

/** @typedef {import('./dom.js').Child} Child */

/**
 * @param {string} caption
 * @param {string[]} columns
 * @param {Child[][]} rows the first cell of each is its header
 * @param {'numbers' | 'sentences'} [content] sentences are wrapped
 */
export const table = (caption, columns, rows, content = 'numbers') =>
  h(
    'div',
    { class: 'scroll', role: 'region', 'aria-label': caption, tabindex: 0 },
    h(
      'table',
      { class: content === 'numbers' ? 'numbers' : 'numbers sentences' },
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
