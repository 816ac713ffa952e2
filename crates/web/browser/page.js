// What several tests do on a page.

import assert from 'node:assert/strict';

/** @typedef {import('puppeteer-core').Page} Page */

/**
 * @param {Page} page
 * @param {string} selector
 */
export const textOf = (page, selector) =>
  page.$eval(selector, (element) => element.textContent?.trim() ?? '');

/**
 * Waits until the text of an element fits.
 * @param {Page} page
 * @param {string} selector
 * @param {RegExp} pattern
 */
export async function waitForText(page, selector, pattern) {
  await page.waitForFunction(
    (selector, source) => new RegExp(source).test(document.querySelector(selector)?.textContent ?? ''),
    {},
    selector,
    pattern.source,
  );
  return textOf(page, selector);
}

/** @param {Page} page */
export const boardText = (page) =>
  page.$$eval('.disc', (discs) => discs.map((disc) => /** @type {HTMLElement} */ (disc).dataset.color).join(''));

/** Squares of the moves in the list. @param {Page} page */
export const listedMoves = (page) =>
  page.$$eval('.moves .move', (moves) => moves.map((move) => move.textContent?.match(/[a-h][1-8]/)?.[0] ?? ''));

/**
 * @param {Page} page
 * @param {number} square
 */
export const press = (page, square) => page.click(`.cell[data-square="${square}"]`);

/**
 * Waits for a button with this text and presses it.
 * @param {Page} page
 * @param {string} within
 * @param {string} words
 */
export async function pressText(page, within, words) {
  const button = await page.waitForSelector(`${within} ::-p-text(${words})`);
  await button?.click();
}

/**
 * Presses Tab until the focus is on such an element.
 * @param {Page} page
 * @param {string} selector
 */
export async function tabTo(page, selector) {
  for (let step = 0; step < 120; step++) {
    await page.keyboard.press('Tab');
    if (await page.evaluate((selector) => document.activeElement?.matches(selector), selector)) return;
  }
  assert.fail(`the Tab key never reaches ${selector}`);
}
