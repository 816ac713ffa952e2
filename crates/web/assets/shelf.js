// The games kept in this browser, each under its own key.

import { Emitter } from './emitter.js';

/**
 * A game as it is kept.
 * @typedef {object} Saved
 * @property {string} id
 * @property {number} updated milliseconds since 1970
 * @property {string} [title] given by the user
 * @property {string} black
 * @property {string} white
 * @property {string} [event]
 * @property {string} [date]
 * @property {string} start 64 cells and the mover
 * @property {string} tree
 * @property {string} at the place on the board
 * @property {number} moves of the main line
 * @property {number} [result] Black's discs at the end of the main line
 * @property {import('./stored-review.js').StoredReview} [review]
 * @property {import('./match.js').SavedMatch} [match] a game under way
 */

const PREFIX = 'discern.game.';

/** @extends {Emitter<{ changed: null }>} */
class Shelf extends Emitter {
  /** Set when the browser has no room left. */
  full = false;

  /** All games, the latest first. @returns {Saved[]} */
  list() {
    return Object.keys(localStorage)
      .filter((key) => key.startsWith(PREFIX))
      .flatMap((key) => read(key) ?? [])
      .sort((a, b) => b.updated - a.updated);
  }

  /** @param {string} id */
  get(id) {
    return read(PREFIX + id);
  }

  /** @param {Saved} game */
  put(game) {
    const text = JSON.stringify(game);
    const key = PREFIX + game.id;
    if (localStorage.getItem(key) === text) return;
    for (;;) {
      try {
        localStorage.setItem(key, text);
        break;
      } catch {
        if (!this.#makeRoom(game.id)) {
          this.full = true;
          break;
        }
      }
    }
    this.emit('changed', null);
  }

  /** @param {string} id */
  remove(id) {
    localStorage.removeItem(PREFIX + id);
    this.emit('changed', null);
  }

  /**
   * Gives up the oldest review: it can be made again, a game cannot.
   * @param {string} kept
   */
  #makeRoom(kept) {
    const oldest = this.list().findLast((game) => game.review && game.id !== kept);
    if (!oldest) return false;
    delete oldest.review;
    localStorage.setItem(PREFIX + oldest.id, JSON.stringify(oldest));
    return true;
  }
}

/** @param {string} key @returns {Saved | null} */
function read(key) {
  try {
    return JSON.parse(localStorage.getItem(key) ?? 'null');
  } catch {
    return null;
  }
}

export const shelf = new Shelf();

/** A name for a new game. */
export const newId = () => crypto.getRandomValues(new Uint32Array(2)).reduce((id, part) => id + part.toString(36), '');
