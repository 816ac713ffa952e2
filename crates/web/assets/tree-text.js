// A game with variations and comments as text: `f5d6(c4e3)c3{a%20note}`.
// Brackets hold what could have been played in the place of the move before
// them, braces what was written about the position, as in an address.

import { childAfter, rootNode } from './game-tree.js';
import { squareName, squareNumber } from './rules.js';

/** @typedef {import('./game-tree.js').Node} GameNode */
/** @typedef {import('./rules.js').Position} Position */

/** Longer texts are no games of ours. */
const LONGEST = 200_000;

/** Comments as they are, blanks and passes, brackets, moves, and whatever else there may be. */
const WORDS = /\{[^}]*\}|\s+|pass|--|[()]|[^(){}\s]{1,2}|./gi;

/** @param {GameNode} root */
export const printTree = (root) => comment(root) + printAfter(root);

/** @param {GameNode} node @returns {string} */
function printAfter(node) {
  let printed = '';
  /** @type {GameNode | undefined} */
  let at = node;
  while (at?.children.length) {
    /** @type {GameNode[]} */
    const [main, ...others] = at.children;
    printed += moveText(main) + others.map((other) => `(${moveText(other)}${printAfter(other)})`).join('');
    at = main;
  }
  return printed;
}

/** @param {GameNode} node */
const moveText = (node) => squareName(node.move) + comment(node);

/** @param {GameNode} node */
const comment = (node) => (node.comment ? `{${encodeURIComponent(node.comment)}}` : '');

/**
 * What a text could be read as, and what is wrong with the rest.
 * @typedef {object} ReadTree
 * @property {GameNode} root
 * @property {{ number: number, word: string, why: 'square' | 'illegal' | 'bracket' } | null} fault
 */

/**
 * @param {Position} start
 * @param {string} text
 * @returns {ReadTree}
 */
export function readTree(start, text) {
  const root = rootNode(start);
  let node = root;
  /** @type {GameNode[]} where the line goes on after each open bracket */
  const open = [];
  for (const word of text.slice(0, LONGEST).match(WORDS) ?? []) {
    if (/^(\s+|pass|--)$/i.test(word)) continue;
    /** @param {'square' | 'illegal' | 'bracket'} why */
    const fault = (why) => ({ root, fault: { number: node.ply + 1, word, why } });
    if (word === '(') {
      if (!node.parent) return fault('bracket');
      open.push(node);
      node = node.parent;
    } else if (word === ')') {
      const back = open.pop();
      if (!back) return fault('bracket');
      node = back;
    } else if (word.startsWith('{')) {
      node.comment = decoded(word.slice(1, -1));
    } else {
      const square = squareNumber(word);
      if (square < 0) return fault('square');
      const next = childAfter(node, square);
      if (!next) return fault('illegal');
      node = next;
    }
  }
  return { root, fault: null };
}

/** @param {string} text */
function decoded(text) {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/**
 * The way to a place: a number on the main line, otherwise its moves.
 * @param {GameNode} node
 */
export function printPlace(node) {
  const path = node.path();
  const main = path.every((step) => step.parent?.children[0] === step);
  return main ? String(path.length) : path.map((step) => squareName(step.move)).join('');
}

/**
 * @param {GameNode} root
 * @param {string} place the end of the main line if it is empty
 */
export function findPlace(root, place) {
  let node = root;
  if (/^\d*$/.test(place)) {
    const ply = place === '' ? Infinity : Number(place);
    while (node.children.length && node.ply < ply) [node] = node.children;
    return node;
  }
  return followPath(root, place) ?? root;
}

/**
 * @param {GameNode} root
 * @param {string} path moves that are all there
 */
export function followPath(root, path) {
  /** @type {GameNode | undefined} */
  let node = root;
  for (const word of path.match(/../g) ?? []) {
    node = node?.children.find((child) => child.move === squareNumber(word));
  }
  return node ?? null;
}
