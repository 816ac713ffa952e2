// What all parts of the page share: the game, the server's offer, and what
// the board shows on top of the discs.

import { ServerError } from './api.js';
import { Desk } from './desk.js';
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
 * @typedef {'analysis' | 'review' | 'play' | 'train' | 'library'} Searcher
 */

/**
 * `lost` says that the server went away, `playing` that a game began or
 * ended, `stopGame` asks for it.
 * @extends {Emitter<{ overlay: null, info: Info, search: Searcher, graded: null, lost: null,
 *   playing: boolean, stopGame: null }>}
 */
export class Studio extends Emitter {
  tree = new GameTree(START);

  desk = new Desk(this.tree);

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

  /** @type {number | null} Discs by which Black is expected to win. */
  blackScore = null;

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
   * May begin a game with a press on the board; says whether it did.
   * @type {((square: number) => boolean) | null}
   */
  begins = null;

  /**
   * Cells shown in the place of the current position.
   * @type {string | null}
   */
  draft = null;

  /**
   * A position to think about, shown in the place of the game.
   * @type {import('./rules.js').Position | null}
   */
  puzzle = null;

  /**
   * Takes strokes over squares, pressed and drawn, in the place of moves.
   * @type {((square: number, stroke: { right: boolean, first: boolean }) => void) | null}
   */
  paints = null;

  /**
   * A line shown in the place of the current position while somebody points
   * at it: the board after it and the moves with their numbers.
   * @type {{ cells: string, moves: ReadonlyMap<number, number> } | null}
   */
  preview = null;

  /**
   * Hears of every request that failed: a server that cannot be reached is
   * looked for until it is back.
   * @param {unknown} error
   */
  lost(error) {
    if (error instanceof TypeError || (error instanceof ServerError && error.status === 503)) this.emit('lost', null);
  }

  /** @param {number} square */
  press(square) {
    if (this.presses) this.presses(square);
    else if (!this.begins?.(square)) this.tree.play(square);
  }

  /**
   * @param {Partial<Pick<Studio, 'labels' | 'tints' | 'hint' | 'blackProbability' | 'blackScore' | 'draft' | 'preview' | 'puzzle'>>} parts
   */
  overlay(parts) {
    Object.assign(this, parts);
    this.emit('overlay', null);
  }
}
