// Two clocks of which at most one runs.

/** @typedef {import('./rules.js').Color} Color */

/**
 * Seconds left on both clocks, and what a move adds.
 * @typedef {Record<Color, number> & { increment: number }} ClockState
 */

export class Clock {
  /** @type {Record<Color, number>} seconds left when last stopped */
  #left;
  /** @type {Color | null} */
  #running = null;
  #since = 0;

  /** @param {ClockState} state */
  constructor({ X, O, increment }) {
    this.#left = { X, O };
    this.increment = increment;
  }

  /** @returns {ClockState} */
  get state() {
    return { X: this.left('X'), O: this.left('O'), increment: this.increment };
  }

  /** @param {Color} color */
  left(color) {
    const used = this.#running === color ? (performance.now() - this.#since) / 1000 : 0;
    return Math.max(0, this.#left[color] - used);
  }

  /** @param {Color} color */
  start(color) {
    this.stop();
    this.#running = color;
    this.#since = performance.now();
  }

  /** Stops the running clock; `moved` adds the increment. */
  stop(moved = false) {
    const color = this.#running;
    if (!color) return;
    this.#left[color] = this.left(color) + (moved ? this.increment : 0);
    this.#running = null;
  }
}
