// The paper's experiment repeated: findings, Table 1, weights, calibration.

import { chart, figure, legend, roundTicks } from './chart.js';
import { h } from './dom.js';
import { duration, fixed, pValue, percent, short, whole } from './format.js';
import { intervalBar } from './interval-bar.js';
import { table } from './tables.js';
import { text } from './text.js';
import { plusMinus } from './tournament.js';

/** @typedef {{ wins: number, draws: number, losses: number, percentage: number }} Tally */
/** @typedef {{ value: number, standard_error: number }} Measured */
/**
 * @typedef {{ predicted: number, observed: number, interval: [number, number],
 *   positions: number }} CalibrationBin
 */
/** @typedef {{ feature: string, value: number, standard_error: number | null }} Estimate */
/**
 * @typedef {object} PhaseQuality
 * @property {[number, number]} discs
 * @property {number} positions
 * @property {Measured} discordance
 * @property {Measured} log_loss
 * @property {Measured} brier
 * @property {Measured} accuracy
 */
/**
 * @typedef {{ model: string, calibration: CalibrationBin[], phases: PhaseQuality[] }} ModelQuality
 */
/**
 * @typedef {object} MatchRow
 * @property {[string, string]} players
 * @property {[number, number]} minutes
 * @property {[number, number]} seconds
 * @property {Tally} paper
 * @property {Tally} ours
 * @property {[number, number]} interval
 * @property {number} p_paired
 * @property {number} elo
 * @property {number} elo_error
 */
/**
 * @typedef {object} EqualStrength
 * @property {string} stronger
 * @property {string} weaker
 * @property {number} paper
 * @property {number | null} factor
 * @property {[number | null, number | null]} interval
 * @property {{ factor: number, percentage: number, interval: [number, number] }[]} points
 * @property {[number, number][]} curve
 */

/**
 * The struct of the report crate; only what is shown here.
 * @typedef {object} Reproduction
 * @property {{ command: string, program: string, preset: string, openings: number, started: string,
 *   finished: string, seconds: number, machine: string,
 *   seconds_for_thirty_minutes: number }} run
 * @property {{ games: number, tree_nodes: number, transpositions: number, positions: number,
 *   draws: number, changed_by_solving: number, changed_by_correction: number,
 *   changed_by_propagation: number }} database
 * @property {{ feature: string, discs: [number, number],
 *   bins: { x: number, won: number, lost: number, probability: number | null }[] }} densities
 * @property {{ feature: string, discs: [number, number],
 *   bins: { x: number, observed: number, interval: [number, number] }[],
 *   curve: [number, number][] }} winning_curve
 * @property {{ discs: number, positions: number, log: Estimate[], fisher: Estimate[],
 *   covariances: { relative_difference: number, verdict: string } | null }[]} fits
 * @property {{ training_positions: number, test_positions: number, duplicates: number,
 *   evidence: string, models: ModelQuality[] }} quality
 * @property {{ model: string, nodes_per_second: number, relative: number }[]} speed
 * @property {MatchRow[]} table
 * @property {EqualStrength[]} equal_strength
 * @property {{ claim: string, paper: string, ours: string,
 *   verdict: 'agrees' | 'differs' | 'open' }[]} findings
 */

/** Half of a 95 % interval in standard errors. */
const Z = 1.96;

/**
 * @param {string} title
 * @param {Reproduction} found
 */
export function reproductionView(title, found) {
  const { run } = found;
  const { reproduction: words } = text;
  return [
    h(
      'header',
      { class: 'run-head' },
      h('h1', {}, title),
      h(
        'p',
        { class: 'facts' },
        [
          run.program, words.preset(run.preset), words.openings(run.openings), duration(run.seconds),
          run.machine, run.finished.slice(0, 10),
        ].filter(Boolean).join(' · '),
      ),
    ),
    section(words.findings, found.findings.length > 0 && findings(found)),
    section(words.table, found.table.length > 0 && tableOne(found)),
    section(words.weights, found.fits.length > 0 && weights(found)),
    section(words.discordance, found.quality.models.length > 0 && discordance(found)),
    section(words.calibration, found.quality.models.length > 0 && calibration(found)),
    section(words.equal, found.equal_strength.length > 0 && equalStrength(found)),
    section(words.figures, figures(found)),
    section(words.database, database(found)),
  ];
}

