// Two clocks of which at most one runs.

/** @typedef {import('./rules.js').Color} Color */

export class Clock {
  /** @type {Record<Color, number>} seconds left when last stopped */
  #left;
  /** @type {Color | null} */
  #running = null;
  #since = 0;

  /**
   * @param {number} seconds for each side
   * @param {number} increment seconds for each move made
   */
  constructor(seconds, increment) {
    this.#left = { X: seconds, O: seconds };
    this.increment = increment;
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
