// Feeds the parser of the page's address (`#moves=…`, `#z=…`) with made-up
// fragments: `node fuzz/page.mjs SECONDS`, called by scripts/fuzz as the target
// `page`. Whatever comes in, a game or a sentence comes out, soon; what is read
// is printed to something that reads the same; and no fragment, however packed,
// becomes more than a megabyte.

import { cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { deflateRawSync } from 'node:zlib';

const seconds = Number(process.argv[2] ?? 60);

// Older Node takes the page's files for CommonJS where they are.
const place = mkdtempSync(join(tmpdir(), 'page-'));
cpSync(new URL('../crates/web/assets', import.meta.url).pathname, place, { recursive: true });
writeFileSync(join(place, 'package.json'), '{"type":"module"}');
process.on('exit', () => rmSync(place, { recursive: true }));

// What the page finds in a browser.
globalThis.localStorage = { getItem: () => null, setItem: () => {} };
globalThis.document = { documentElement: {} };
Object.defineProperty(globalThis, 'navigator', { value: { languages: ['en'] } });

const { gameFragment, readFragment } = await import(join(place, 'link.js'));
const { findPlace, readTree } = await import(join(place, 'tree-text.js'));
const { GameTree } = await import(join(place, 'game-tree.js'));

let state = 1;
const below = (bound) => {
  state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
  return Math.floor((state / 4294967296) * bound);
};
const pick = (list) => list[below(list.length)];

const SEEDS = [
  '',
  'moves=f5d6c3d3c4',
  'moves=f5d6(f6e6)c3{a%20note}&at=2',
  'start=---------------------------OX------XO---------------------------X&moves=f5',
  'moves=f5f6e6f4&black=Ada&white=Bo&event=x&date=2026&title=%F0%9F%99%82',
  'moves=f5%28d6%29c4%7Bx%7D&at=f5d6',
  `start=${'X'.repeat(63)}-O`,
  `moves=f5&title=${'x'.repeat(199)}🙂`,
];
const WORDS = ['f5', 'd6', 'a1', 'h8', '(', ')', '{', '}', '--', 'pass', '%', '%7B', '&', '=', 'at=', 'moves=',
  'start=', 'z=', 'black=', 'title=', '+', '-', 'é', '\u0000', '🙂', '9999999999', 'X', 'O', ' '];

/** @param {string} text */
function mutated(text) {
  let out = text;
  for (let times = 1 + below(5); times > 0; times--) {
    const at = below(out.length + 1);
    const end = at + below(6);
    out = pick([
      () => out.slice(0, at) + pick(WORDS) + out.slice(at),
      () => out.slice(0, at) + out.slice(end),
      () => out.slice(0, at) + String.fromCharCode(below(below(2) ? 128 : 65536)) + out.slice(at + 1),
      () => out.slice(0, at) + out.slice(below(out.length + 1), below(out.length + 1)) + out.slice(at),
      () => out + pick(SEEDS),
    ])();
  }
  // An address has no halves of letters.
  return Buffer.from(out.slice(0, 4000)).toString();
}

/** @param {Buffer} bytes */
const packed = (bytes) => `z=${bytes.toString('base64').replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '')}`;

/** Sixty megabytes. */
const BOMB = packed(deflateRawSync(Buffer.alloc(60_000_000, 'moves=f5')));

/** @param {string} fragment */
async function check(fragment) {
  // On a busy machine the clock says nothing.
  const begun = process.cpuUsage();
  const linked = await readFragment(fragment);
  if (linked) {
    const { start, tree, at, about, fault } = linked;
    if (typeof fault !== 'string' || !/^[XO-]{64}$/.test(start.cells)) throw new Error('no game');
    if (Object.values(about).some((word) => [...word].length > 200)) throw new Error('a long name');
    const read = readTree(start, tree);
    if (read.fault) throw new Error(`our own tree: ${tree}`);
    const game = new GameTree(start);
    game.show(read.root, findPlace(read.root, at));
    const again = await readFragment(gameFragment(game, about));
    if (again && (again.tree !== tree || (!fault && again.at !== at))) throw new Error(`not the same: ${again.tree}`);
    if (!again && tree) throw new Error('lost');
  }
  const took = process.cpuUsage(begun).user / 1e6;
  if (took > 10) throw new Error(`took ${took} s`);
}

const corpus = [...SEEDS];
const shapes = new Set();
const end = performance.now() + 1000 * seconds;
let inputs = 0;
for (; performance.now() < end; inputs++) {
  let fragment = mutated(pick(corpus));
  const plain = fragment;
  const kind = below(20);
  if (kind === 0) {
    const bytes = deflateRawSync(Buffer.from(plain));
    if (below(2)) bytes[below(bytes.length)] ^= 1 << below(8);
    fragment = packed(bytes);
  } else if (kind === 1 && below(100) === 0) {
    fragment = BOMB;
  }
  try {
    await check(fragment);
  } catch (error) {
    console.log(`finding: ${JSON.stringify(fragment.slice(0, 2000))}\n${error.stack}`);
    console.log(`inputs: ${inputs}`);
    process.exit(1);
  }
  // What is read to an unknown shape is worth changing further.
  const linked = kind > 1 ? await readFragment(plain) : null;
  const shape = linked && `${linked.tree.length >> 2} ${linked.at} ${linked.fault.slice(0, 20)}`;
  if (shape && !shapes.has(shape) && corpus.length < 5000) {
    shapes.add(shape);
    corpus.push(plain);
  }
}
if (process.memoryUsage().rss > 2 ** 30) {
  console.log(`finding: ${process.memoryUsage().rss} bytes of memory`);
  process.exit(1);
}
console.log(`inputs: ${inputs}`);
