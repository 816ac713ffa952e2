// The paper's experiment repeated: findings, Table 1, weights, calibration.

import { h } from './dom.js';
import { Z, duration, fixed, pValue, plusMinus, short, whole } from './format.js';
import { intervalBar } from './interval-bar.js';
import { equalStrength, figures } from './paper-figures.js';
import { calibration, discordance } from './quality-charts.js';
import { table } from './tables.js';
import { text } from './text.js';
import { weights } from './weights-chart.js';

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
 *   evidence: string, models: ModelQuality[],
 *   gaps: { models: [string, string], discordance: Measured }[] }} quality
 * @property {{ model: string, nodes_per_second: number, relative: number,
 *   relative_interval: [number, number] }[]} speed
 * @property {MatchRow[]} table
 * @property {number} balanced_openings
 * @property {EqualStrength[]} equal_strength
 * @property {{ claim: string, paper: string, ours: string,
 *   verdict: 'agrees' | 'differs' | 'open' }[]} findings
 */

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
const tableOne = ({ table: rows, run, balanced_openings: balanced }) => [
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
  h('p', { class: 'hint' }, text.reproduction.tableNote(duration(run.seconds_for_thirty_minutes), balanced, run.openings)),
];

/** @param {Tally} score */
const tally = ({ wins, draws, losses }) => `${wins}–${draws}–${losses}`;

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
      speed.map(({ model, nodes_per_second: nodes, relative, relative_interval: [low, high] }) => [
        model, short(nodes), fixed(relative, 2), `${fixed(low, 2)}–${fixed(high, 2)}`,
      ]),
    ),
];
