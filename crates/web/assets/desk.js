// The game on the board as a document: kept by itself, undone and redone,
// left and found again.

import { Emitter } from './emitter.js';
import { rootNode } from './game-tree.js';
import { START, finalScore, isOver, parsePosition, printPosition } from './rules.js';
import { newId, shelf } from './shelf.js';
import { findPlace, printPlace, printTree, readTree } from './tree-text.js';

/** @typedef {import('./shelf.js').Saved} Saved */
/** @typedef {import('./game-tree.js').GameTree} GameTree */
/** @typedef {import('./game-tree.js').Node} GameNode */
/** @typedef {import('./rules.js').Position} Position */

/**
 * What is known of a game beside its moves.
 * @typedef {{ title?: string, black: string, white: string, event?: string, date?: string }} About
 */

/** States that can be brought back. */
const MEMORY = 200;

/**
 * `leave` comes before another game is put on the board, `opened` after;
 * `kept` whenever the game was saved; `steps` when undo or redo changed.
 * @extends {Emitter<{ leave: null, opened: Saved, kept: null, steps: null, about: null }>}
 */
export class Desk extends Emitter {
  /** @type {GameTree} */
  #tree;
  #id = newId();
  #busy = false;
  /** @type {Saved[]} */
  #past = [];
  /** @type {Saved[]} */
  #future = [];
  /** @type {string | null} the moves of a game that is only looked at */
  #visited = null;
  /** @type {Saved} the game as it was last seen */
  #last;

  /** @type {About} */
  about = { black: '', white: '' };

  /** @type {Saved['review']} */
  review = undefined;

  /** @type {Saved['match']} */
  match = undefined;

  /** @param {GameTree} tree */
  constructor(tree) {
    super();
    this.#tree = tree;
    this.#last = this.snapshot();
    tree.on('changed', () => this.#changed());
    tree.on('moved', () => this.#changed());
  }

  get id() {
    return this.#id;
  }

  get canUndo() {
    return this.#past.length > 0;
  }

  get canRedo() {
    return this.#future.length > 0;
  }

  /** @returns {Saved} */
  snapshot() {
    const { root, current } = this.#tree;
    const end = root.end();
    return {
      id: this.#id,
      updated: Date.now(),
      ...this.about,
      start: printPosition(root.position),
      tree: printTree(root),
      at: printPlace(current),
      moves: end.ply,
      ...(isOver(end.position) && { result: finalScore(end.position) }),
      ...(this.review && { review: this.review }),
      ...(this.match && { match: this.match }),
    };
  }

  /** Saves the game unless there is nothing to save. */
  keep() {
    if (this.#busy) return;
    const game = this.snapshot();
    this.#last = game;
    // A game that somebody only leafs through is not theirs yet.
    if (game.tree === this.#visited && !game.review && !game.match) {
      this.emit('kept', null);
      return;
    }
    this.#visited = null;
    if (game.tree || game.start !== printPosition(START)) shelf.put(game);
    this.emit('kept', null);
  }

  #changed() {
    if (this.#busy) return;
    const before = this.#last;
    if (before.tree !== printTree(this.#tree.root)) this.#remember(before);
    this.keep();
  }

  /** @param {Saved} state */
  #remember(state) {
    this.#past.push(state);
    if (this.#past.length > MEMORY) this.#past.shift();
    this.#future = [];
    this.emit('steps', null);
  }

  /**
   * Begins another game; the one on the board is kept.
   * @param {Position} [start]
   * @param {string} [tree]
   * @param {Partial<About>} [about]
   * @param {string} [at]
   */
  begin(start, tree, about, at) {
    this.#remember(this.snapshot());
    this.#put(newGame(start, tree, about, at));
  }

  /**
   * Shows a game from elsewhere, which is kept once it is changed or reviewed.
   * @param {Position} start
   * @param {string} tree
   * @param {Partial<About>} about
   * @param {string} at
   */
  visit(start, tree, about, at) {
    this.#remember(this.snapshot());
    this.#put(newGame(start, tree, about, at), true);
  }

  /** @param {Saved} game one of the shelf */
  open(game) {
    if (game.id === this.#id) return;
    this.#remember(this.snapshot());
    this.#put(game);
  }

  /**
   * Puts a game on the board as if it had always been there.
   * @param {Saved} game
   */
  restore(game) {
    this.#put(game);
  }

  /** @param {About} about */
  describe(about) {
    this.about = about;
    this.emit('about', null);
    this.keep();
  }

  undo() {
    this.#swap(this.#past, this.#future);
  }

  redo() {
    this.#swap(this.#future, this.#past);
  }

  /** @param {Saved[]} from @param {Saved[]} to */
  #swap(from, to) {
    const state = from.pop();
    if (!state) return;
    to.push(this.snapshot());
    this.#put(state);
    this.emit('steps', null);
  }

  /** @param {Saved} game @param {boolean} [visiting] */
  #put(game, visiting = false) {
    this.keep();
    this.emit('leave', null);
    // Whoever was told may have changed the game for the last time.
    this.keep();
    this.#busy = true;
    const { id, title, black, white, event, date, review, match } = game;
    this.#id = id;
    this.about = { title, black, white, event, date };
    const start = parsePosition(game.start);
    const root = start ? readTree(start, game.tree).root : rootNode(START);
    this.#tree.show(root, findPlace(root, game.at));
    [this.review, this.match] = [review, match];
    this.#visited = visiting ? printTree(root) : null;
    this.#busy = false;
    this.emit('opened', game);
    this.emit('about', null);
    this.keep();
  }
}

/**
 * @param {Position} [start]
 * @param {string} [tree]
 * @param {Partial<About>} [about]
 * @param {string} [at]
 * @returns {Saved}
 */
export const newGame = (start = START, tree = '', about = {}, at = '') => ({
  id: newId(), updated: Date.now(), black: '', white: '', ...about, start: printPosition(start), tree, at, moves: 0,
});
