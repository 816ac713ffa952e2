// The searched odds of a position for parts of the page that need them once.

import * as api from './api.js';
import { readEvents } from './event-stream.js';
import { printPosition } from './rules.js';

/** Seconds that are enough for odds one can rely on. */
const SECONDS = '1';

/** @type {Map<string, api.Line[]>} by model and position */
const known = new Map();

/**
 * The moves of a position, best first.
 * @param {import('./rules.js').Position} position
 * @param {string} model
 * @param {AbortSignal} signal
 */
export async function searchedOdds(position, model, signal) {
  const printed = printPosition(position);
  const key = `${model} ${printed}`;
  const before = known.get(key);
  if (before) return before;
  /** @type {api.Line[]} */
  let lines = [];
  await readEvents(api.glanceStream({ position: printed, model, lines: '64', seconds: SECONDS }), signal, (_, data) => {
    if (data.lines?.length) ({ lines } = data);
  });
  if (lines.length && !signal.aborted) known.set(key, lines);
  return lines;
}
