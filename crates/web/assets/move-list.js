// The moves of the game with their variations; a press goes there.

import { h, replace } from './dom.js';
import { toast } from './notice.js';
import { lost } from './review-summary.js';
import { squareName } from './rules.js';
import { text } from './text.js';

/** @typedef {import('./studio.js').Studio} Studio */
/** @typedef {import('./game-tree.js').Node} GameNode */

/**
 * @param {Studio} studio
 * @param {() => void} undo
 * @param {HTMLElement} comment the box to write in
 */
export function moveList(studio, undo, comment) {
  const { tree } = studio;
  const list = h('div', { class: 'moves', role: 'group', 'aria-label': text.moves.title });
  const tools = h('div', { class: 'move-tools' });
  /** @type {Map<GameNode, HTMLElement>} */
  const buttons = new Map();

  /** @param {GameNode} node */
  const button = (node) => {
    const grade = studio.grades.get(node);
    const side = node.by === 'X' ? text.sides.black : text.sides.white;
    const name = squareName(node.move);
    const view = h(
      'button',
      {
        class: `move ${node.by === 'X' ? 'black' : 'white'}`,
        type: 'button',
        'data-grade': grade?.grade,
        title: grade && text.review.tooltip(grade.grade, lost(grade), grade.best),
        'aria-label': text.moves.label(node.ply, side, name, grade && text.grades[grade.grade]),
        onclick: () => tree.goTo(node),
      },
      h('span', { class: `dot ${node.by === 'X' ? 'black' : 'white'}`, 'aria-hidden': 'true' }),
      name,
      grade && h('span', { class: 'glyph' }, text.glyphs[grade.grade]),
      node.comment && h('span', { class: 'note', 'aria-hidden': 'true' }, '✎'),
    );
    buttons.set(node, view);
    return view;
  };

  /**
   * A run of moves from `first` on, with the variations at each move.
   * @param {GameNode} first
   * @returns {HTMLElement}
   */
  const run = (first) => {
    const items = [];
    /** @type {GameNode | undefined} */
    let node = first;
    let numbered = false;
    while (node) {
      const black = node.by === 'X';
      // A number stays on the line of its move.
      if (!numbered || black) items.push(h('span', { class: 'numbered' }, h('span', { class: 'number' }, `${node.ply}.`), button(node)));
      else items.push(button(node));
      numbered = true;
      if (node.passed) items.push(h('span', { class: `pass ${black ? 'white' : 'black'}` }, text.moves.pass));
      const rivals = node === first ? [] : siblings(node);
      if (rivals.length) {
        items.push(h('div', { class: 'variations' }, rivals.map(run)));
        numbered = false;
      }
      node = node.children[0];
    }
    return h('div', { class: 'run' }, items);
  };

  const mark = () => {
    for (const [node, view] of buttons) {
      if (node === tree.current) view.setAttribute('aria-current', 'true');
      else view.removeAttribute('aria-current');
    }
    const view = buttons.get(tree.current);
    if (view) scrollInside(list, view);
    else list.scrollTop = 0;
    const inVariation = tree.current.path().some((node) => siblingIndex(node) > 0);
    replace(
      tools,
      inVariation &&
        h(
          'button',
          { type: 'button', class: 'quiet', onclick: () => tree.promote(tree.current) },
          text.moves.promote,
        ),
      tree.current.parent &&
        h(
          'button',
          { type: 'button', class: 'quiet', onclick: remove },
          text.moves.remove,
        ),
    );
  };

  const remove = () => {
    if (studio.playing) return;
    tree.remove(tree.current);
    toast(text.moves.removed, { label: text.undo, run: undo });
  };

  const show = () => {
    buttons.clear();
    const [main, ...others] = tree.root.children;
    replace(
      list,
      main ? run(main) : h('p', { class: 'empty' }, text.moves.none),
      others.length > 0 && h('div', { class: 'variations' }, others.map(run)),
    );
    mark();
  };
  tree.on('changed', show);
  tree.on('moved', mark);
  studio.on('graded', show);
  show();
  return h(
    'section',
    { class: 'card moves-card', 'aria-labelledby': 'moves-title' },
    h('h2', { id: 'moves-title' }, text.moves.title),
    list,
    comment,
    tools,
  );
}

/** Other moves at the place of a main move. @param {GameNode} node */
const siblings = (node) =>
  siblingIndex(node) === 0 ? (node.parent?.children ?? []).slice(1) : [];

/** @param {GameNode} node */
const siblingIndex = (node) => node.parent?.children.indexOf(node) ?? 0;

/**
 * Scrolls only the list: `scrollIntoView` would move the whole page. Measured
 * on the screen, since a move may stand in a positioned element of its own.
 * @param {HTMLElement} list
 * @param {HTMLElement} item
 */
function scrollInside(list, item) {
  const [outer, inner] = [list.getBoundingClientRect(), item.getBoundingClientRect()];
  // A row of room on both sides shows where the game comes from and goes.
  const room = Math.min(40, outer.height / 4);
  if (inner.top < outer.top + room) list.scrollTop -= outer.top + room - inner.top;
  else if (inner.bottom > outer.bottom - room) list.scrollTop += inner.bottom - outer.bottom + room;
}
