// Who plays a game: people and engines, with or without a clock. No elements
// here.

import * as api from './api.js';
import { printPosition } from './rules.js';
import { chosenModel, settings } from './settings.js';
import { text } from './text.js';

/** @typedef {import('./rules.js').Color} Color */
/** @typedef {import('./api.js').Info} Info */
/** @typedef {import('./game-tree.js').Node} GameNode */

/**
 * One side: a person, a level of the server, or a model of one's own choice.
 * @typedef {{ kind: 'person' } | { kind: 'level', level: string }
 *   | { kind: 'model', model: string, limit: api.MoveLimit }} Seat
 */

/**
 * A game under way as it is kept.
 * @typedef {object} SavedMatch
 * @property {Seat} X
 * @property {Seat} O
 * @property {string} tip the way to the position it has reached
 * @property {import('./clock.js').ClockState} [clock]
 */

/** The opponent that stands for a model of one's own choice. */
export const CUSTOM = 'custom';

/**
 * The engine that a field of the form names.
 * @param {Info} info
 * @param {'level' | 'rival'} which
 * @returns {Seat}
 */
export function engineSeat(info, which) {
  const level = chosenLevel(info, which);
  if (level !== CUSTOM) return { kind: 'level', level };
  const limit = settings.limit === 'time' ? { seconds: Number(settings.moveSeconds) } : { depth: Number(settings.depth) };
  return { kind: 'model', model: chosenModel(info, 'opponent'), limit };
}

/**
 * The level chosen, if the server still has it.
 * @param {Info} info
 * @param {'level' | 'rival'} which
 */
export function chosenLevel(info, which) {
  const names = [...info.levels.map(({ name }) => name), CUSTOM];
  return names.includes(settings[which]) ? settings[which] : names[Math.min(2, names.length - 1)];
}

/**
 * @param {Seat} seat
 * @param {Info | null} info
 */
export function seatName(seat, info) {
  if (seat.kind === 'person') return text.play.you;
  if (seat.kind === 'level') return levelTitle(seat.level);
  return info?.models.find(({ name }) => name === seat.model)?.label ?? seat.model;
}

/** @param {string} name */
export const levelTitle = (name) =>
  /** @type {Record<string, string>} */ (text.levels)[name] ?? name;

/**
 * The engine's move.
 * @param {Exclude<Seat, { kind: 'person' }>} seat
 * @param {GameNode} node
 * @param {import('./clock.js').Clock | null} clock
 * @param {AbortSignal} signal
 */
export function engineMove(seat, node, clock, signal) {
  const position = printPosition(node.position);
  const limit = clock && { clock: { left: clock.left(node.position.mover), increment: clock.increment } };
  if (seat.kind === 'level') {
    const seed = crypto.getRandomValues(new Uint32Array(1))[0];
    return api.move({ position, level: seat.level, seed, ...(limit && { limit }) }, signal);
  }
  return api.move({ position, model: seat.model, limit: limit ?? seat.limit }, signal);
}
