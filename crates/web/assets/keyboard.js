// Shortcuts of the whole page, and the dialog that tells them.

import { h } from './dom.js';
import { makeDialog } from './dialog.js';
import { text } from './text.js';

const KEY = 'discern.shortcuts';

/**
 * @typedef {object} Shortcut
 * @property {string[]} keys as in KeyboardEvent.key
 * @property {string} what
 * @property {(key: string) => void} run
 */

/**
 * @param {() => boolean} active do the shortcuts make sense now?
 * @param {Shortcut[]} shortcuts
 * @returns {{ help: () => void }}
 */
export function mountKeyboard(active, shortcuts) {
  const enabled = h('input', { type: 'checkbox', onchange: () => {
    localStorage.setItem(KEY, enabled.checked ? 'on' : 'off');
  } });
  enabled.checked = localStorage.getItem(KEY) !== 'off';

  const dialog = makeDialog(
    text.help.title,
    h('p', {}, text.help.board),
    h(
      'dl',
      { class: 'keys' },
      shortcuts.flatMap(({ keys, what }) => [
        h('dt', {}, keys.map((key) => h('kbd', {}, keyName(key)))),
        h('dd', {}, what),
      ]),
    ),
    h('label', { class: 'check' }, enabled, text.help.letters),
  );
  const help = () => dialog.showModal();

  document.addEventListener('keydown', (event) => {
    if (!active() || event.defaultPrevented || event.altKey) return;
    if (document.querySelector('dialog[open]') || takesKeys(event.target)) return;
    const control = event.ctrlKey || event.metaKey;
    if (event.key.length === 1 && !control && !enabled.checked) return;
    const letter = event.key.length === 1 && !control ? event.key.toLowerCase() : event.key;
    const key = control ? `Ctrl+${letter}` : letter;
    const shortcut = shortcuts.find(({ keys }) => keys.includes(key));
    if (!shortcut) return;
    event.preventDefault();
    shortcut.run(key);
  });
  return { help };
}

/** @param {EventTarget | null} target */
const takesKeys = (target) =>
  target instanceof HTMLElement &&
  target.matches('input:not([type=checkbox]):not([type=radio]), textarea, select, [role=slider]');

/** @param {string} key */
function keyName(key) {
  if (key === 'Ctrl+Z') return `${text.help.keys.Control}+${text.help.keys.Shift}+Z`;
  if (key.startsWith('Ctrl+')) return `${text.help.keys.Control}+${key.slice(5).toUpperCase()}`;
  return text.help.keys[key] ?? key.toUpperCase();
}
