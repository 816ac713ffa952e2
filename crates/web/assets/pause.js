// Waiting a little.

/** @param {number} milliseconds */
export const pause = (milliseconds) => new Promise((done) => setTimeout(done, Math.max(0, milliseconds)));

/**
 * Milliseconds before a request about the position on the board: whoever
 * leafs through a game wants to hear about the last position only.
 */
export const LEAFING = 100;