/**
 * @param {string} title
 * @param {import('./dom.js').Child} content
 */
const section = (title, content) =>
  content && h('section', { class: 'card' }, h('h2', {}, title), content);

/** @param {Reproduction} found */
const findings = ({ findings: list }) =>
  table(
    text.reproduction.findings,
    text.reproduction.findingColumns,
    list.map(({ claim, paper, ours, verdict }) => [
      claim,
      paper,
      ours,
      h('span', { class: `verdict-mark ${verdict}` }, text.reproduction.verdicts[verdict]),
    ]),
    'sentences',
  );

/** @param {Reproduction} found */
const tableOne = ({ table: rows, run }) => [
  table(
    text.reproduction.table,
    text.reproduction.tableColumns,
    rows.map((row) => [
      `${row.players[0]} – ${row.players[1]}`,
      `${row.minutes[0]} – ${row.minutes[1]}`,
      tally(row.paper),
      `${fixed(row.paper.percentage, 1)} %`,
      tally(row.ours),
      intervalBar(row.ours.percentage, row.interval),
      plusMinus(row.elo, Z * row.elo_error, 0),
      pValue(row.p_paired),
    ]),
  ),
  h('p', { class: 'hint' }, text.reproduction.tableNote(fixed(run.seconds_for_thirty_minutes, 1))),
];

/** @param {Tally} score */
const tally = ({ wins, draws, losses }) => `${wins}–${draws}–${losses}`;

/** @param {Reproduction} found */
function weights({ fits }) {
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

/** @param {Reproduction} found */
function discordance({ quality }) {
  const { reproduction: words } = text;
  const { models } = quality;
  const middles = models[0].phases.map(({ discs }) => (discs[0] + discs[1]) / 2);
  const highest = Math.max(...models.flatMap(({ phases }) => phases.map((p) => p.discordance.value + Z * p.discordance.standard_error)));
  const top = Math.ceil(20 * highest) / 20;
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
function calibration({ quality }) {
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

/** @param {Reproduction} found */
function equalStrength({ equal_strength: list }) {
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
        `${low === null ? '…' : fixed(low, 2)} – ${high === null ? '…' : fixed(high, 2)}`,
      ]),
    ),
    h(
      'div',
      { class: 'multiples wide' },
      list.filter(({ points }) => points.length > 0).map(({ stronger, weaker, points, curve }) => {
        const factors = [...points.map(({ factor }) => factor), ...curve.map(([factor]) => factor)];
        const [low, high] = span(factors);
        return figure(
          `${weaker} – ${stronger}`,
          chart({
            title: words.equalOf(weaker, stronger),
            width: 300,
            height: 240,
            x: { min: low, max: high, label: words.factor, ticks: roundTicks(low, high, 4) },
            y: { min: 30, max: 80, label: words.percentageOf(stronger), ticks: [30, 40, 50, 60, 70, 80] },
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
function figures({ densities, winning_curve: curve }) {
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

/** @param {Reproduction} found */
const database = ({ database: facts, speed }) => [
  h(
    'dl',
    { class: 'fact-list' },
    Object.entries(text.reproduction.databaseFacts).map(([key, label]) =>
      h('div', {}, h('dt', {}, label), h('dd', {}, whole(facts[/** @type {keyof typeof facts} */ (key)]))),
    ),
  ),
  speed.length > 0 &&
    table(
      text.reproduction.speed,
      text.reproduction.speedColumns,
      speed.map(({ model, nodes_per_second: nodes, relative }) => [model, short(nodes), fixed(relative, 2)]),
    ),
];

/**
 * Least and largest with a little room.
 * @param {number[]} values
 */
function span(values) {
  const [low, high] = [Math.min(...values), Math.max(...values)];
  const room = 0.06 * (high - low) || 0.5;
  return [low - room, high + room];
}
