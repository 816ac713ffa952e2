// Fitted weights by phase, a small chart for each feature.

import { chart, figure, legend, roundTicks, span } from './chart.js';
import { h } from './dom.js';
import { Z, fixed } from './format.js';
import { text } from './text.js';

/** @typedef {import('./reproduction.js').Reproduction} Reproduction */

/** @param {Reproduction} found */
export function weights({ fits }) {
  const names = fits[0].log.map(({ feature }) => feature);
  const discs = fits.map((fit) => fit.discs);
  return [
    h('p', { class: 'hint' }, text.reproduction.weightsNote),
    legend([{ name: 'LOG', kind: 'log' }, { name: 'FISHER', kind: 'fisher' }]),
    h(
      'div',
      { class: 'multiples' },
      names.map((name, index) => {
        const log = fits.map((fit) => fit.log[index]);
        const fisher = fits.map((fit) => fit.fisher[index]);
        const values = [...log, ...fisher].filter(Boolean).map(({ value }) => value);
        // Room for the intervals, but a huge one must not flatten the curve.
        const spread = Math.max(...values) - Math.min(...values) || 1;
        const ends = log.flatMap(({ value, standard_error: error }) => {
          const half = Math.min(Z * (error ?? 0), spread);
          return [value - half, value + half];
        });
        const [low, high] = span([0, ...values, ...ends]);
        const label = text.features[name]?.title ?? text.reproduction.intercept;
        return figure(
          label,
          chart({
            title: text.reproduction.weightsOf(label, fixed(log[0].value, 2), fixed(log.at(-1)?.value, 2)),
            small: true,
            width: 180,
            height: 118,
            x: { min: Math.min(...discs), max: Math.max(...discs), label: '', ticks: [20, 40, 60] },
            y: { min: low, max: high, label: '', ticks: roundTicks(low, high, 3) },
            rules: [[Math.min(...discs), 0, Math.max(...discs), 0]],
            series: [
              {
                name: 'LOG',
                kind: 'log',
                band: log.map(({ value, standard_error: error }, i) => [
                  discs[i], value - Z * (error ?? 0), value + Z * (error ?? 0),
                ]),
                line: log.map(({ value }, i) => [discs[i], value]),
              },
              { name: 'FISHER', kind: 'fisher', line: fisher.map(({ value }, i) => [discs[i], value]) },
            ],
          }),
        );
      }),
    ),
  ];
}
