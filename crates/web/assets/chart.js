// Small charts in SVG: axes, lines with bands, points with intervals.

import { h, svg } from './dom.js';

/**
 * @typedef {object} Axis
 * @property {number} min
 * @property {number} max
 * @property {string} label
 * @property {number[]} ticks
 * @property {(value: number) => string} [format]
 */

/**
 * @typedef {object} Series
 * @property {string} name
 * @property {string} kind a class: it decides colour and dashes
 * @property {[x: number, y: number][]} [line]
 * @property {[x: number, low: number, high: number][]} [band]
 * @property {{ x: number, y: number, low?: number, high?: number }[]} [points]
 */

/**
 * @param {{ title: string, x: Axis, y: Axis, series: Series[], rules?: [number, number, number, number][],
 *   width?: number, height?: number, small?: boolean }} settings
 *   `rules` are straight lines x1, y1, x2, y2 for comparison
 */
export function chart({ title, x, y, series, rules = [], width = 420, height = 280, small = false }) {
  const edge = small
    ? { left: 34, right: 8, top: 8, bottom: 20 }
    : { left: 54, right: 10, top: 10, bottom: 38 };
  /** @param {number} value */
  const across = (value) =>
    edge.left + ((value - x.min) / (x.max - x.min)) * (width - edge.left - edge.right);
  /** @param {number} value */
  const up = (value) => {
    const bounded = Math.min(y.max, Math.max(y.min, value));
    return height - edge.bottom - ((bounded - y.min) / (y.max - y.min)) * (height - edge.top - edge.bottom);
  };
  /** @param {[number, number][]} points */
  const path = (points) => points.map(([a, b]) => `${across(a).toFixed(1)},${up(b).toFixed(1)}`).join(' ');
  const name = x.format ?? String;
  const nameUp = y.format ?? String;

  return svg(
    'svg',
    { class: small ? 'chart small' : 'chart', viewBox: `0 0 ${width} ${height}`, role: 'img', 'aria-label': title },
    y.ticks.map((tick) => [
      svg('line', { class: 'rule', x1: edge.left, x2: width - edge.right, y1: up(tick), y2: up(tick) }),
      svg('text', { class: 'tick end', x: edge.left - 5, y: up(tick) + 3.5 }, nameUp(tick)),
    ]),
    x.ticks.map((tick) =>
      svg('text', { class: 'tick middle', x: across(tick), y: height - edge.bottom + 14 }, name(tick)),
    ),
    rules.map(([x1, y1, x2, y2]) =>
      svg('line', { class: 'reference', x1: across(x1), y1: up(y1), x2: across(x2), y2: up(y2) }),
    ),
    series.map(({ kind, line, band, points }) =>
      svg(
        'g',
        { class: `series ${kind}` },
        band && band.length > 1 &&
          svg('polygon', {
            class: 'band',
            points: `${path(band.map(([a, low]) => [a, low]))} ${path(
              band.map(([a, , high]) => /** @type {[number, number]} */ ([a, high])).reverse(),
            )}`,
          }),
        line && line.length > 1 && svg('polyline', { class: 'line', points: path(line) }),
        points?.map(({ x: a, y: b, low, high }) => [
          low !== undefined && high !== undefined &&
            svg('line', { class: 'whisker', x1: across(a), x2: across(a), y1: up(low), y2: up(high) }),
          point(kind, across(a), up(b)),
        ]),
      ),
    ),
    !small && [
      svg('text', { class: 'axis middle', x: (width + edge.left) / 2, y: height - 5 }, x.label),
      svg('text', {
        class: 'axis middle', transform: `translate(12 ${(height - edge.bottom) / 2}) rotate(-90)`,
      }, y.label),
    ],
  );
}

/**
 * Every model has a shape of its own.
 * @param {string} kind
 * @param {number} x
 * @param {number} y
 */
function point(kind, x, y) {
  if (kind === 'fisher') return svg('rect', { class: 'point', x: x - 3.2, y: y - 3.2, width: 6.4, height: 6.4 });
  if (kind === 'quad') {
    return svg('path', { class: 'point', d: 'M0,-4.4 L4.2,3.4 L-4.2,3.4Z', transform: `translate(${x} ${y})` });
  }
  return svg('circle', { class: 'point', cx: x, cy: y, r: 3.4 });
}

/**
 * @param {{ name: string, kind: string, dots?: boolean }[]} entries
 */
export const legend = (entries) =>
  h(
    'ul',
    { class: 'legend' },
    entries.map(({ name, kind, dots }) =>
      h(
        'li',
        {},
        svg(
          'svg',
          { viewBox: '0 0 24 12', class: `key series ${kind}`, 'aria-hidden': 'true' },
          svg('line', { class: 'line', x1: 1, x2: 23, y1: 6, y2: 6 }),
          dots && point(kind, 12, 6),
        ),
        name,
      ),
    ),
  );

/**
 * A chart with its caption.
 * @param {string} caption
 * @param {...import('./dom.js').Child} content
 */
export const figure = (caption, ...content) =>
  h('figure', { class: 'figure' }, ...content, h('figcaption', {}, caption));

/**
 * Round numbers from `low` to `high`.
 * @param {number} low
 * @param {number} high
 * @param {number} [wanted] about so many
 */
export function roundTicks(low, high, wanted = 4) {
  const raw = (high - low || 1) / wanted;
  const power = 10 ** Math.floor(Math.log10(raw));
  const step = ([1, 2, 5, 10].find((factor) => factor * power >= raw) ?? 10) * power;
  const ticks = [];
  for (let tick = Math.ceil(low / step) * step; tick <= high + step / 1e6; tick += step) {
    ticks.push(Number(tick.toPrecision(8)));
  }
  return ticks;
}

/**
 * Least and largest with a little room.
 * @param {number[]} values
 */
export function span(values) {
  const [low, high] = [Math.min(...values), Math.max(...values)];
  const room = 0.06 * (high - low) || 0.5;
  return [low - room, high + room];
}
