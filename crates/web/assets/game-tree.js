// A game with its variations: a tree of positions and a place in it.

import { Emitter } from './emitter.js';
import { play, settle, squareName, squareNumber } from './rules.js';

/** @typedef {import('./rules.js').Position} Position */

/**
 * A position and how it came about. Nobody has to pass in `position`: a pass
 * belongs to the move before it.
 */
export class Node {
  /**
   * @param {Position} position
   * @param {Node | null} parent
   * @param {number} move the square played, -1 at the root
   * @param {boolean} passed had the other side to pass after the move?
   */
  constructor(position, parent, move, passed) {
    this.position = position;
    this.parent = parent;
    this.move = move;
    this.passed = passed;
    /** What somebody wrote about the position. */
    this.comment = '';
    /** @type {Node[]} The first is the main continuation. */
    this.children = [];
  }

  /** Moves made since the root. @returns {number} */
  get ply() {
    return this.parent ? this.parent.ply + 1 : 0;
  }

  /** Who made the move; `null` at the root. */
  get by() {
    return this.parent?.position.mover ?? null;
  }

  /** @returns {Node[]} from the root's first child to this node */
  path() {
    return this.parent ? [...this.parent.path(), this] : [];
  }

  /** The last node of the main continuation. @returns {Node} */
  end() {
    return this.children.length ? this.children[0].end() : this;
  }
}

/** @extends {Emitter<{ moved: { from: Node, to: Node }, changed: null }>} */
export class GameTree extends Emitter {
  /** @param {Position} start */
  constructor(start) {
    super();
    this.root = rootNode(start);
    this.current = this.root;
  }

  /**
   * Puts another game in the place of this one.
   * @param {Node} root
   * @param {Node} current
   */
  show(root, current) {
    const from = this.current;
    [this.root, this.current] = [root, current];
    this.emit('changed', null);
    this.emit('moved', { from, to: current });
  }

  /** @param {Node} to */
  goTo(to) {
    if (to === this.current) return;
    const from = this.current;
    this.current = to;
    this.emit('moved', { from, to });
  }

  /**
   * Plays a move from the current position, as a new variation if need be.
   * @param {number} square
   * @returns {Node | null} `null` if the move is not legal
   */
  play(square) {
    const known = this.current.children.length;
    const next = childAfter(this.current, square);
    if (!next) return null;
    if (this.current.children.length > known) this.emit('changed', null);
    this.goTo(next);
    return next;
  }

  /**
   * Adds moves after the current position without going there.
   * @param {number[]} squares
   * @returns {Node[]} as far as the moves are legal
   */
  extend(squares) {
    const line = [];
    let node = this.current;
    for (const square of squares) {
      const next = childAfter(node, square);
      if (!next) break;
      line.push(next);
      node = next;
    }
    this.emit('changed', null);
    return line;
  }

  back() {
    if (this.current.parent) this.goTo(this.current.parent);
  }

  forward() {
    if (this.current.children.length) this.goTo(this.current.children[0]);
  }

  /**
   * To the neighbouring variation of the same move.
   * @param {1 | -1} step
   */
  sideways(step) {
    const siblings = this.current.parent?.children ?? [];
    const next = siblings[siblings.indexOf(this.current) + step];
    if (next) this.goTo(next);
  }

  /**
   * Removes a move and all that follows it.
   * @param {Node} node
   */
  remove(node) {
    if (!node.parent) return;
    const inside = this.current.path().includes(node);
    node.parent.children = node.parent.children.filter((child) => child !== node);
    if (inside) this.goTo(node.parent);
    this.emit('changed', null);
  }

  /**
   * Makes the variation with this move the main line.
   * @param {Node} node
   */
  promote(node) {
    for (const step of node.path()) {
      const siblings = /** @type {Node} */ (step.parent).children;
      siblings.splice(siblings.indexOf(step), 1);
      siblings.unshift(step);
    }
    this.emit('changed', null);
  }

  /**
   * Writes about the current position.
   * @param {string} comment
   */
  note(comment) {
    if (comment === this.current.comment) return;
    this.current.comment = comment;
    this.emit('changed', null);
  }

  /** The nodes of the current line to its end, without the root. */
  line() {
    return this.current.end().path();
  }
}

/** @param {Position} start */
export function rootNode(start) {
  const { position, passed } = settle(start);
  return new Node(position, null, -1, passed);
}

/**
 * The node after a move, made if it is not there yet.
 * @param {Node} node
 * @param {number} square
 * @returns {Node | null} `null` if the move is not legal
 */
export function childAfter(node, square) {
  const known = node.children.find((child) => child.move === square);
  if (known) return known;
  const next = play(node.position, square);
  if (!next) return null;
  const { position, passed } = settle(next);
  const child = new Node(position, node, square, passed);
  node.children.push(child);
  return child;
}

/** @param {Node[]} nodes */
export const transcript = (nodes) => nodes.map((node) => squareName(node.move)).join('');

/**
 * The squares of a transcript; passes may be written or left out.
 * @param {string} text
 * @returns {number[] | null} `null` if it is none
 */
export function parseTranscript(text) {
  const words = text.toLowerCase().replace(/pass|--|\s/g, '').match(/../g) ?? [];
  const squares = words.map(squareNumber);
  return squares.includes(-1) ? null : squares;
}
