// The rules of Othello: boards, flips, moves, results. Nothing else.

/** @typedef {'X' | 'O'} Color Black is `X`, White is `O`. */

/**
 * A position is never changed; moves make new ones.
 * @typedef {object} Position
 * @property {string} cells 64 of `X`, `O`, `-` from a1, b1 … h8
 * @property {Color} mover
 */

export const EMPTY = '-';

/** @type {Position} */
export const START = {
  cells: `${'-'.repeat(27)}OX${'-'.repeat(6)}XO${'-'.repeat(27)}`,
  mover: 'X',
};

const STEPS = [-1, 0, 1].flatMap((rank) =>
  [-1, 0, 1].filter((file) => rank || file).map((file) => ({ file, rank })),
);

/**
 * The squares seen from each square, ray by ray, nearest first.
 * @type {number[][][]}
 */
const RAYS = Array.from({ length: 64 }, (_, square) =>
  STEPS.map((step) => {
    const ray = [];
    let file = (square % 8) + step.file;
    let rank = Math.floor(square / 8) + step.rank;
    while (file >= 0 && file < 8 && rank >= 0 && rank < 8) {
      ray.push(rank * 8 + file);
      file += step.file;
      rank += step.rank;
    }
    return ray;
  }).filter((ray) => ray.length > 1),
);

/** @param {Color} color @returns {Color} */
export const other = (color) => (color === 'X' ? 'O' : 'X');

/** @param {number} square */
export const squareName = (square) => 'abcdefgh'[square % 8] + (Math.floor(square / 8) + 1);

/**
 * The number of a square such as `d3`, or -1.
 * @param {string} name
 */
export function squareNumber(name) {
  if (!/^[a-h][1-8]$/i.test(name)) return -1;
  return name.toLowerCase().charCodeAt(0) - 97 + 8 * (Number(name[1]) - 1);
}

/**
 * What a disc of the mover on this square would turn; empty if that is no move.
 * @param {Position} position
 * @param {number} square
 */
export function flips({ cells, mover }, square) {
  if (cells[square] !== EMPTY) return [];
  const theirs = other(mover);
  return RAYS[square].flatMap((ray) => {
    let length = 0;
    while (length < ray.length && cells[ray[length]] === theirs) length++;
    return length > 0 && cells[ray[length]] === mover ? ray.slice(0, length) : [];
  });
}

/** @param {Position} position */
export function legalMoves(position) {
  const moves = [];
  for (let square = 0; square < 64; square++) {
    if (flips(position, square).length) moves.push(square);
  }
  return moves;
}

/** @param {Position} position */
export const canMove = (position) => RAYS.some((_, square) => flips(position, square).length > 0);

/** @param {Position} position @returns {Position} */
export const pass = ({ cells, mover }) => ({ cells, mover: other(mover) });

/** @param {Position} position */
export const isOver = (position) => !canMove(position) && !canMove(pass(position));

/**
 * The position after a move, or `null` if it is not legal. The other side is
 * to move even if it can only pass.
 * @param {Position} position
 * @param {number} square
 * @returns {Position | null}
 */
export function play(position, square) {
  const turned = flips(position, square);
  if (!turned.length) return null;
  const cells = [...position.cells];
  for (const index of [square, ...turned]) cells[index] = position.mover;
  return { cells: cells.join(''), mover: other(position.mover) };
}

/**
 * Lets a side that cannot move pass, unless the game is over.
 * @param {Position} position
 * @returns {{ position: Position, passed: boolean }}
 */
export function settle(position) {
  const passed = !canMove(position) && canMove(pass(position));
  return { position: passed ? pass(position) : position, passed };
}

/**
 * Discs of each colour.
 * @param {Pick<Position, 'cells'>} position
 */
export function count({ cells }) {
  const black = [...cells].filter((cell) => cell === 'X').length;
  const white = [...cells].filter((cell) => cell === 'O').length;
  return { black, white, empties: 64 - black - white };
}

/**
 * Black's final disc difference; empty squares go to the winner.
 * @param {Pick<Position, 'cells'>} position
 */
export function finalScore(position) {
  const { black, white, empties } = count(position);
  return black - white + Math.sign(black - white) * empties;
}

/** @param {Position} position */
export const printPosition = ({ cells, mover }) => `${cells} ${mover}`;

/**
 * @param {string} text 64 cells and the mover, with or without blanks
 * @returns {Position | null}
 */
export function parsePosition(text) {
  const squeezed = text.replace(/\s+/g, '').toUpperCase();
  if (!/^[XO-]{64}[XO]$/.test(squeezed)) return null;
  return { cells: squeezed.slice(0, 64), mover: /** @type {Color} */ (squeezed[64]) };
}

/**
 * Leaves of the tree of all games to a depth; a pass is a ply.
 * @param {Position} position
 * @param {number} depth
 * @returns {number}
 */
export function perft(position, depth) {
  if (depth === 0) return 1;
  const moves = legalMoves(position);
  if (!moves.length) return canMove(pass(position)) ? perft(pass(position), depth - 1) : 1;
  return moves.reduce(
    (sum, move) => sum + perft(/** @type {Position} */ (play(position, move)), depth - 1),
    0,
  );
}
