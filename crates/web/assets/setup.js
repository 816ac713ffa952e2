// Setting up any position: paint discs, choose the side to move.

import { announce } from './announcer.js';
import { choice } from './fields.js';
import { h, replace } from './dom.js';
import { START, EMPTY, canMove, count, isOver, other, pass, squareName } from './rules.js';
import { text } from './text.js';

/** @typedef {import('./studio.js').Studio} Studio */
/** @typedef {import('./rules.js').Position} Position */
/** @typedef {import('./rules.js').Color} Color */
/** @typedef {Color | typeof EMPTY} Paint */

/**
 * @param {Studio} studio
 * @param {() => void} entered
 */
export function setUp(studio, entered) {
  /** @type {Paint} */
  let paint = 'X';
  /** @type {Color} */
  let mover = 'X';
  let cells = START.cells;
  /** @type {Studio['presses']} */
  let formerPresses = null;
  /** @type {Paint} what a stroke over several squares puts there */
  let brush = 'X';

  const verdict = h('p', { class: 'verdict', role: 'status' });
  const use = h('button', { type: 'button', class: 'primary', onclick: () => finish() }, text.setup.use);
  const root = h('section', { class: 'card setup', hidden: true, 'aria-labelledby': 'setup-title' });

  const show = () => {
    const { sentence, usable } = judge({ cells, mover });
    verdict.textContent = sentence;
    verdict.classList.toggle('bad', !usable);
    use.disabled = !usable;
    studio.overlay({ draft: cells });
  };

  /** @param {number} square */
  const press = (square) => {
    const before = cells[square];
    // Painting a square twice empties it: one tool is enough for most boards.
    const after = before === paint ? EMPTY : paint;
    cells = cells.slice(0, square) + after + cells.slice(square + 1);
    announce(text.setup.painted(squareName(square), text.board.contents[after]));
    show();
  };

  /** @type {NonNullable<Studio['paints']>} */
  const stroke = (square, { right, first }) => {
    // The right button paints the other colour.
    const wanted = right && paint !== EMPTY ? other(paint) : right ? EMPTY : paint;
    if (first) brush = cells[square] === wanted ? EMPTY : wanted;
    if (cells[square] === brush) return;
    cells = cells.slice(0, square) + brush + cells.slice(square + 1);
    announce(text.setup.painted(squareName(square), text.board.contents[brush]));
    show();
  };

  const leave = () => {
    if (root.hidden) return;
    root.hidden = true;
    studio.presses = formerPresses;
    studio.paints = null;
    studio.overlay({ draft: null });
  };
  const finish = () => {
    leave();
    studio.desk.begin({ cells, mover });
  };

  /** @param {string} next */
  const become = (next) => {
    cells = next;
    show();
  };

  const build = () =>
    replace(
      root,
      h('h2', { id: 'setup-title' }, text.setup.title),
      h('p', { class: 'hint' }, text.setup.how),
      choice('paint', text.setup.paint, paint, [
        ['X', text.sides.black],
        ['O', text.sides.white],
        [EMPTY, text.setup.eraser],
      ], (value) => {
        paint = /** @type {Paint} */ (value);
      }),
      choice('mover', text.setup.mover, mover, [
        ['X', text.sides.black],
        ['O', text.sides.white],
      ], (value) => {
        mover = /** @type {Color} */ (value);
        show();
      }),
      h(
        'div',
        { class: 'row' },
        h('button', { type: 'button', onclick: () => become(EMPTY.repeat(64)) }, text.setup.clear),
        h('button', { type: 'button', onclick: () => become(START.cells) }, text.setup.start),
        h('button', { type: 'button', onclick: () => become(rearranged(cells, (file, rank) => [7 - file, rank])) }, text.setup.mirror),
        h('button', { type: 'button', onclick: () => become(rearranged(cells, (file, rank) => [rank, 7 - file])) }, text.setup.rotate),
      ),
      verdict,
      h('div', { class: 'row' }, use, h('button', { type: 'button', onclick: leave }, text.cancel)),
    );

  root.addEventListener('keydown', (event) => {
    if (event.key === 'Escape') leave();
  });
  return {
    root,
    leave,
    open() {
      if (!root.hidden) return;
      if (studio.playing) studio.emit('stopGame', null);
      ({ cells, mover } = studio.tree.current.position);
      formerPresses = studio.presses;
      studio.presses = press;
      studio.paints = stroke;
      build();
      root.hidden = false;
      entered();
      show();
      root.querySelector('input')?.focus();
    },
  };
}

/**
 * The same discs elsewhere.
 * @param {string} cells
 * @param {(file: number, rank: number) => [file: number, rank: number]} from
 */
const rearranged = (cells, from) =>
  Array.from(cells, (_, square) => {
    const [file, rank] = from(square % 8, Math.floor(square / 8));
    return cells[8 * rank + file];
  }).join('');

/**
 * What a position is worth as a start, in words.
 * @param {Position} position
 */
function judge(position) {
  const { black, white, empties } = count(position);
  const side = position.mover === 'X' ? text.sides.black : text.sides.white;
  const idle = other(position.mover) === 'X' ? text.sides.black : text.sides.white;
  if (empties === 64) return { usable: false, sentence: text.setup.nothing };
  if (!black || !white) return { usable: false, sentence: text.setup.oneColor };
  if (isOver(position)) return { usable: false, sentence: text.setup.over };
  if (!canMove(position) && canMove(pass(position))) {
    return { usable: true, sentence: text.setup.mustPass(side, idle) };
  }
  const hollow = [27, 28, 35, 36].some((square) => position.cells[square] === EMPTY);
  return {
    usable: true,
    sentence: hollow ? text.setup.hollow : text.setup.fine(black, white, side),
  };
}
