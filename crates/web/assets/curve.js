// Black's winning probability over the game, with its errors. A slider for
// the keyboard: arrows step through the game.

import { h, replace, svg } from './dom.js';
import { percent } from './format.js';
import { squareName } from './rules.js';
import { text } from './text.js';

/** @typedef {import('./studio.js').Studio} Studio */
/** @typedef {import('./game-tree.js').Node} GameNode */
/** @typedef {import('./api.js').ReviewedMove} ReviewedMove */

const [WIDTH, HEIGHT] = [400, 190];
const EDGE = { left: 28, right: 8, top: 10, bottom: 22 };

/** @param {Studio} studio */
export function curve(studio) {
  /** @type {GameNode[]} */
  let line = [];
  /** @type {ReadonlyMap<GameNode, ReviewedMove>} */
  let grades = new Map();

  const drawing = svg('svg', { class: 'curve', viewBox: `0 0 ${WIDTH} ${HEIGHT}`, 'aria-hidden': 'true' });
  const cursor = svg('line', { class: 'cursor', y1: EDGE.top, y2: HEIGHT - EDGE.bottom });
  const slider = h('div', {
    class: 'curve-slider',
    role: 'slider',
    tabindex: 0,
    'aria-label': text.curve.label,
    'aria-valuemin': 0,
  }, drawing);
  const legend = h(
    'p',
    { class: 'legend', 'aria-hidden': 'true' },
    /** @type {const} */ (['inaccuracy', 'mistake', 'blunder']).map((grade) =>
      h('span', {}, svg('svg', { viewBox: '-8 -8 16 16', class: 'mark' }, mark(grade, 0, 0)), text.grades[grade]),
    ),
  );
  const root = h('figure', { class: 'figure', hidden: true }, slider, legend);

  /** @param {number} ply */
  const x = (ply) =>
    EDGE.left + (ply / Math.max(1, line.length)) * (WIDTH - EDGE.left - EDGE.right);
  /** @param {number} probability */
  const y = (probability) => EDGE.top + (1 - probability) * (HEIGHT - EDGE.top - EDGE.bottom);

  const showCursor = () => {
    const at = line.includes(studio.tree.current) ? studio.tree.current.ply : null;
    cursor.toggleAttribute('hidden', at === null);
    cursor.setAttribute('x1', String(x(at ?? 0)));
    cursor.setAttribute('x2', String(x(at ?? 0)));
    slider.setAttribute('aria-valuemax', String(line.length));
    slider.setAttribute('aria-valuenow', String(at ?? 0));
    const node = studio.tree.current;
    const move = grades.get(node);
    slider.setAttribute(
      'aria-valuetext',
      at === null || !node.parent
        ? text.curve.start
        : text.curve.value(
            node.ply,
            text.sides[node.by === 'X' ? 'black' : 'white'],
            squareName(node.move),
            move ? percent(move.black_probability) : text.curve.unknown,
            move && text.grades[move.grade],
          ),
    );
  };

  const show = () => {
    root.hidden = !line.length;
    const judged = line.filter((node) => grades.has(node));
    const points = judged.map((node) => ({
      node,
      move: /** @type {ReviewedMove} */ (grades.get(node)),
    }));
    const path = points.map(({ node, move }) => `${x(node.ply)},${y(move.black_probability)}`);
    const first = Math.max(0, (points[0]?.node.ply ?? 0) - 1);
    if (points.length) path.unshift(`${x(first)},${y(blackBefore(points[0].move))}`);
    const last = points.at(-1)?.node.ply ?? 0;
    replace(
      drawing,
      svg('rect', {
        class: 'ground', x: EDGE.left, y: EDGE.top,
        width: WIDTH - EDGE.left - EDGE.right, height: HEIGHT - EDGE.top - EDGE.bottom,
      }),
      path.length > 1 &&
        svg('polygon', {
          class: 'area',
          points: `${x(first)},${y(0)} ${path.join(' ')} ${x(last)},${y(0)}`,
        }),
      [0, 0.25, 0.5, 0.75, 1].map((value) => [
        svg('line', {
          class: value === 0.5 ? 'middle' : 'rule',
          x1: EDGE.left, x2: WIDTH - EDGE.right, y1: y(value), y2: y(value),
        }),
        value !== 0.25 && value !== 0.75 &&
          svg('text', { x: EDGE.left - 6, y: y(value) + 4, class: 'tick end' }, `${100 * value}`),
      ]),
      ticks(line.length).map((ply) =>
        svg('text', { x: x(ply), y: HEIGHT - 5, class: 'tick middle' }, ply),
      ),
      path.length > 1 && svg('polyline', { class: 'line', points: path.join(' ') }),
      points.map(({ node, move }) => mark(move.grade, x(node.ply), y(move.black_probability))),
      cursor,
    );
    showCursor();
  };

  /** @param {PointerEvent} event */
  const jump = (event) => {
    const box = drawing.getBoundingClientRect();
    const at = ((event.clientX - box.left) / box.width) * WIDTH;
    const share = (at - EDGE.left) / (WIDTH - EDGE.left - EDGE.right);
    const ply = Math.round(Math.min(1, Math.max(0, share)) * line.length);
    studio.tree.goTo(ply === 0 ? studio.tree.root : line[ply - 1]);
  };
  slider.addEventListener('pointerdown', (event) => {
    slider.setPointerCapture(event.pointerId);
    jump(event);
  });
  slider.addEventListener('pointermove', (event) => {
    if (slider.hasPointerCapture(event.pointerId)) jump(event);
  });
  slider.addEventListener('keydown', (event) => {
    const { tree } = studio;
    const ply = line.includes(tree.current) ? tree.current.ply : 0;
    const to = {
      ArrowLeft: ply - 1, ArrowDown: ply - 1, ArrowRight: ply + 1, ArrowUp: ply + 1,
      PageUp: ply + 10, PageDown: ply - 10, Home: 0, End: line.length,
    }[event.key];
    if (to === undefined) return;
    event.preventDefault();
    const bounded = Math.min(line.length, Math.max(0, to));
    tree.goTo(bounded === 0 ? tree.root : line[bounded - 1]);
  });
  studio.tree.on('moved', showCursor);

  return {
    root,
    /**
     * @param {GameNode[]} nodes
     * @param {ReadonlyMap<GameNode, ReviewedMove>} judgements
     */
    show(nodes, judgements) {
      [line, grades] = [nodes, judgements];
      show();
    },
  };
}

/**
 * Black's probability before a move: what the best move would have kept.
 * @param {ReviewedMove} move
 */
const blackBefore = ({ mover, probability_best: best }) => (mover === 'black' ? best : 1 - best);

/** @param {number} length */
const ticks = (length) =>
  Array.from({ length: Math.floor(length / 10) + 1 }, (_, i) => 10 * i);

/**
 * Errors differ in shape as well as in colour.
 * @param {import('./api.js').Grade} grade
 * @param {number} x
 * @param {number} y
 */
function mark(grade, x, y) {
  const shape = {
    best: '', good: '',
    inaccuracy: 'M-3.5,0 A3.5,3.5 0 1 1 3.5,0 A3.5,3.5 0 1 1 -3.5,0Z',
    mistake: 'M0,-6.5 L6,4.5 L-6,4.5Z',
    blunder: 'M0,-7 L7,0 L0,7 L-7,0Z',
  }[grade];
  return shape ? svg('path', { d: shape, class: `error ${grade}`, transform: `translate(${x} ${y})` }) : null;
}
