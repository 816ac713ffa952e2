// A modal dialog with a title and a way out; the browser keeps the focus in it.

import { h } from './dom.js';
import { icon } from './icons.js';
import { text } from './text.js';

let count = 0;

/**
 * @param {string} title
 * @param {...import('./dom.js').Child} content
 */
export function makeDialog(title, ...content) {
  const id = `dialog-${++count}`;
  const dialog = h(
    'dialog',
    { 'aria-labelledby': id },
    h(
      'header',
      {},
      h('h2', { id }, title),
      h(
        'button',
        { type: 'button', class: 'quiet square', 'aria-label': text.close, onclick: () => dialog.close() },
        icon('close'),
      ),
    ),
    h('div', { class: 'dialog-body' }, ...content),
  );
  // A press on the backdrop closes, as everywhere.
  dialog.addEventListener('click', (event) => {
    if (event.target === dialog) dialog.close();
  });
  document.body.append(dialog);
  return dialog;
}
