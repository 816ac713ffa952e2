// A percentage with its interval as a small drawing: half is in the middle.

import { h, svg } from './dom.js';
import { fixed } from './format.js';

/**
 * @param {number} percentage
 * @param {[number, number]} interval
 */
export function intervalBar(percentage, interval) {
  /** Per cent from 25 to 75 fill the drawing. @param {number} value */
  const x = (value) => Math.min(100, Math.max(0, 2 * (value - 25)));
  return h(
    'span',
    { class: 'interval' },
    h('span', { class: 'value' }, `${fixed(percentage, 1)} %`),
    svg(
      'svg',
      { viewBox: '0 0 100 14', 'aria-hidden': 'true', class: 'interval-bar' },
      svg('line', { class: 'half', x1: 50, x2: 50, y1: 0, y2: 14 }),
      svg('line', { class: 'whisker', x1: x(interval[0]), x2: x(interval[1]), y1: 7, y2: 7 }),
      svg('circle', { class: 'point', cx: x(percentage), cy: 7, r: 3.5 }),
    ),
    h('span', { class: 'range' }, `${fixed(interval[0], 1)}–${fixed(interval[1], 1)}`),
  );
}
