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
 * Shows a short message that goes away by itself.
 * @param {string} sentence
 */
export function toast(sentence) {
  let holder = document.getElementById('toast');
  if (!holder) {
    holder = h('div', { id: 'toast', class: 'toast', role: 'status' });
    document.body.append(holder);
  }
  const message = h('p', {}, sentence);
  replace(holder, message);
  setTimeout(() => message.remove(), 4000);
}
