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
        h('dt', {}, keys.map((key) => h('kbd', {}, text.help.keys[key] ?? key.toUpperCase()))),
        h('dd', {}, what),
      ]),
    ),
    h('label', { class: 'check' }, enabled, text.help.letters),
  );
  const help = () => dialog.showModal();

  document.addEventListener('keydown', (event) => {
    if (!active() || event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return;
    if (document.querySelector('dialog[open]') || takesKeys(event.target)) return;
    if (event.key.length === 1 && !enabled.checked) return;
    const key = event.key.length === 1 ? event.key.toLowerCase() : event.key;
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
