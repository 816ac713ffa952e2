// Games from outside: pasted, dropped or chosen as files; the server reads
// every format.

import * as api from './api.js';
import { makeDialog } from './dialog.js';
import { h, replace } from './dom.js';
import { signed, whole } from './format.js';
import { readFragment } from './link.js';
import { loading, problem, toast } from './notice.js';
import { START, parsePosition } from './rules.js';
import { text } from './text.js';
import { kindOf, named, readNames } from './wthor-names.js';

/** @typedef {import('./studio.js').Studio} Studio */
/** @typedef {import('./api.js').ImportedGame} ImportedGame */
/** @typedef {{ games: ImportedGame[], faults: string[], truncated: boolean }} Found what could not be read as sentences */

/** Games shown at once; the search finds the others. */
const ROWS = 300;

/**
 * @param {Studio} studio
 * @param {(kind: 'game' | 'position') => void} opened told when it is on the board
 */
export function importer(studio, opened) {
  const input = h('textarea', {
    rows: 5,
    spellcheck: 'false',
    autocomplete: 'off',
    placeholder: text.importer.example,
    'aria-label': text.importer.paste,
  });
  const file = h('input', {
    type: 'file',
    multiple: true,
    class: 'unseen',
    tabindex: -1,
    'aria-label': text.importer.file,
    onchange: () => {
      readFiles([...(file.files ?? [])]);
      file.value = '';
    },
  });
  const answer = h('div', { class: 'answer', 'aria-live': 'polite' });
  const form = h(
    'form',
    {
      onsubmit: (/** @type {Event} */ event) => {
        event.preventDefault();
        if (input.value.trim()) read(input.value);
        else replace(answer, problem(text.importer.nothing));
      },
    },
    input,
    h(
      'div',
      { class: 'row' },
      h('button', { type: 'submit', class: 'primary' }, text.importer.open),
      h('button', { type: 'button', onclick: () => file.click() }, text.importer.file),
      file,
    ),
  );
  const dialog = makeDialog(
    text.importer.title,
    h('p', { class: 'hint' }, text.importer.how),
    form,
    answer,
  );
  dialog.classList.add('import');

  /** @param {ImportedGame} game */
  const show = (game) => {
    dialog.close();
    const { black, white, event, date } = game;
    const isPosition = !game.moves;
    studio.desk.begin(parsePosition(game.start) ?? START, game.moves, { black, white, event, date });
    toast(isPosition ? text.importer.position : text.importer.opened(players(game)));
    opened(isPosition ? 'position' : 'game');
  };

  /** @param {Found} found */
  const offer = (found) => {
    if (found.games.length === 1 && !found.faults.length) show(found.games[0]);
    else replace(answer, gameChooser(found, show));
  };

  /** @param {string} source */
  const read = async (source) => {
    begin();
    const [, fragment] = source.trim().match(/^\S+#((?:start|moves|z)=\S+)$/) ?? [];
    try {
      const linked = fragment ? await readFragment(fragment) : null;
      if (linked && !linked.fault) {
        dialog.close();
        studio.desk.begin(linked.start, linked.tree, linked.about, linked.at);
        opened(linked.tree ? 'game' : 'position');
      } else if (linked) replace(answer, problem(linked.fault));
      else {
        const { games, faults, truncated } = await api.importGames(source);
        offer({ games, faults: faults.map(text.importer.fault), truncated });
      }
    } catch (error) {
      replace(answer, problem(api.sentence(error)));
      studio.lost(error);
    }
  };

  /** @param {File[]} files */
  const readFiles = async (files) => {
    if (!files.length) return;
    begin();
    /** @type {Found} */
    const all = { games: [], faults: [], truncated: false };
    const names = await readNames(files);
    for (const each of files) {
      if (['jou', 'trn'].includes(kindOf(each))) continue;
      try {
        const found = await api.importGames(each);
        all.games.push(...found.games.map((game) => named(game, names)));
        all.faults.push(...found.faults.map((fault) => `${each.name}: ${text.importer.fault(fault)}`));
        all.truncated ||= found.truncated;
      } catch (error) {
        all.faults.push(`${each.name}: ${api.sentence(error)}`);
        studio.lost(error);
      }
    }
    if (all.games.length || all.faults.length) offer(all);
    else replace(answer, problem(text.importer.onlyNames));
  };

  const begin = () => {
    if (!dialog.open) dialog.showModal();
    replace(answer, loading(text.importer.reading));
  };

  document.addEventListener('paste', (event) => {
    const target = event.target;
    if (target instanceof HTMLElement && target.matches('input, textarea')) return;
    const pasted = event.clipboardData?.getData('text/plain') ?? '';
    if (pasted.trim()) read(pasted);
  });
  document.addEventListener('dragover', (event) => {
    event.preventDefault();
    document.body.classList.add('dropping');
  });
  document.addEventListener('dragleave', (event) => {
    if (!event.relatedTarget) document.body.classList.remove('dropping');
  });
  document.addEventListener('drop', (event) => {
    event.preventDefault();
    document.body.classList.remove('dropping');
    const { files } = event.dataTransfer ?? {};
    const dropped = event.dataTransfer?.getData('text/plain');
    if (files?.length) readFiles([...files]);
    else if (dropped) read(dropped);
  });

  return {
    open() {
      replace(answer);
      dialog.showModal();
      input.select();
    },
  };
}

/**
 * A searchable list of games.
 * @param {Found} found
 * @param {(game: ImportedGame) => void} chosen
 */
function gameChooser(found, chosen) {
  const list = h('ul', { class: 'games' });
  const counted = h('p', { class: 'hint', role: 'status' });
  const search = h('input', {
    type: 'search',
    placeholder: text.importer.search,
    'aria-label': text.importer.search,
    oninput: () => show(),
  });
  /** @param {ImportedGame} game */
  const details = (game) => [game.event, game.date].filter(Boolean).join(' · ');
  const games = found.games.map((game) => ({
    game, words: `${players(game)} ${details(game)} ${game.moves}`.toLowerCase(),
  }));
  /** @param {ImportedGame} game */
  const row = (game) =>
    h(
      'li',
      {},
      h(
        'button',
        { type: 'button', class: 'quiet game', onclick: () => chosen(game) },
        h('span', { class: 'players' }, players(game)),
        h(
          'span',
          { class: 'details' },
          [
            details(game),
            text.importer.moves(game.moves.replace(/pass/g, '').length / 2),
            game.result === undefined ? '' : signed(game.result),
          ].filter(Boolean).join(' · '),
        ),
      ),
    );
  const show = () => {
    const wanted = search.value.toLowerCase().split(/\s+/).filter(Boolean);
    const fitting = games.filter(({ words }) => wanted.every((word) => words.includes(word)));
    replace(list, fitting.slice(0, ROWS).map(({ game }) => row(game)));
    counted.textContent = text.importer.count(whole(fitting.length), whole(games.length), found.truncated);
  };
  show();
  return h(
    'div',
    {},
    found.faults.length > 0 && problem(text.importer.faults(found.faults)),
    found.games.length > 0 && [search, counted, list],
  );
}

/** @param {ImportedGame} game */
const players = (game) =>
  game.black || game.white
    ? text.importer.players(game.black || '?', game.white || '?')
    : text.importer.unnamed;
