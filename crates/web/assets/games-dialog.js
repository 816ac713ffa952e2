// The games kept in this browser: find, open, rename, delete, take along.

import { makeDialog } from './dialog.js';
import { h, replace } from './dom.js';
import { download } from './download.js';
import { signed, whole } from './format.js';
import { toast } from './notice.js';
import { shelf } from './shelf.js';
import { text } from './text.js';

/** @typedef {import('./studio.js').Studio} Studio */
/** @typedef {import('./shelf.js').Saved} Saved */

/** Rows shown at once; the search finds the others. */
const ROWS = 200;

/** What people call a game. @param {Saved} game */
export const gameTitle = (game) =>
  game.title || (game.black || game.white
    ? text.importer.players(game.black || text.sides.black, game.white || text.sides.white)
    : text.games.unnamed);

/**
 * @param {Studio} studio
 * @param {() => void} opened
 */
export function gamesDialog(studio, opened) {
  const { desk } = studio;
  const search = h('input', {
    type: 'search', placeholder: text.games.search, 'aria-label': text.games.search, oninput: () => show(),
  });
  const counted = h('p', { class: 'hint', role: 'status' });
  const list = h('ul', { class: 'games kept' });
  const file = h('input', {
    type: 'file', accept: '.json,application/json', class: 'unseen', tabindex: -1, 'aria-label': text.games.restore,
    onchange: () => file.files?.[0]?.text().then(takeBack),
  });
  const dialog = makeDialog(
    text.games.title,
    h('p', { class: 'hint' }, text.games.how),
    search,
    counted,
    list,
    h(
      'div',
      { class: 'row' },
      h('button', { type: 'button', onclick: () => exportAll() }, text.games.exportAll),
      h('button', { type: 'button', onclick: () => file.click() }, text.games.restore),
      file,
    ),
  );

  /** @param {Saved} game */
  const row = (game) => {
    const name = h('span', { class: 'players' }, gameTitle(game));
    const result = game.result === undefined ? '' : signed(game.result);
    const details = [
      new Date(game.updated).toLocaleString(text.locale, { dateStyle: 'medium', timeStyle: 'short' }),
      game.event, text.importer.moves(game.moves), result,
      game.match && text.games.running, game.review?.summary && text.games.reviewed,
    ].filter(Boolean).join(' · ');
    const item = h(
      'li',
      { 'aria-current': game.id === desk.id ? 'true' : null },
      h('button', { type: 'button', class: 'quiet game', onclick: () => open(game) },
        name, h('span', { class: 'details' }, details)),
      h('button', { type: 'button', class: 'quiet', onclick: () => rename(game, item) }, text.games.rename),
      h('button', { type: 'button', class: 'quiet', onclick: () => remove(game) }, text.games.remove),
    );
    return item;
  };

  const show = () => {
    const words = search.value.toLowerCase().split(/\s+/).filter(Boolean);
    const all = shelf.list();
    const fitting = all.filter((game) => {
      const said = `${gameTitle(game)} ${game.black} ${game.white} ${game.event ?? ''} ${game.date ?? ''} ${game.tree}`.toLowerCase();
      return words.every((word) => said.includes(word));
    });
    counted.textContent = all.length ? text.games.count(whole(fitting.length), whole(all.length)) : text.games.none;
    if (shelf.full) counted.textContent += ` ${text.games.full}`;
    replace(list, fitting.slice(0, ROWS).map(row));
  };

  /** @param {Saved} game */
  const open = (game) => {
    dialog.close();
    const fresh = shelf.get(game.id);
    if (fresh) desk.open(fresh);
    opened();
  };

  /** @param {Saved} game @param {HTMLElement} item */
  const rename = (game, item) => {
    const input = h('input', { type: 'search', value: game.title ?? gameTitle(game), 'aria-label': text.games.name, maxlength: 100 });
    const keep = () => {
      const title = input.value.trim() || undefined;
      if (game.id === desk.id) desk.describe({ ...desk.about, title });
      else {
        const fresh = shelf.get(game.id);
        if (fresh) shelf.put({ ...fresh, title });
      }
      show();
    };
    const form = h('form', { class: 'rename', onsubmit: (/** @type {Event} */ event) => {
      event.preventDefault();
      keep();
    } }, input, h('button', { type: 'submit' }, text.games.keep));
    replace(item, form);
    input.select();
  };

  /** @param {Saved} game */
  const remove = (game) => {
    if (game.id === desk.id) desk.begin();
    const gone = shelf.get(game.id);
    shelf.remove(game.id);
    show();
    toast(text.games.removed(gameTitle(game)), {
      label: text.undo,
      run: () => {
        if (gone) shelf.put(gone);
        show();
      },
    });
  };

  const exportAll = () => {
    const games = shelf.list();
    const stamp = new Date().toISOString().slice(0, 10);
    download(`discern-games-${stamp}.json`, 'application/json', JSON.stringify({ format: 'discern games 1', games }, null, 1));
  };

  /** @param {string} content */
  const takeBack = (content) => {
    file.value = '';
    /** @type {Saved[]} */
    let games = [];
    try {
      const parsed = JSON.parse(content);
      if (parsed.format === 'discern games 1') games = parsed.games;
    } catch {
      // No JSON: the sentence below says it.
    }
    const fit = games.filter((game) => typeof game?.id === 'string' && typeof game.start === 'string' && typeof game.tree === 'string');
    for (const game of fit) shelf.put({ ...game, id: game.id.replace(/\W/g, '') });
    toast(fit.length ? text.games.restored(fit.length) : text.games.notOurs);
    show();
  };

  return {
    open() {
      search.value = '';
      show();
      dialog.showModal();
    },
  };
}
