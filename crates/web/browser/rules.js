// The page's own rules for the tests. Imported as text: older Node takes a
// file outside a package for CommonJS.

import { readFileSync } from 'node:fs';

const source = readFileSync(new URL('../assets/rules.js', import.meta.url), 'utf8');

/** @type {typeof import('../assets/rules.js')} */
export const rules = await import(`data:text/javascript,${encodeURIComponent(source)}`);

/** @typedef {import('../assets/rules.js').Position} Position */

/**
 * Numbers between 0 and 1 that are the same in every run.
 * @param {number} seed
 */
export function randomNumbers(seed) {
  let state = seed;
  return () => {
    state = (state * 48271) % 2147483647;
    return state / 2147483647;
  };
}

/**
 * A random game as squares.
 * @param {() => number} random
 */
export function randomGame(random) {
  const moves = [];
  let position = rules.START;
  for (;;) {
    position = rules.settle(position).position;
    const legal = rules.legalMoves(position);
    if (!legal.length) return moves;
    const move = legal[Math.floor(random() * legal.length)];
    moves.push(move);
    position = /** @type {Position} */ (rules.play(position, move));
  }
}

/** @param {number[]} moves */
export const transcript = (moves) => moves.map(rules.squareName).join('');

/**
 * The position after some moves, nobody having to pass.
 * @param {number[]} moves
 */
export const after = (moves) =>
  moves.reduce(
    (position, move) => rules.settle(/** @type {Position} */ (rules.play(position, move))).position,
    rules.START,
  );

/**
 * The exact score for the mover, by trying everything.
 * @param {Position} position
 * @returns {number}
 */
export function solve(position) {
  const moves = rules.legalMoves(position);
  if (moves.length) {
    return Math.max(...moves.map((move) => -solve(/** @type {Position} */ (rules.play(position, move)))));
  }
  if (rules.canMove(rules.pass(position))) return -solve(rules.pass(position));
  return rules.finalScore(position) * (position.mover === 'X' ? 1 : -1);
}
