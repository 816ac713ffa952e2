// Tells screen readers what happened on the board.

import { byId } from './dom.js';

const region = byId('announcer');

/** @param {string} sentence */
export function announce(sentence) {
  // The same sentence twice is only read twice if the content changes.
  region.textContent = region.textContent === sentence ? `${sentence}\u00a0` : sentence;
}
