// The mistakes of one's own reviewed games, and when to try them again. No
// elements here.

import { shelf } from './shelf.js';
import { languages } from './text.js';
import { parsePosition, printPosition } from './rules.js';
import { readTree } from './tree-text.js';
import { restoreReview } from './stored-review.js';
import { isError } from './review-summary.js';

/** @typedef {import('./rules.js').Position} Position */
/** @typedef {import('./api.js').ReviewedMove} ReviewedMove */

/**
 * @typedef {object} Mistake
 * @property {string} key the position
 * @property {Position} position
 * @property {ReviewedMove} move
 * @property {string} game its id
 */

/** @typedef {{ step: number, due: number, feature?: string }} Card days since 1970 */

const KEY = 'discern.training';
/** Days until a mistake comes again after each right answer. */
const STEPS = [0, 1, 3, 7, 21, 60];

/** Days since 1970. */
export const today = () => Math.floor(Date.now() / 86_400_000);

/** @returns {Record<string, Card>} */
export function cards() {
  try {
    return JSON.parse(localStorage.getItem(KEY) ?? '{}');
  } catch {
    return {};
  }
}

/**
 * @param {string} key
 * @param {Partial<Card>} change
 */
function setCard(key, change) {
  const all = cards();
  all[key] = { ...(all[key] ?? { step: 0, due: 0 }), ...change };
  localStorage.setItem(KEY, JSON.stringify(all));
}

/** @param {Mistake} mistake @param {boolean} right */
export function answered({ key }, right) {
  const step = right ? Math.min(STEPS.length - 1, (cards()[key]?.step ?? 0) + 1) : 0;
  setCard(key, { step, due: today() + STEPS[step] });
}

/** @param {Mistake} mistake @param {string} feature */
export const overlooked = ({ key }, feature) => setCard(key, { feature });

/** Names under which the page itself lets the user play. */
const isYou = (/** @type {string} */ name) => languages.some(({ play }) => play.you === name);

/** Every move of the user's reviewed games; both sides where nobody is "You". */
export function reviewedMoves() {
  return shelf.list().flatMap((game) => {
    const start = parsePosition(game.start);
    if (!game.review?.summary || !start) return [];
    const { root } = readTree(start, game.tree);
    const mine = isYou(game.black) ? 'X' : isYou(game.white) ? 'O' : null;
    const { line, grades } = restoreReview(root, game.review);
    return line.flatMap((node) => {
      const move = grades.get(node);
      return move && node.parent && (mine === null || node.by === mine)
        ? [{ key: printPosition(node.parent.position), position: node.parent.position, move, game: game.id }]
        : [];
    });
  });
}

/** Each mistake once. @param {Mistake[]} moves */
export const mistakesOf = (moves) =>
  [...new Map(moves.filter(({ move }) => isError(move.grade) && move.best !== move.move).map((m) => [m.key, m])).values()];

/** Those whose day has come, the longest waiting first. @param {Mistake[]} mistakes */
export function due(mistakes) {
  const known = cards();
  return mistakes
    .filter(({ key }) => (known[key]?.due ?? 0) <= today())
    .sort((a, b) => (known[a.key]?.due ?? 0) - (known[b.key]?.due ?? 0));
}
