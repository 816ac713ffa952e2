// The game on the board in the formats that other programs read.

import { START, finalScore, isOver, printPosition, squareName } from './rules.js';

/** @typedef {import('./game-tree.js').Node} GameNode */
/** @typedef {import('./desk.js').About} About */

/** @param {GameNode[]} line */
export const asTranscript = (line) => line.map((node) => squareName(node.move)).join('');

/** The position on the board, as OBF has it. @param {GameNode} node */
export const asObf = (node) => `${printPosition(node.position)};`;

/** @param {string} value */
const tag = (value) => value.replace(/[\\\]]/g, '\\$&').replace(/\s+/g, ' ');

/**
 * @param {GameNode} root
 * @param {GameNode[]} line
 * @param {About} about
 */
export function asGgf(root, line, about) {
  const { cells, mover } = root.position;
  const discs = `${cells}${mover}`.replaceAll('X', '*');
  const end = line.at(-1) ?? root;
  const result = isOver(end.position) ? `${finalScore(end.position)}.000` : '?';
  const tags = [
    'GM[Othello]', 'PC[Discern]', about.date && `DT[${tag(about.date)}]`, `PB[${tag(about.black || '?')}]`,
    `PW[${tag(about.white || '?')}]`, `RE[${result}]`, 'TI[0]', 'TY[8]',
    `BO[8 ${discs.slice(0, 64)} ${discs[64]}]`,
  ].filter(Boolean);
  const moves = line.flatMap((node) => {
    const [by, rival] = node.by === 'X' ? ['B', 'W'] : ['W', 'B'];
    const move = `${by}[${squareName(node.move).toUpperCase()}]`;
    return node.passed ? [move, `${rival}[PA]`] : [move];
  });
  return `(;${tags.join('')}${moves.join('')};)`;
}

/**
 * With all variations and comments.
 * @param {GameNode} root
 * @param {About} about
 */
export function asSgf(root, about) {
  const { cells, mover } = root.position;
  /** @param {string} color */
  const stones = (color) =>
    [...cells].map((cell, square) => (cell === color ? `[${squareName(square)}]` : '')).join('');
  const setUp = cells === START.cells ? '' : `AB${stones('X')}AW${stones('O')}`;
  const head = [
    'FF[4]GM[2]SZ[8]AP[Discern]', `PB[${tag(about.black || '?')}]`, `PW[${tag(about.white || '?')}]`,
    about.event && `EV[${tag(about.event)}]`, about.date && `DT[${tag(about.date)}]`,
    setUp, mover === 'O' && 'PL[W]', note(root),
  ].filter(Boolean);
  return `(;${head.join('')}${sgfAfter(root)})`;
}

/** @param {GameNode} node */
const note = (node) => (node.comment ? `C[${node.comment.replace(/[\\\]]/g, '\\$&')}]` : '');

/** @param {GameNode} node @returns {string} */
function sgfAfter(node) {
  const branches = node.children.map((child) => {
    const [by, rival] = child.by === 'X' ? ['B', 'W'] : ['W', 'B'];
    const passed = child.passed ? `;${rival}[]` : '';
    return `;${by}[${squareName(child.move)}]${note(child)}${passed}${sgfAfter(child)}`;
  });
  return branches.length > 1 ? branches.map((branch) => `(${branch})`).join('') : branches.join('');
}
