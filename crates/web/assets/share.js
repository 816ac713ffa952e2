// The game in the address: #start=…&moves=…&at=…

import { parseTranscript, transcript } from './game-tree.js';
import { START, parsePosition } from './rules.js';

/** @typedef {import('./game-tree.js').GameTree} GameTree */

/**
 * The address's part for the current line and the place in it.
 * @param {GameTree} tree
 */
function gameFragment(tree) {
  const parts = new URLSearchParams();
  const { cells, mover } = tree.root.position;
  if (cells !== START.cells || mover !== START.mover) parts.set('start', cells + mover);
  const line = tree.line();
  if (line.length) parts.set('moves', transcript(line));
  if (tree.current.ply < line.length) parts.set('at', String(tree.current.ply));
  return parts.toString();
}

/**
 * Opens the game of an address; leaves the tree alone if there is none or it
 * makes no sense.
 * @param {GameTree} tree
 * @param {string} fragment without the #
 */
function openFragment(tree, fragment) {
  const parts = new URLSearchParams(fragment);
  if (!parts.has('start') && !parts.has('moves')) return;
  const start = parts.has('start') ? parsePosition(parts.get('start') ?? '') : START;
  const moves = parseTranscript(parts.get('moves') ?? '');
  if (!start || !moves) return;
  const at = Number(parts.get('at') ?? moves.length);
  tree.reset(start, moves, Number.isInteger(at) ? at : moves.length);
}

/**
 * Keeps the address in step with the game, without filling the history.
 * @param {GameTree} tree
 * @param {() => void} changed told when somebody else changed the address
 */
export function mountSharing(tree, changed) {
  const write = () => {
    const fragment = gameFragment(tree);
    try {
      history.replaceState(null, '', `${location.pathname}${fragment ? `#${fragment}` : ''}`);
    } catch {
      // Safari refuses more than a hundred changes in half a minute; the
      // address catches up with the next one.
    }
  };
  const read = () => {
    const fragment = location.hash.replace(/^#/, '');
    if (fragment.startsWith('experiments')) return;
    if (fragment !== gameFragment(tree)) openFragment(tree, fragment);
    write();
  };
  read();
  tree.on('moved', write);
  tree.on('changed', write);
  addEventListener('hashchange', () => {
    read();
    changed();
  });
}
