// How the models do on held-out games: discordance and calibration.

import { chart, figure, legend, roundTicks } from './chart.js';
import { h } from './dom.js';
import { Z, fixed, percent, plusMinus, whole } from './format.js';
import { table } from './tables.js';
import { text } from './text.js';

/** @typedef {import('./reproduction.js').Reproduction} Reproduction */

/** @param {Reproduction} found */
export function discordance({ quality }) {
  const { reproduction: words } = text;
  const { models } = quality;
  const middles = models[0].phases.map(({ discs }) => (discs[0] + discs[1]) / 2);
  const highest = Math.max(...models.flatMap(({ phases }) => phases.map((p) => p.discordance.value + Z * p.discordance.standard_error)));
  // Half is guessing: what lies above comes from a handful of positions.
  const top = Math.min(0.6, Math.ceil(20 * highest) / 20);
  return [
    h('p', { class: 'hint' }, words.discordanceNote(whole(quality.test_positions), whole(quality.training_positions))),
    legend(models.map(({ model }) => ({ name: model, kind: model.toLowerCase(), dots: true }))),
    chart({
      title: words.discordance,
      width: 640,
      height: 300,
      x: { min: Math.min(...middles) - 2, max: Math.max(...middles) + 2, label: words.discs, ticks: roundTicks(Math.min(...middles), Math.max(...middles), 6) },
      y: { min: 0, max: top, label: words.discordanceAxis, ticks: roundTicks(0, top, 5), format: (value) => fixed(value, 2) },
      series: models.map(({ model, phases }, shift) => ({
        name: model,
        kind: model.toLowerCase(),
        line: phases.map((phase, i) => [middles[i] + 0.3 * (shift - 1), phase.discordance.value]),
        points: phases.map(({ discordance: { value, standard_error: error } }, i) => ({
          x: middles[i] + 0.3 * (shift - 1), y: value, low: value - Z * error, high: value + Z * error,
        })),
      })),
    }),
    table(
      words.discordance,
      [words.discs, words.positions, ...models.map(({ model }) => model)],
      models[0].phases.map((phase, i) => [
        `${phase.discs[0]}–${phase.discs[1]}`,
        whole(phase.positions),
        ...models.map(({ phases }) => plusMinus(phases[i].discordance.value, phases[i].discordance.standard_error, 4)),
      ]),
    ),
    quality.gaps.length > 0 &&
      table(
        words.gaps,
        words.gapColumns,
        quality.gaps.map(({ models: [better, worse], discordance: gap }) => [
          `${worse} – ${better}`,
          plusMinus(gap.value, Z * gap.standard_error, 4),
        ]),
      ),
    h(
      'details',
      {},
      h('summary', {}, words.otherMeasures),
      table(
        words.otherMeasures,
        [words.discs, ...models.flatMap(({ model }) => words.measures.map((measure) => `${model} ${measure}`))],
        models[0].phases.map((phase, i) => [
          `${phase.discs[0]}–${phase.discs[1]}`,
          ...models.flatMap(({ phases }) => [
            fixed(phases[i].log_loss.value, 4), fixed(phases[i].brier.value, 4), percent(phases[i].accuracy.value),
          ]),
        ]),
      ),
    ),
  ];
}

/** @param {Reproduction} found */
export function calibration({ quality }) {
  const { reproduction: words } = text;
  const ticks = [0, 0.25, 0.5, 0.75, 1];
  return [
    h('p', { class: 'hint' }, words.calibrationNote),
    h(
      'div',
      { class: 'multiples wide' },
      quality.models.map(({ model, calibration: bins }) =>
        figure(
          model,
          chart({
            title: words.calibrationOf(model),
            width: 300,
            height: 280,
            x: { min: 0, max: 1, label: words.predicted, ticks, format: (value) => String(100 * value) },
            y: { min: 0, max: 1, label: words.observed, ticks, format: (value) => String(100 * value) },
            rules: [[0, 0, 1, 1]],
            series: [{
              name: model,
              kind: model.toLowerCase(),
              points: bins.map(({ predicted, observed, interval: [low, high] }) => ({
                x: predicted, y: observed, low, high,
              })),
            }],
          }),
        ),
      ),
    ),
  ];
}
