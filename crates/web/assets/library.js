// The library of games that the server was started with: search, and games
// put on the board.

import * as api from './api.js';
import { h, replace } from './dom.js';
import { points, signed, tally, whole } from './format.js';
import { playerReport } from './library-report.js';
import { loading, problem, toast } from './notice.js';
import { pause } from './pause.js';
import { START, count, parsePosition, printPosition, squareName, squareNumber } from './rules.js';
import { table } from './tables.js';
import { text } from './text.js';

/** @typedef {import('./studio.js').Studio} Studio */
/** @typedef {import('./api.js').LibraryGame} LibraryGame */
/** @typedef {{ start: string, moves: string, discs: number }} Place */

/** Games on a page. */
const ROWS = 50;
/** Milliseconds without a key before a search begins. */
const TYPING = 250;

/** Where a node is, as the server is asked for it. @type {(node: import('./game-tree.js').Node) => Place} */
export const placeOf = (node) => {
  const path = node.path();
  const root = path[0]?.parent ?? node;
  const { black, white } = count(node.position);
  return {
    start: printPosition(root.position),
    moves: path.map(({ move }) => squareName(move)).join(''),
    discs: black + white,
  };
};

/** @param {Studio} studio */
export function library(studio) {
  let visible = false;
  let skip = 0;
  /** @type {Place | null} */
  let place = null;
  /** @type {string | null} whose report is shown */
  let reported = null;
  /** @type {AbortController | null} */
  let asking = null;
  /** What the last answer was for. */
  let answered = '';

  /** @param {'player' | 'opponent' | 'event' | 'opening' | 'from' | 'to'} name */
  const input = (name) => {
    const list = h('datalist', { id: `library-${name}` });
    const suggests = name === 'player' || name === 'opponent' || name === 'event';
    const field = h('input', {
      type: name === 'from' || name === 'to' ? 'text' : 'search',
      inputmode: name === 'from' || name === 'to' ? 'numeric' : null,
      maxlength: name === 'from' || name === 'to' ? 4 : 100,
      autocomplete: 'off',
      name,
      list: suggests ? list.id : null,
      oninput: async () => {
        const typed = field.value;
        reported = null;
        await pause(TYPING);
        // Somebody may have pressed a name of the former answer meanwhile.
        if (field.value !== typed || reported) return;
        skip = 0;
        search();
        if (suggests && typed.trim()) suggest(name === 'event' ? 'event' : 'player', typed, list);
      },
    });
    return { field, label: h('label', { class: 'field' }, h('span', {}, text.library.fields[name]), field, suggests && list) };
  };
  const fields = {
    player: input('player'), opponent: input('opponent'), event: input('event'),
    opening: input('opening'), from: input('from'), to: input('to'),
  };
  const form = h(
    'form',
    { class: 'fields library-fields', role: 'search', onsubmit: (/** @type {Event} */ event) => {
      event.preventDefault();
      search();
    } },
    Object.values(fields).map(({ label }) => label),
  );
  const pin = h('div', { class: 'row pin' });
  const content = h('div', { class: 'library', 'aria-live': 'polite' });
  const root = h('div', { class: 'panel-body' }, form, pin, content);

  const wish = () => {
    /** @type {Record<string, string>} */
    const query = { skip: String(skip), rows: String(ROWS) };
    for (const [name, { field }] of Object.entries(fields)) {
      const value = field.value.trim();
      if (value && (!/^(from|to)$/.test(name) || /^\d{4}$/.test(value))) query[name] = name === 'opening' ? text.openingsLike(value) : value;
    }
    return place ? { ...query, start: place.start, moves: place.moves } : query;
  };

  const showPin = () =>
    replace(
      pin,
      h('button', { type: 'button', onclick: () => pinPlace(placeOf(studio.tree.current)) }, text.library.here),
      place && h('button', { type: 'button', class: 'quiet', onclick: () => pinPlace(null) },
        text.library.everywhere(spaced(place.moves))),
    );

  /** @param {Place | null} wanted */
  const pinPlace = (wanted) => {
    place = wanted;
    skip = 0;
    reported = null;
    showPin();
    search();
  };

  const search = async () => {
    const { info } = studio;
    if (!visible || !info) return;
    const there = info.library !== null;
    form.hidden = !there;
    pin.hidden = !there;
    if (!there) {
      replace(content, h('p', { class: 'empty' }, text.library.none), h('pre', { tabindex: 0 }, text.library.command));
      return;
    }
    asking?.abort();
    const request = new AbortController();
    asking = request;
    const query = wish();
    const patience = setTimeout(() => replace(content, loading(text.library.searching)), 300);
    try {
      const found = await api.library(query, request.signal);
      if (request.signal.aborted) return;
      answered = JSON.stringify(query);
      replace(content, view(found));
    } catch (error) {
      if (request.signal.aborted) return;
      replace(content, problem(api.sentence(error), search));
      studio.lost(error);
    } finally {
      clearTimeout(patience);
    }
  };

  /** @param {api.LibraryAnswer} found */
  const view = (found) => [
    h('p', { class: 'library-count', role: 'status' },
      text.library.count(whole(found.games), whole(studio.info?.library?.games ?? 0), found.complete)),
    found.games > 0 && h('p', { class: 'hint' },
      text.library.results(place ? 'mover' : fields.player.field.value.trim() ? 'player' : 'black', tally(found.results))),
    h('div', { class: 'row' }, reportButton(found)),
    found.moves.length > 0 && continuations(studio, found.moves),
    found.rows.length > 0 && h('ul', { class: 'games shelf' }, found.rows.map(row)),
    pages(found.games),
  ];

  /** A report on the one player that is meant. @param {api.LibraryAnswer} found */
  const reportButton = (found) => {
    const typed = fields.player.field.value.trim();
    const names = new Set(found.rows.flatMap(({ black, white }) => [black, white]).filter((name) => fits(name, typed)));
    const [name] = names;
    return typed && name && names.size <= 8
      ? [...names].map((each) => h('button', { type: 'button', onclick: () => report(each) }, text.library.report(each)))
      : null;
  };

  /** @param {string} name */
  const report = async (name) => {
    asking?.abort();
    const request = new AbortController();
    asking = request;
    reported = name;
    try {
      const found = await api.libraryPlayer(name, request.signal);
      if (request.signal.aborted) return;
      replace(content, playerReport(studio, found, {
        back: () => {
          reported = null;
          search();
        },
        opening: (opening) => choose({ player: name, opening }),
        opponent: (opponent) => choose({ player: name, opponent }),
      }));
      /** @type {HTMLElement | null} */ (content.querySelector('button'))?.focus();
    } catch (error) {
      if (!request.signal.aborted) replace(content, problem(api.sentence(error), () => report(name)));
    }
  };

  /** A search for just this. @param {Partial<Record<keyof typeof fields, string>>} wanted */
  const choose = (wanted) => {
    for (const [name, { field }] of Object.entries(fields)) {
      field.value = wanted[/** @type {keyof typeof fields} */ (name)] ?? '';
    }
    pinPlace(null);
  };

  /** @param {LibraryGame} game */
  const row = (game) => {
    const details = [
      game.event, game.date, game.opening && text.opening(game.opening), game.result === null ? text.library.open : signed(game.result),
    ].filter(Boolean).join(' · ');
    const names = text.importer.players(game.black || text.sides.black, game.white || text.sides.white);
    return h('li', {}, h(
      'button',
      { type: 'button', class: 'quiet game', onclick: () => show(game) },
      h('span', { class: 'players' }, names),
      h('span', { class: 'details' }, details),
    ));
  };

  /** @param {LibraryGame} game */
  const show = (game) => {
    if (studio.playing) {
      toast(text.desk.playing);
      return;
    }
    const { black, white, event, date } = game;
    const start = parsePosition(game.start) ?? START;
    const before = count(start);
    // At the position that was searched for, or at the start.
    const ply = place ? place.discs - before.black - before.white : 0;
    studio.desk.visit(start, game.moves.replace(/pass|--/g, ''), { black, white, event, date }, String(ply));
  };

  /** @param {number} games */
  const pages = (games) => {
    /** @param {number} to */
    const go = (to) => {
      skip = to;
      search().then(() => content.scrollIntoView({ block: 'nearest' }));
    };
    return games > ROWS && h(
      'div',
      { class: 'row pages' },
      h('button', { type: 'button', disabled: skip === 0, onclick: () => go(Math.max(0, skip - ROWS)) }, text.library.newer),
      h('span', {}, text.library.page(whole(skip + 1), whole(Math.min(games, skip + ROWS)), whole(games))),
      h('button', { type: 'button', disabled: skip + ROWS >= games, onclick: () => go(skip + ROWS) }, text.library.older),
    );
  };

  showPin();
  studio.on('info', () => {
    answered = '';
    search();
  });
  return {
    root,
    /** @param {boolean} now */
    visible(now) {
      visible = now;
      if (!now) asking?.abort();
      else if (!reported && answered !== JSON.stringify(wish())) search();
    },
    /** Games that come through a position. @param {Place} wanted */
    at(wanted) {
      for (const { field } of Object.values(fields)) field.value = '';
      pinPlace(wanted);
    },
  };
}

/**
 * @param {'player' | 'event'} kind
 * @param {string} typed
 * @param {HTMLDataListElement} list
 */
async function suggest(kind, typed, list) {
  try {
    const names = await api.libraryNames(kind, typed);
    replace(list, names.map(({ name, games }) => h('option', { value: name, label: text.library.games(whole(games)) })));
  } catch {
    // The list is a comfort; the search says what is wrong.
  }
}

/**
 * What was played in a position of the library.
 * @param {Studio} studio
 * @param {api.Continuation[]} moves
 */
export const continuations = (studio, moves) =>
  table(text.library.moves, text.library.moveColumns, moves.map((move) => [
    h('button', { type: 'button', class: 'quiet', onclick: () => studio.tree.play(squareNumber(move.move)) }, move.move),
    whole(move.games),
    tally(move),
    points(move),
  ]));

/** @param {string} moves */
const spaced = (moves) => (moves.length > 16 ? `… ${moves.slice(-12)}` : moves) || '–';

/** Does a name have all the words? @param {string} name @param {string} typed */
const fits = (name, typed) => {
  const folded = fold(name);
  return name !== '' && fold(typed).split(/\s+/).every((word) => folded.includes(word));
};

/** @param {string} name */
const fold = (name) => name.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase();
