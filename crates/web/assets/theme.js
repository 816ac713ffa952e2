// Light, dark, or as the system has it.

import { text } from './text.js';

const KEY = 'discern.theme';
const dark = matchMedia('(prefers-color-scheme: dark)');

/** @param {HTMLElement} button */
export function mountTheme(button) {
  const chosen = () => localStorage.getItem(KEY);
  const shown = () => chosen() ?? (dark.matches ? 'dark' : 'light');
  const show = () => {
    document.documentElement.dataset.theme = shown();
    const label = shown() === 'dark' ? text.theme.light : text.theme.dark;
    button.setAttribute('aria-label', label);
    button.title = label;
  };
  button.addEventListener('click', () => {
    const next = shown() === 'dark' ? 'light' : 'dark';
    // Choosing what the system has anyway means to follow the system.
    if (next === (dark.matches ? 'dark' : 'light')) localStorage.removeItem(KEY);
    else localStorage.setItem(KEY, next);
    show();
  });
  dark.addEventListener('change', show);
  show();
}
