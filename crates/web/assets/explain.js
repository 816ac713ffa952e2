// Why the evaluation is what it is: the features side by side in all models,
// for a position or for two moves.

import * as api from './api.js';
import { account, difference, strongest } from './contributions.js';
import { h, replace } from './dom.js';
import { featureTable } from './feature-table.js';
import { choice, select } from './fields.js';
import { percent, signed } from './format.js';
import { loading, problem } from './notice.js';
import { LEAFING, pause } from './pause.js';
import { searchedOdds } from './odds.js';
import { isOver, legalMoves, play, printPosition, squareName, squareNumber } from './rules.js';
import { chosenModel } from './settings.js';
import { text } from './text.js';

/** @typedef {import('./studio.js').Studio} Studio */
/** @typedef {import('./contributions.js').Account} Account */
/** @typedef {import('./contributions.js').FeatureRow} FeatureRow */
/** @typedef {import('./rules.js').Position} Position */
/** @typedef {import('./api.js').Line} Line */
/** @typedef {Pick<Line, 'move' | 'probability' | 'discs' | 'depth'>} Odds */

/**
 * @param {Studio} studio
 * @param {() => Line[]} analysed what the analysis says of the position
 */
export function explain(studio, analysed) {
  let visible = false;
  /** @type {'position' | 'moves'} */
  let subject = 'moves';
  /** @type {[number, number]} */
  let pair = [-1, -1];
  /** @type {AbortController | null} */
  let asking = null;

  const chooser = h('div', { class: 'chooser' });
  const content = h('div', { class: 'explanation' });
  const root = h('div', { class: 'panel-body' }, chooser, content);

  const showChooser = () => {
    const moves = legalMoves(studio.tree.current.position);
    const shown = moves.length < 2 ? 'position' : subject;
    /** @type {[string, string][]} */
    const options = moves.map((move) => [String(move), squareName(move)]);
    /** @param {0 | 1} which @param {string} title */
    const moveField = (which, title) =>
      select(title, String(pair[which]), options, (move) => {
        pair[which] = Number(move);
        ask();
      });
    replace(
      chooser,
      choice('subject', text.explain.subject, shown, [
        ['moves', text.explain.moves],
        ['position', text.explain.position],
      ], (value) => {
        subject = value === 'moves' ? 'moves' : 'position';
        show();
        /** @type {HTMLInputElement | null} */ (chooser.querySelector(`[value=${value}]`))?.focus();
      }),
      shown === 'moves' && pair[0] >= 0 &&
        h('div', { class: 'fields' }, moveField(0, text.explain.first), moveField(1, text.explain.second)),
    );
  };

  /** @param {boolean} [fresh] has the position changed? */
  const ask = async (fresh = false) => {
    asking?.abort();
    studio.overlay({ tints: new Map() });
    const { current } = studio.tree;
    const { position } = current;
    if (studio.playing || isOver(position)) {
      replace(chooser);
      replace(content, h('p', { class: 'empty' }, studio.playing ? text.analysis.playing : text.explain.over));
      return;
    }
    const request = new AbortController();
    asking = request;
    // A flash of "loading" on every move would be worse than nothing.
    const patience = setTimeout(() => replace(content, loading(text.explain.loading)), 300);
    try {
      await pause(LEAFING);
      if (request.signal.aborted) return;
      const odds = await oddsHere(studio, analysed(), request.signal);
      if (request.signal.aborted) return;
      const moves = legalMoves(position);
      if (fresh || !pair.every((move) => moves.includes(move))) {
        pair = interestingPair(studio, odds, moves);
        showChooser();
      }
      const side = text.sides[position.mover === 'X' ? 'black' : 'white'];
      const view =
        subject === 'position' || moves.length < 2
          ? positionView(studio, account(await api.explain(printPosition(position), request.signal)), side, odds)
          : await compareMoves(studio, position, pair, side, odds, request.signal);
      if (!request.signal.aborted) replace(content, view);
    } catch (error) {
      if (request.signal.aborted) return;
      replace(content, problem(api.sentence(error), ask));
      studio.lost(error);
    } finally {
      clearTimeout(patience);
    }
  };

  const show = () => {
    if (!visible || studio.draft) return;
    showChooser();
    ask(true);
  };
  studio.tree.on('moved', show);
  studio.on('playing', show);

  return {
    root,
    /** @param {boolean} now */
    visible(now) {
      visible = now;
      if (!now) {
        asking?.abort();
        studio.overlay({ tints: new Map() });
      }
      show();
    },
    /** Compares the moves of a position, the best one first. */
    compare() {
      subject = 'moves';
    },
  };
}

