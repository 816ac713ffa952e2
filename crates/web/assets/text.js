// The language of the page: chosen, or the browser's.

import { en } from './text/en.js';
import { ja } from './text/ja.js';

const KEY = 'discern.language';

/** @type {(typeof en)[]} */
export const languages = [en, ja];

/** @param {string} tag such as ja-JP */
const byTag = (tag) => languages.find(({ locale }) => tag.toLowerCase().startsWith(locale));

export const text =
  byTag(localStorage.getItem(KEY) ?? '') ??
  navigator.languages.map(byTag).find(Boolean) ?? en;

document.documentElement.lang = text.locale;

/**
 * Every game is kept, so that beginning anew is the simplest way to another
 * language.
 * @param {string} locale
 */
export function chooseLanguage(locale) {
  localStorage.setItem(KEY, locale);
  location.reload();
}
