// How a player of the library did: results, openings, opponents, the endings,
// and what the moves cost in the games that were reviewed here.

import * as api from './api.js';
import { h, replace } from './dom.js';
import { readEvents } from './event-stream.js';
import { fixed, points, signed, tally, whole } from './format.js';
import { lossesOf, rememberLosses } from './library-losses.js';
import { problem, toast } from './notice.js';
import { chosenModel } from './settings.js';
import { table } from './tables.js';
import { text } from './text.js';

/** @typedef {import('./studio.js').Studio} Studio */
/** @typedef {import('./api.js').LibraryGame} LibraryGame */

/** Games reviewed in one go, the newest that were not yet. */
const BATCH = 10;
/** Newest games of a player whose reviews are looked for. */
const LOOKED_AT = 200;
/** Seconds a move: enough to see what was lost, about six seconds a game. */
const SECONDS = '0.1';
const PHASES = /** @type {const} */ (['opening', 'midgame', 'endgame', 'total']);

/**
 * @param {Studio} studio
 * @param {api.PlayerReport} report
 * @param {{ back: () => void, opening: (name: string) => void, opponent: (name: string) => void }} ways
 */
export function playerReport(studio, report, ways) {
  const { library: words } = text;
  const years = report.years.length
    ? words.years(String(report.years[0].year), String(report.years.at(-1)?.year)) : '';
  /** @param {api.ReportLine} line @param {string} name @param {(name: string) => void} chosen */
  const line = (line, name, chosen) => [
    name
      ? h('button', { type: 'button', class: 'quiet', onclick: () => chosen(name) }, name)
      : words.unnamed,
    whole(line.games), tally(line), points(line),
  ];
  /** @param {string} title @param {api.Tally} results */
  const side = (title, results) => [title, whole(results.games), tally(results), points(results)];
  const { theory } = report;
  return [
    h('div', { class: 'row' }, h('button', { type: 'button', onclick: ways.back }, words.back)),
    h('h2', { class: 'opening' }, report.name),
    h('p', { class: 'hint' }, [
      words.games(whole(report.all.games)), years,
      report.mean_score === null ? '' : words.mean(signed(report.mean_score, 1)),
    ].filter(Boolean).join(' · ')),
    table(words.sideTitle, words.lineColumns(words.sideTitle), [
      side(text.sides.black, report.black), side(text.sides.white, report.white), side(words.both, report.all),
    ]),
    losses(studio, report.name),
    theory && [
      h('h3', {}, words.endings),
      h('p', {}, words.theory({
        games: whole(theory.games), empties: theory.empties, better: theory.better, worse: theory.worse,
        gained: signed(theory.mean_result - theory.mean_score, 1),
      })),
    ],
    h('h3', {}, words.openings),
    table(words.openings, words.lineColumns(words.opening), report.openings.map((each) => line(each, text.opening(each.name), ways.opening))),
    h('h3', {}, words.opponents),
    table(words.opponents, words.lineColumns(words.opponent), report.opponents.map((each) => line(each, each.name, ways.opponent))),
    report.years.length > 1 && [
      h('h3', {}, words.byYear),
      table(words.byYear, words.lineColumns(words.year), report.years.map((year) =>
        [String(year.year), whole(year.games), tally(year), points(year)])),
    ],
  ];
}

/**
 * What the player's moves cost by phase, in the games that were reviewed.
 * @param {Studio} studio
 * @param {string} name
 */
function losses(studio, name) {
  const { library: words } = text;
  const root = h('div', { class: 'losses' });
  /** @type {LibraryGame[]} */
  let games = [];
  /** @type {AbortController | null} */
  let running = null;

  const show = (/** @type {string} */ state = '') => {
    const known = games.flatMap((game) => lossesOf(game, name) ?? []);
    const rows = PHASES.map((phase) => {
      const [moves, loss, discs] = [0, 1, 2].map((index) => known.reduce((sum, parts) => sum + parts[phase][index], 0));
      return [
        phase === 'total' ? words.both : text.phases[phase], whole(moves),
        moves ? `${fixed((100 * loss) / moves, 1)} %` : '–', known.length ? fixed(discs / known.length, 1) : '–',
      ];
    });
    const left = games.filter((game) => !lossesOf(game, name)).length;
    replace(
      root,
      h('h3', {}, words.losses),
      h('p', { class: 'hint', role: 'status' }, state || words.reviewed(known.length)),
      known.length > 0 && table(words.losses, words.lossColumns, rows),
      running
        ? h('button', { type: 'button', onclick: stop }, text.review.stop)
        : left > 0 && h('button', { type: 'button', onclick: review }, words.review(Math.min(BATCH, left))),
    );
  };

  const stop = () => {
    running?.abort();
    running = null;
    show();
  };

  const review = async () => {
    if (studio.playing) {
      toast(text.analysis.playing);
      return;
    }
    studio.emit('search', 'library');
    const search = new AbortController();
    running = search;
    const wanted = games.filter((game) => !lossesOf(game, name)).slice(0, BATCH);
    try {
      for (const [index, game] of wanted.entries()) {
        if (search.signal.aborted) return;
        await judge(studio, game, search.signal, (done, total) =>
          show(words.reviewing(index + 1, wanted.length, text.review.judged(done, total))));
      }
      running = null;
      show();
    } catch (error) {
      running = null;
      show();
      root.append(problem(api.sentence(error), review));
      studio.lost(error);
    }
  };

  studio.on('search', (searcher) => {
    if (searcher !== 'library' && running) stop();
  });
  addEventListener('pagehide', () => running?.abort());
  api.library({ player: name, rows: String(LOOKED_AT) }).then((found) => {
    games = found.rows.filter(({ black, white }) => black === name || white === name);
    show();
  }, (error) => replace(root, problem(api.sentence(error))));
  return root;
}

/**
 * Reviews a game of the library and keeps what both sides lost.
 * @param {Studio} studio
 * @param {LibraryGame} game
 * @param {AbortSignal} signal
 * @param {(done: number, total: number) => void} progress
 */
async function judge(studio, game, signal, progress) {
  const wish = {
    start: game.start, moves: game.moves, model: chosenModel(studio.info, 'model'), seconds: SECONDS, counts: 'both',
  };
  await readEvents(api.reviewStream(wish), signal, (name, data) => {
    if (name === 'move') progress(data.progress.done, data.progress.total);
    if (name === 'done' && data.reason === 'complete') rememberLosses(game, data.summary);
    else if (name === 'done') throw new Error(text.review.interrupted);
  });
}
