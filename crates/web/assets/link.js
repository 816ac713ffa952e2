// A game as the part of an address behind the `#`:
// `start=…&moves=…&at=…`, or all of it compressed as `z=…`.

import { START, parsePosition, printPosition } from './rules.js';
import { findPlace, printPlace, printTree, readTree } from './tree-text.js';
import { text } from './text.js';

/** @typedef {import('./game-tree.js').GameTree} GameTree */
/** @typedef {import('./desk.js').About} About */

/** Shorter links are left as people can read them. */
const READABLE = 200;

/** No game of ours takes more: a link of a few kilobytes could stand for gigabytes. */
const LONGEST = 1_000_000;

/** How many bytes are unpacked at a time. */
const PART = 1024;

/** What a link says of a game, in the order of the link. */
export const ABOUT = /** @type {const} */ (['black', 'white', 'event', 'date', 'title']);

/**
 * A game read from a link.
 * @typedef {object} Linked
 * @property {import('./rules.js').Position} start
 * @property {string} tree
 * @property {string} at
 * @property {Partial<About>} about
 * @property {string} fault a sentence if the link is broken
 */

/**
 * @param {GameTree} tree
 * @param {Partial<About>} [about]
 */
export function gameFragment(tree, about = {}) {
  const parts = [];
  const { cells, mover } = tree.root.position;
  if (cells !== START.cells || mover !== START.mover) parts.push(`start=${cells}${mover}`);
  const moves = printTree(tree.root);
  if (moves) parts.push(`moves=${moves}`);
  const at = printPlace(tree.current);
  if (at !== String(tree.root.end().ply)) parts.push(`at=${at}`);
  for (const name of ABOUT) {
    if (about[name]) parts.push(`${name}=${encodeURIComponent(about[name] ?? '')}`);
  }
  return parts.join('&');
}

/**
 * The link to send: compressed if that is shorter.
 * @param {GameTree} tree
 * @param {About} about
 */
export async function shareLink(tree, about) {
  const fragment = gameFragment(tree, about);
  const { origin, pathname } = location;
  const base = `${origin}${pathname}`;
  if (!fragment) return base;
  if (fragment.length < READABLE) return `${base}#${fragment}`;
  const squeezed = `z=${await squeeze(fragment)}`;
  return `${base}#${squeezed.length < fragment.length ? squeezed : fragment}`;
}

/**
 * @param {string} fragment without the #
 * @returns {Promise<Linked | null>} `null` if it is about no game
 */
export async function readFragment(fragment) {
  if (!fragment.startsWith('z=')) return readParts(fragment);
  try {
    return readParts(await release(fragment.slice(2)));
  } catch {
    return broken(text.link.damaged);
  }
}

/** @param {string} fault @returns {Linked} */
const broken = (fault) => ({ start: START, tree: '', at: '', about: {}, fault });

/** @param {string} fragment @returns {Linked | null} */
function readParts(fragment) {
  // Not URLSearchParams: percent signs inside comments stay as they are.
  const parts = new Map(
    fragment.split('&').map((part) => {
      const [, name, value] = part.match(/^(\w+)=(.*)$/s) ?? [];
      return [name, value];
    }),
  );
  if (!parts.has('start') && !parts.has('moves')) return fragment ? broken(text.link.unknown) : null;
  const start = parts.has('start') ? parsePosition(decode(parts.get('start'))) : START;
  if (!start) return broken(text.link.start);
  const moves = brackets(parts.get('moves') ?? '');
  const read = readTree(start, moves);
  const at = parts.get('at') ?? '';
  const about = Object.fromEntries(
    ABOUT.flatMap((name) => (parts.has(name) ? [[name, short(decode(parts.get(name)))]] : [])),
  );
  return {
    start,
    tree: printTree(read.root),
    at: read.fault ? '' : printPlace(findPlace(read.root, at)),
    about,
    fault: read.fault ? text.link.fault(read.fault) : '',
  };
}

/** Cut between letters: half of one could not be put into a link again. @param {string} name */
const short = (name) => [...name.slice(0, 1000)].slice(0, 200).join('');

/** Messengers encode brackets and braces. @param {string} moves */
const brackets = (moves) =>
  moves.replace(/%(28|29|7B|7D)/gi, (_, code) => String.fromCharCode(parseInt(code, 16)));

/** @param {string | undefined} part */
function decode(part = '') {
  try {
    return decodeURIComponent(part.replaceAll('+', ' '));
  } catch {
    return part;
  }
}

/** @param {string} plain */
async function squeeze(plain) {
  const stream = new Blob([plain]).stream().pipeThrough(new CompressionStream('deflate-raw'));
  const bytes = new Uint8Array(await new Response(stream).arrayBuffer());
  const letters = btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(''));
  return letters.replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');
}

/** @param {string} squeezed */
async function release(squeezed) {
  const letters = atob(squeezed.replaceAll('-', '+').replaceAll('_', '/'));
  const bytes = Uint8Array.from(letters, (letter) => letter.charCodeAt(0));
  let at = 0;
  /** @type {ReadableStream<Uint8Array<ArrayBuffer>>} */
  const packed = new ReadableStream({
    pull(reader) {
      if (at < bytes.length) reader.enqueue(bytes.slice(at, (at += PART)));
      else reader.close();
    },
  });
  const reader = packed.pipeThrough(new DecompressionStream('deflate-raw')).getReader();
  const parts = [];
  for (let size = 0; ; ) {
    const { done, value } = await reader.read();
    if (done) return new Blob(parts).text();
    size += value.length;
    if (size > LONGEST) {
      reader.cancel();
      throw new RangeError('a link without an end');
    }
    parts.push(value);
  }
}

/**
 * Do two links mean the same place of the same game?
 * @param {GameTree} tree
 * @param {Linked} linked
 */
export const isSame = (tree, linked) =>
  printPosition(tree.root.position) === printPosition(linked.start) &&
  printTree(tree.root) === linked.tree && printPlace(tree.current) === linked.at;
