// The board on the screen: an ARIA grid that mouse, touch and keys can use.

import { h, vary } from './dom.js';
import { EMPTY, flips, legalMoves, squareName } from './rules.js';
import { clack } from './sound.js';
import { text } from './text.js';

/** @typedef {import('./studio.js').Studio} Studio */
/** @typedef {import('./game-tree.js').Node} GameNode */

const FILES = [...'abcdefgh'];

/** @param {Studio} studio */
export function boardView(studio) {
  const cells = Array.from({ length: 64 }, (_, square) => cellView(square));
  let cursor = 27;
  /** @type {HTMLElement | null} the disc of the last move */
  let placed = null;

  const grid = h(
    'div',
    { class: 'grid', role: 'grid', id: 'board', 'aria-label': text.board.label },
    FILES.map((_, rank) =>
      h('div', { class: 'rank', role: 'row' }, cells.slice(8 * rank, 8 * rank + 8).map((c) => c.root)),
    ),
  );
  const board = h(
    'div',
    { class: 'board' },
    h('div', { class: 'files', 'aria-hidden': 'true' }, FILES.map((file) => h('span', {}, file))),
    h('div', { class: 'ranks', 'aria-hidden': 'true' }, FILES.map((_, i) => h('span', {}, i + 1))),
    grid,
  );

  /** @param {number} square */
  const moveCursor = (square) => {
    cells[cursor].root.tabIndex = -1;
    cursor = square;
    cells[cursor].root.tabIndex = 0;
  };
  moveCursor(cursor);

  grid.addEventListener('focusin', (event) => {
    const square = squareOf(event.target);
    if (square !== null) moveCursor(square);
  });
  // A press must not take the focus from the page: arrow keys would then move
  // the cursor and no longer step through the game.
  grid.addEventListener('mousedown', (event) => event.preventDefault());
  grid.addEventListener('click', (event) => {
    const square = squareOf(event.target);
    if (square !== null && !studio.paints) studio.press(square);
  });
  let painted = -1;
  /** @param {PointerEvent} event @param {boolean} first */
  const paint = (event, first) => {
    const square = squareOf(document.elementFromPoint(event.clientX, event.clientY));
    if (!studio.paints || square === null || (square === painted && !first)) return;
    painted = square;
    studio.paints(square, { right: event.buttons === 2 || event.button === 2, first });
  };
  grid.addEventListener('pointerdown', (event) => paint(event, true));
  grid.addEventListener('pointermove', (event) => {
    if (event.buttons) paint(event, false);
  });
  grid.addEventListener('contextmenu', (event) => {
    if (studio.paints) event.preventDefault();
  });
  grid.addEventListener('keydown', (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const to = cursorAfter(event.key, cursor);
    if (to !== null) {
      cells[to].root.focus();
    } else if (event.key === 'Enter' || event.key === ' ') {
      studio.press(cursor);
    } else {
      return;
    }
    event.preventDefault();
    event.stopPropagation();
  });

  const show = () => {
    const { current } = studio.tree;
    const { draft, preview, puzzle } = studio;
    const position = puzzle ?? current.position;
    const legal = new Set(draft || preview ? [] : legalMoves(position));
    const shown = draft ?? preview?.cells ?? position.cells;
    if (draft || preview || puzzle) board.classList.add('still');
    board.classList.toggle('previewing', Boolean(preview));
    cells.forEach((cell, square) => {
      const free = shown[square] === EMPTY;
      const label = free && !draft && !preview && !puzzle ? studio.labels.get(square) : undefined;
      cell.disc.dataset.color = shown[square];
      cell.label.textContent = label?.text ?? String(preview?.moves.get(square) ?? '');
      set(cell.root, 'legal', legal.has(square) && position.mover);
      set(cell.root, 'last', !draft && !preview && !puzzle && square === current.move);
      set(cell.root, 'rank', label?.rank);
      set(cell.root, 'proven', label?.proven);
      set(cell.root, 'hint', !draft && square === studio.hint);
      set(cell.root, 'tint', studio.tints.get(square));
      const content = text.board.contents[/** @type {'X' | 'O' | '-'} */ (shown[square])];
      cell.root.setAttribute(
        'aria-label',
        text.board.square(squareName(square), content, {
          legal: legal.has(square),
          last: square === current.move && !draft,
          hint: square === studio.hint,
          note: label?.spoken,
        }),
      );
    });
  };

  /** @param {{ from: GameNode, to: GameNode }} step */
  const animate = ({ from, to }) => {
    const forward = to.parent === from;
    placed?.classList.remove('placed');
    board.classList.toggle('still', !forward);
    if (!forward) return;
    const turned = flips(from.position, to.move);
    for (const square of turned) {
      vary(cells[square].disc, { delay: `${30 * (distance(square, to.move) - 1)}ms` });
    }
    placed = cells[to.move].disc;
    placed.classList.add('placed');
    clack();
  };

  studio.tree.on('moved', (step) => {
    animate(step);
    show();
  });
  studio.on('overlay', show);
  show();
  return board;
}

/** @param {number} square */
function cellView(square) {
  const disc = h('span', { class: 'disc' }, h('i'), h('b'));
  const label = h('span', { class: 'label', 'aria-hidden': 'true' });
  const root = h('div', { class: 'cell', role: 'gridcell', tabindex: -1 }, disc, label);
  root.dataset.square = String(square);
  return { root, disc, label };
}

/**
 * @param {HTMLElement} element
 * @param {string} name
 * @param {unknown} value `false` and `undefined` take it away
 */
function set(element, name, value) {
  if (value === false || value === undefined) delete element.dataset[name];
  else element.dataset[name] = String(value);
}

/** @param {EventTarget | null} target */
function squareOf(target) {
  const cell = target instanceof Element ? target.closest('.cell') : null;
  return cell instanceof HTMLElement ? Number(cell.dataset.square) : null;
}

/**
 * Where a key takes the cursor; `null` if it is no such key.
 * @param {string} key
 * @param {number} square
 */
function cursorAfter(key, square) {
  const [file, rank] = [square % 8, Math.floor(square / 8)];
  switch (key) {
    case 'ArrowLeft': return 8 * rank + Math.max(0, file - 1);
    case 'ArrowRight': return 8 * rank + Math.min(7, file + 1);
    case 'ArrowUp': return 8 * Math.max(0, rank - 1) + file;
    case 'ArrowDown': return 8 * Math.min(7, rank + 1) + file;
    case 'Home': return 8 * rank;
    case 'End': return 8 * rank + 7;
    default: return null;
  }
}

/** @param {number} a @param {number} b */
const distance = (a, b) =>
  Math.max(Math.abs((a % 8) - (b % 8)), Math.abs(Math.floor(a / 8) - Math.floor(b / 8)));
