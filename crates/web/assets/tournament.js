// The table of a tournament, complete or under way.

import { h } from './dom.js';
import { duration, fixed, pValue, plusMinus, short, whole } from './format.js';
import { intervalBar } from './interval-bar.js';
import { table } from './tables.js';
import { text } from './text.js';

/**
 * @typedef {object} Tournament
 * @property {'tournament'} kind
 * @property {string} title
 * @property {string} plan
 * @property {number} games
 * @property {boolean} running
 * @property {{ name: string, limits: string, wins: number, draws: number, losses: number,
 *   points: number, rating: number | null, rating_error: number | null,
 *   seconds_per_move: number | null, nodes_per_second: number | null,
 *   mean_depth: number | null }[]} players
 * @property {{ first: string, second: string, pairs: number, wins: number, draws: number,
 *   losses: number, percentage: number, percentage_interval: [number, number],
 *   pentanomial: number[], elo: number | null, elo_error: number | null,
 *   p_conservative: number, p_paired: number, disc_margin: number | null }[]} matches
 * @property {Record<string, number>} endings
 */

/** @param {Tournament} tournament */
export function tournamentView(tournament) {
  const { tournament: words } = text;
  const players = [...tournament.players].sort((a, b) => (b.rating ?? 0) - (a.rating ?? 0));
  return [
    h(
      'header',
      { class: 'run-head' },
      h('h1', {}, tournament.title),
      h(
        'p',
        { class: 'facts' },
        words.games(whole(tournament.games)),
        tournament.running && h('span', { class: 'badge live' }, text.experiments.running),
      ),
    ),
    h(
      'section',
      { class: 'card' },
      h('h2', {}, words.players),
      table(
        words.players,
        words.playerColumns,
        players.map((player) => [
          player.name,
          player.limits,
          player.points,
          `${player.wins}–${player.draws}–${player.losses}`,
          plusMinus(player.rating, player.rating_error, 0),
          player.seconds_per_move === null ? '–' : duration(player.seconds_per_move),
          fixed(player.mean_depth, 1),
          player.nodes_per_second === null ? '–' : short(player.nodes_per_second),
        ]),
      ),
    ),
    h(
      'section',
      { class: 'card' },
      h('h2', {}, words.matches),
      table(
        words.matches,
        words.matchColumns,
        tournament.matches.map((match) => [
          words.versus(match.first, match.second),
          `${match.wins}–${match.draws}–${match.losses}`,
          intervalBar(match.percentage, match.percentage_interval),
          plusMinus(match.elo, match.elo_error, 0),
          pValue(match.p_paired),
          pValue(match.p_conservative),
          match.pentanomial.join(' · '),
          match.disc_margin === null ? '–' : fixed(match.disc_margin, 1),
        ]),
      ),
      h('p', { class: 'hint' }, words.note),
    ),
    Object.keys(tournament.endings).length > 0 &&
      h(
        'p',
        { class: 'hint' },
        words.endings,
        ' ',
        Object.entries(tournament.endings)
          .map(([ending, count]) => `${/** @type {Record<string, string>} */ (words.endingNames)[ending] ?? ending} ${whole(count)}`)
          .join(', '),
      ),
  ];
}
