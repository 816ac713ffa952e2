// Files made by the page.

import { h } from './dom.js';

/**
 * @param {string} name
 * @param {string} type
 * @param {BlobPart} content
 */
export function download(name, type, content) {
  const url = URL.createObjectURL(new Blob([content], { type }));
  h('a', { href: url, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}
