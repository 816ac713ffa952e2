// Games from outside: pasted, dropped or chosen as a file; the server reads
// every format.

import * as api from './api.js';
import { makeDialog } from './dialog.js';
import { h, replace } from './dom.js';
import { signed, whole } from './format.js';
import { parseTranscript } from './game-tree.js';
import { loading, problem, toast } from './notice.js';
import { START, parsePosition } from './rules.js';
import { text } from './text.js';

/** @typedef {import('./studio.js').Studio} Studio */
/** @typedef {import('./api.js').ImportedGame} ImportedGame */

/**
 * @param {Studio} studio
 * @param {() => void} opened told when a game is on the board
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
    class: 'unseen',
    tabindex: -1,
    'aria-label': text.importer.file,
    onchange: () => {
      const [chosen] = file.files ?? [];
      if (chosen) read(chosen);
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
    studio.tree.reset(parsePosition(game.start) ?? START, parseTranscript(game.moves) ?? []);
    toast(text.importer.opened(players(game)));
    opened();
  };

  /** @param {Blob | string} source */
  const read = async (source) => {
    if (!dialog.open) dialog.showModal();
    replace(answer, loading(text.importer.reading));
    try {
      const found = await api.importGames(source);
      if (found.games.length === 1 && !found.faults.length) show(found.games[0]);
      else replace(answer, gameChooser(found, show));
    } catch (error) {
      replace(answer, problem(api.sentence(error)));
    }
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
    const dropped = event.dataTransfer?.files[0] ?? event.dataTransfer?.getData('text/plain');
    if (dropped) read(dropped);
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
 * @param {api.Import} found
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
  const rows = found.games.map((game) => {
    const details = [game.event, game.date].filter(Boolean).join(' · ');
    const moves = game.moves.replace(/pass/g, '').length / 2;
    const row = h(
      'li',
      {},
      h(
        'button',
        { type: 'button', class: 'quiet game', onclick: () => chosen(game) },
        h('span', { class: 'players' }, players(game)),
        h(
          'span',
          { class: 'details' },
          [details, text.importer.moves(moves), game.result === undefined ? '' : signed(game.result)]
            .filter(Boolean)
            .join(' · '),
        ),
      ),
    );
    return { row, words: `${players(game)} ${details} ${game.moves}`.toLowerCase() };
  });
  const show = () => {
    const wanted = search.value.toLowerCase().split(/\s+/).filter(Boolean);
    const fitting = rows.filter(({ words }) => wanted.every((word) => words.includes(word)));
    replace(list, fitting.map(({ row }) => row));
    counted.textContent = text.importer.count(whole(fitting.length), whole(rows.length), found.truncated);
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
