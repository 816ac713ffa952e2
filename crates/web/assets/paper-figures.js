// The paper's figures of one feature, and the time factors.

import { chart, figure, legend, roundTicks, span } from './chart.js';
import { h } from './dom.js';
import { fixed } from './format.js';
import { table } from './tables.js';
import { text } from './text.js';

/** @typedef {import('./reproduction.js').Reproduction} Reproduction */

/** @param {Reproduction} found */
export function equalStrength({ equal_strength: list }) {
  const { reproduction: words } = text;
  return [
    h('p', { class: 'hint' }, words.equalNote),
    table(
      words.equal,
      words.equalColumns,
      list.map(({ stronger, weaker, paper, factor, interval: [low, high] }) => [
        `${weaker} – ${stronger}`,
        fixed(paper, 2),
        fixed(factor, 2),
        low === null && high === null
          ? '–' : `${low === null ? '…' : fixed(low, 2)} – ${high === null ? '…' : fixed(high, 2)}`,
      ]),
    ),
    h(
      'div',
      { class: 'multiples wide' },
      list.filter(({ points }) => points.length > 0).map(({ stronger, weaker, points, curve }) => {
        const factors = [...points.map(({ factor }) => factor), ...curve.map(([factor]) => factor)];
        const [low, high] = span(factors);
        const shares = points.flatMap(({ percentage, interval }) => [percentage, ...interval]);
        const bottom = 10 * Math.floor(Math.min(40, ...shares) / 10);
        const top = 10 * Math.ceil(Math.max(60, ...shares) / 10);
        return figure(
          `${weaker} – ${stronger}`,
          chart({
            title: words.equalOf(weaker, stronger),
            width: 300,
            height: 240,
            x: { min: low, max: high, label: words.factor, ticks: roundTicks(low, high, 4) },
            y: { min: bottom, max: top, label: words.percentageOf(stronger), ticks: roundTicks(bottom, top, 5) },
            rules: [[low, 50, high, 50]],
            series: [{
              name: weaker,
              kind: weaker.toLowerCase(),
              line: curve,
              points: points.map(({ factor, percentage, interval }) => ({
                x: factor, y: percentage, low: interval[0], high: interval[1],
              })),
            }],
          }),
        );
      }),
    ),
  ];
}

/** @param {Reproduction} found */
export function figures({ densities, winning_curve: curve }) {
  const { reproduction: words } = text;
  if (!densities.bins.length && !curve.bins.length) return null;
  const [left, right] = span([...densities.bins.map(({ x }) => x), 0]);
  const tallest = Math.max(0.001, ...densities.bins.flatMap(({ won, lost }) => [won, lost]));
  const [from, to] = span([...curve.curve.map(([x]) => x), ...curve.bins.map(({ x }) => x)]);
  const share = { min: 0, max: 1, ticks: [0, 0.25, 0.5, 0.75, 1], format: (/** @type {number} */ v) => String(100 * v) };
  return h(
    'div',
    { class: 'multiples wide' },
    densities.bins.length > 1 &&
      figure(
        words.densitiesOf(name(densities.feature), densities.discs),
        chart({
          title: words.densitiesOf(name(densities.feature), densities.discs),
          x: { min: left, max: right, label: name(densities.feature), ticks: roundTicks(left, right) },
          y: { min: 0, max: tallest, label: words.density, ticks: roundTicks(0, tallest) },
          series: [
            { name: words.won, kind: 'log', line: densities.bins.map(({ x, won }) => [x, won]) },
            { name: words.lost, kind: 'quad', line: densities.bins.map(({ x, lost }) => [x, lost]) },
          ],
        }),
        legend([{ name: words.won, kind: 'log' }, { name: words.lost, kind: 'quad' }]),
      ),
    curve.bins.length > 1 &&
      figure(
        words.curveOf(name(curve.feature), curve.discs),
        chart({
          title: words.curveOf(name(curve.feature), curve.discs),
          x: { min: from, max: to, label: name(curve.feature), ticks: roundTicks(from, to) },
          y: { ...share, label: words.wonShare },
          series: [{
            name: words.wonShare,
            kind: 'log',
            line: curve.curve,
            points: curve.bins.map(({ x, observed, interval: [low, high] }) => ({ x, y: observed, low, high })),
          }],
        }),
      ),
  );
}

/** @param {string} feature */
const name = (feature) => text.features[feature]?.title ?? feature;