/**
 * The searched odds of the moves here: of the review, the analysis, or a
 * short search.
 * @param {Studio} studio
 * @param {Line[]} analysed
 * @param {AbortSignal} signal
 * @returns {Promise<Odds[]>} best first
 */
async function oddsHere(studio, analysed, signal) {
  const { current } = studio.tree;
  const [next] = current.children;
  const judged = next && studio.grades.get(next);
  if (analysed.length) return analysed;
  const lines = await searchedOdds(current.position, chosenModel(studio.info, 'model'), signal);
  if (!judged) return lines;
  // The review had more time: it says what is best and what was played.
  const { best, move, probability_best, probability_played, score_best, score_played, depth } = judged;
  const rest = lines.filter((line) => line.move !== best && line.move !== move);
  const first = { move: best, probability: probability_best, discs: score_best, depth };
  const second = { move, probability: probability_played, discs: score_played, depth };
  return best === move ? [first, ...rest] : [first, second, ...rest];
}

/**
 * The best move and the one played; the two best if that is the same.
 * @param {Studio} studio
 * @param {Odds[]} odds
 * @param {number[]} moves
 * @returns {[number, number]}
 */
function interestingPair(studio, odds, moves) {
  const known = odds.map(({ move }) => squareNumber(move));
  const [best = moves[0], second = moves[1] ?? moves[0]] = known;
  const played = studio.tree.current.children[0]?.move;
  return [best, played !== undefined && played !== best ? played : second];
}

/**
 * @param {Studio} studio
 * @param {Position} position
 * @param {[number, number]} pair
 * @param {string} side
 * @param {Odds[]} odds
 * @param {AbortSignal} signal
 */
async function compareMoves(studio, position, pair, side, odds, signal) {
  const after = pair.map((move) => /** @type {Position} */ (play(position, move)));
  const answers = await Promise.all(after.map((next) => api.explain(printPosition(next), signal)));
  const [first, second] = answers.map((answer) => account(answer, true));
  const change = difference(first, second);
  const [a, b] = pair.map(squareName);
  const [worthA, worthB] = [a, b].map((name) => odds.find(({ move }) => move === name));
  const { explain: words } = text;
  return [
    h(
      'div',
      { class: 'words' },
      h(
        'p',
        { class: 'searched' },
        pair[0] === pair[1] || !worthA || !worthB ? words.same
          : words.searched(side, a, oddsText(worthA), b, oddsText(worthB)),
      ),
      reasons(change, words.speaksFor(a), words.speaksFor(b)),
      h('p', { class: 'hint' }, words.comparison(a, b)),
    ),
    featureTable(studio, change, [
      { title: words.probabilityOf(a), cells: first.probabilities.map(percent) },
      { title: words.probabilityOf(b), cells: second.probabilities.map(percent) },
    ]),
    h('p', { class: 'hint' }, words.note),
  ];
}

/** @param {Odds} odds */
const oddsText = ({ probability, discs }) => text.explain.odds(percent(probability), signed(discs));

/**
 * @param {Studio} studio
 * @param {Account} values
 * @param {string} side
 * @param {Odds[]} odds
 */
function positionView(studio, values, side, [best]) {
  const { explain: words } = text;
  return [
    h(
      'div',
      { class: 'words' },
      best && h('p', { class: 'searched' }, words.searchedPosition(side, oddsText(best), best.move)),
      reasons(values, words.speaksFor(side), words.speaksAgainst(side)),
    ),
    featureTable(studio, values, [
      { title: words.probability, cells: values.probabilities.map(percent) },
    ]),
    h('p', { class: 'hint' }, words.note),
  ];
}

/**
 * What the first model finds most important, in words. Which way it speaks
 * stands before it, so that the numbers need no sign.
 * @param {Account} values
 * @param {string} inFavour
 * @param {string} against
 */
function reasons(values, inFavour, against) {
  /** @param {FeatureRow[]} rows */
  const list = (rows) =>
    rows.map(({ title, parts }) => `${title} (${Math.abs(parts[0]).toFixed(2)})`).join(', ');
  const pros = strongest(values, 0, 1);
  const cons = strongest(values, 0, -1);
  return h(
    'ul',
    { class: 'reasons' },
    pros.length > 0 && h('li', { class: 'for' }, h('strong', {}, inFavour), ' ', list(pros)),
    cons.length > 0 && h('li', { class: 'against' }, h('strong', {}, against), ' ', list(cons)),
    pros.length + cons.length > 0 && h('li', { class: 'hint' }, text.explain.seenBy(values.models[0])),
  );
}
