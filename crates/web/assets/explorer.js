// The opening book: its moves in the position on the board, and the name of
// the opening.

import * as api from './api.js';
import { h, replace } from './dom.js';
import { percent, whole } from './format.js';
import { continuations, placeOf } from './library.js';
import { problem } from './notice.js';
import { LEAFING, pause } from './pause.js';
import { isOver, printPosition, squareName, squareNumber } from './rules.js';
import { text } from './text.js';

/** @typedef {import('./studio.js').Studio} Studio */

/** Whose games a book counts. */
const PLAYERS = /** @type {const} */ (['human', 'engine']);

/**
 * @param {Studio} studio
 * @param {(place: import('./library.js').Place) => void} showGames
 */
export function explorer(studio, showGames) {
  let visible = false;
  /** @type {AbortController | null} */
  let asking = null;
  const content = h('div', { class: 'explorer', 'aria-live': 'polite' });
  const played = h('div', { class: 'explorer' });
  const root = h('div', { class: 'panel-body' }, content, played);

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
      if (request.signal.aborted) return;
      replace(content, view(studio, said));
      await askLibrary(request.signal);
    } catch (error) {
      if (!request.signal.aborted) replace(content, problem(api.sentence(error), ask));
    }
  };

  /** What the games of the library did here. @param {AbortSignal} signal */
  const askLibrary = async (signal) => {
    if (!studio.info?.library) return;
    const place = placeOf(studio.tree.current);
    const { start, moves } = place;
    const found = await api.library({ start, moves, rows: '0' }, signal);
    if (signal.aborted) return;
    const { library: words } = text;
    replace(
      played,
      h('h3', {}, words.explored),
      found.moves.length > 0 && continuations(studio, found.moves),
      found.games > 0
        ? h('div', { class: 'row' },
          h('button', { type: 'button', onclick: () => showGames(place) }, words.show(whole(found.games))))
        : h('p', { class: 'hint' }, words.nobody),
    );
  };

  studio.tree.on('moved', ask);
  studio.on('info', ask);

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
  const name = h('h2', { class: 'opening' }, said.opening ? text.opening(said.opening) : text.book.unnamed);
  if (isOver(studio.tree.current.position)) return [name, h('p', { class: 'empty' }, text.book.over)];
  if (!said.positions) return [name, h('p', { class: 'empty' }, text.book.none), h('pre', { tabindex: 0 }, text.book.command)];
  if (!said.moves.length) return [name, h('p', { class: 'empty' }, text.book.unknown)];
  const side = text.sides[said.mover];
  const players = PLAYERS.filter((who) => said.moves.some(({ games }) => results(games[who])));
  const { columns: words } = text.book;
  const columns = [words.move, words.wins, words.reliability, ...players.map((who) => words[who]), ''];
  return [
    name,
    h('p', {}, text.book.value(side, odds(said), reliability(said))),
    h(
      'div',
      { class: 'scroll', role: 'region', 'aria-label': text.book.caption, tabindex: 0 },
      h(
        'table',
        { class: 'book' },
        h('caption', { class: 'unseen' }, text.book.caption),
        h('thead', {}, h('tr', {}, columns.map((column) => h('th', { scope: 'col' }, column)))),
        h('tbody', {}, said.moves.map((move) => row(studio, move, players))),
      ),
    ),
    h('p', { class: 'hint' }, text.book.legend(whole(said.positions))),
  ];
}

/**
 * @param {Studio} studio
 * @param {api.BookMove} move
 * @param {(typeof PLAYERS[number])[]} players whose games have a column
 */
function row(studio, move, players) {
  const follow = () => studio.tree.play(squareNumber(move.move));
  return h(
    'tr',
    {},
    h('th', { scope: 'row' }, h('button', { type: 'button', class: 'quiet', onclick: follow }, move.move)),
    h('td', {}, odds(move)),
    h('td', {}, reliability(move)),
    players.map((who) => h('td', {}, results(move.games[who]))),
    h('td', { class: 'name' }, move.opening ? text.opening(move.opening) : (move.examined ? '' : text.book.deviation)),
  );
}

/** @param {{ probability: number | null, outcome?: api.Outcome | null }} said */
const odds = ({ probability, outcome }) =>
  outcome ? text.book.outcomes[outcome] : probability === null ? '–' : percent(probability);

/** @param {{ solved: boolean, depth: number }} said */
const reliability = ({ solved, depth }) => (solved ? text.book.proven : text.book.depth(depth));

/** @param {[number, number, number]} counts */
const results = (counts) => (counts.some((count) => count > 0) ? counts.map(whole).join('–') : '');
