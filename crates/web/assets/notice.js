// A calm strip that says what is wrong and offers to try again.

import { h, replace } from './dom.js';
import { text } from './text.js';

/**
 * @param {string} sentence
 * @param {() => void} [retry]
 */
export const problem = (sentence, retry) =>
  h(
    'div',
    { class: 'notice', role: 'alert' },
    h('p', {}, sentence),
    retry && h('button', { type: 'button', onclick: retry }, text.retry),
  );

/** @param {string} sentence */
export const loading = (sentence) =>
  h('p', { class: 'loading' }, h('span', { class: 'spinner', 'aria-hidden': 'true' }), sentence);

/**
 * Shows a short message that goes away by itself; with something to do about
 * it, it stays longer.
 * @param {string} sentence
 * @param {{ label: string, run: () => void }} [action]
 */
export function toast(sentence, action) {
  let holder = document.getElementById('toast');
  if (!holder) {
    holder = h('div', { id: 'toast', class: 'toast', role: 'status' });
  }
  // Behind an open dialog nothing can be pressed.
  const place = document.querySelector('dialog[open]') ?? document.body;
  if (holder.parentElement !== place) place.append(holder);
  const message = h(
    'p',
    {},
    sentence,
    action &&
      h('button', { type: 'button', class: 'quiet', onclick: () => {
        message.remove();
        action.run();
      } }, action.label),
  );
  replace(holder, message);
  setTimeout(() => message.remove(), action ? 10_000 : 4000);
}
