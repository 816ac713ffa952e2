// The opening book: its moves in the position on the board, and the name of
// the opening.

import * as api from './api.js';
import { h, replace } from './dom.js';
import { percent, whole } from './format.js';
import { problem } from './notice.js';
import { LEAFING, pause } from './pause.js';
import { isOver, printPosition, squareName, squareNumber } from './rules.js';
import { text } from './text.js';

/** @typedef {import('./studio.js').Studio} Studio */

/** @param {Studio} studio */
export function explorer(studio) {
  let visible = false;
  /** @type {AbortController | null} */
  let asking = null;
  const content = h('div', { class: 'explorer', 'aria-live': 'polite' });
  const root = h('div', { class: 'panel-body' }, content);

  const ask = async () => {
    if (!visible || studio.draft) return;
    asking?.abort();
    const request = new AbortController();
    asking = request;
    const { tree } = studio;
    const moves = tree.current.path().map((node) => squareName(node.move)).join('');
    try {
      await pause(LEAFING);
      if (request.signal.aborted) return;
      const said = await api.book(printPosition(tree.root.position), moves, request.signal);
      if (!request.signal.aborted) replace(content, view(studio, said));
    } catch (error) {
      if (!request.signal.aborted) replace(content, problem(api.sentence(error), ask));
    }
  };
  studio.tree.on('moved', ask);

  return {
    root,
    /** @param {boolean} now */
    visible(now) {
      visible = now;
      if (now) ask();
      else asking?.abort();
    },
  };
}

/**
 * @param {Studio} studio
 * @param {api.Book} said
 */
function view(studio, said) {
  const name = h('h2', { class: 'opening' }, said.opening ?? text.book.unnamed);
  if (isOver(studio.tree.current.position)) return [name, h('p', { class: 'empty' }, text.book.over)];
  if (!said.positions) return [name, h('p', { class: 'empty' }, text.book.none)];
  if (!said.moves.length) return [name, h('p', { class: 'empty' }, text.book.unknown)];
  const side = text.sides[said.mover];
  return [
    name,
    h('p', {}, text.book.value(side, odds(said), reliability(said))),
    h(
      'table',
      { class: 'book' },
      h('caption', { class: 'unseen' }, text.book.caption),
      h('thead', {}, h('tr', {}, text.book.columns.map((column) => h('th', { scope: 'col' }, column)))),
      h('tbody', {}, said.moves.map((move) => row(studio, move))),
    ),
    h('p', { class: 'hint' }, text.book.legend(whole(said.positions))),
  ];
}

/**
 * @param {Studio} studio
 * @param {api.BookMove} move
 */
function row(studio, move) {
  const follow = () => studio.tree.play(squareNumber(move.move));
  return h(
    'tr',
    {},
    h('th', { scope: 'row' }, h('button', { type: 'button', class: 'quiet', onclick: follow }, move.move)),
    h('td', {}, odds(move)),
    h('td', {}, reliability(move)),
    h('td', {}, results(move.games.human)),
    h('td', {}, results(move.games.engine)),
    h('td', { class: 'name' }, move.opening ?? (move.examined ? '' : text.book.deviation)),
  );
}

/** @param {{ probability: number | null, outcome?: api.Outcome | null }} said */
const odds = ({ probability, outcome }) =>
  outcome ? text.book.outcomes[outcome] : probability === null ? '–' : percent(probability);

/** @param {{ solved: boolean, depth: number }} said */
const reliability = ({ solved, depth }) => (solved ? text.book.proven : text.book.depth(depth));

/** @param {[number, number, number]} counts */
const results = (counts) => (counts.some((count) => count > 0) ? counts.map(whole).join('–') : '');
