// What all parts of the page share: the game, the server's offer, and what
// the board shows on top of the discs.

import { Emitter } from './emitter.js';
import { GameTree } from './game-tree.js';
import { START } from './rules.js';

/** @typedef {import('./api.js').Info} Info */

/**
 * A note on an empty square.
 * @typedef {object} Label
 * @property {string} text
 * @property {string} spoken the same in words
 * @property {'best' | 'near' | 'poor'} rank
 * @property {boolean} proven
 */

/** @typedef {'for' | 'against' | 'neutral'} Tint */

/**
 * Who has the server search at the moment. A client has one search: a new one
 * ends the old one, so its owner has to hear of it.
 * @typedef {'analysis' | 'review' | 'play'} Searcher
 */

/**
 * @extends {Emitter<{ overlay: null, info: Info, search: Searcher, graded: null }>}
 */
export class Studio extends Emitter {
  tree = new GameTree(START);

  /** @type {Info | null} */
  info = null;

  /** @type {ReadonlyMap<number, Label>} by square */
  labels = new Map();

  /** @type {ReadonlyMap<number, Tint>} by square */
  tints = new Map();

  /** @type {number | null} A square recommended to the player. */
  hint = null;

  /** @type {number | null} Black's winning probability here, if known. */
  blackProbability = null;

  /** @type {Map<import('./game-tree.js').Node, import('./api.js').ReviewedMove>} */
  grades = new Map();

  /** A game against a model is under way: nobody looks behind the scenes. */
  playing = false;

  /**
   * Takes presses on squares in the place of a move.
   * @type {((square: number) => void) | null}
   */
  presses = null;

  /**
   * Cells shown in the place of the current position.
   * @type {string | null}
   */
  draft = null;

  /** @param {number} square */
  press(square) {
    if (this.presses) this.presses(square);
    else this.tree.play(square);
  }

  /**
   * @param {Partial<Pick<Studio, 'labels' | 'tints' | 'hint' | 'blackProbability' | 'draft'>>} parts
   */
  overlay(parts) {
    Object.assign(this, parts);
    this.emit('overlay', null);
  }
}
