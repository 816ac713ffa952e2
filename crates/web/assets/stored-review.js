// A review as it is kept with its game: one short list a move.

import { followPath } from './tree-text.js';
import { printPosition, squareName } from './rules.js';

/** @typedef {import('./game-tree.js').Node} GameNode */
/** @typedef {import('./api.js').ReviewedMove} ReviewedMove */

/**
 * @typedef {object} StoredReview
 * @property {string} line the moves it is about
 * @property {(StoredMove | null)[]} moves
 * @property {import('./api.js').ReviewDone['summary']} [summary] when it is complete
 * @property {string} counts
 */

/**
 * @typedef {[best: string, probabilityBest: number, probabilityPlayed: number, scoreBest: number,
 *   scorePlayed: number, grade: import('./api.js').Grade, phase: import('./api.js').Phase,
 *   depth: number, exact: 0 | 1, pv: string]} StoredMove
 */

/** Characters of a line that are kept. */
const LINE = 24;

/**
 * @param {GameNode[]} line
 * @param {ReadonlyMap<GameNode, ReviewedMove>} grades
 * @param {StoredReview['summary']} summary
 * @param {string} counts
 * @returns {StoredReview}
 */
export const storeReview = (line, grades, summary, counts) => ({
  line: line.map((node) => squareName(node.move)).join(''),
  counts,
  summary,
  moves: line.map((node) => {
    const move = grades.get(node);
    return move
      ? [move.best, short(move.probability_best), short(move.probability_played), move.score_best, move.score_played,
        move.grade, move.phase, move.depth, move.exact ? 1 : 0, move.pv.slice(0, LINE)]
      : null;
  }),
});

/** @param {number} value */
const short = (value) => Number(value.toFixed(4));

/**
 * The line of a stored review in a game, and its judgements.
 * @param {GameNode} root
 * @param {StoredReview} stored
 */
export function restoreReview(root, stored) {
  const end = followPath(root, stored.line);
  /** @type {Map<GameNode, ReviewedMove>} */
  const grades = new Map();
  const line = end?.path() ?? [];
  line.forEach((node, index) => {
    const move = restoreMove(node, stored.moves[index], index, line.length);
    if (move) grades.set(node, move);
  });
  return { line, grades };
}

/**
 * @param {GameNode} node
 * @param {StoredMove | null | undefined} stored
 * @param {number} done
 * @param {number} total
 * @returns {ReviewedMove | null}
 */
function restoreMove(node, stored, done, total) {
  if (!stored || !node.parent) return null;
  const [best, probability_best, probability_played, score_best, score_played, grade, phase, depth, exact, pv] = stored;
  const mover = node.by === 'X' ? 'black' : 'white';
  return {
    position: printPosition(node.parent.position),
    mover,
    move: squareName(node.move),
    best, probability_best, probability_played, score_best, score_played, grade, phase, depth, pv,
    exact: exact === 1,
    loss: Math.max(0, probability_best - probability_played),
    black_probability: mover === 'black' ? probability_played : 1 - probability_played,
    progress: { done, total },
  };
}
