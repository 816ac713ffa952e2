import assert from 'node:assert/strict';

import { test } from '../harness.js';
import { textOf, waitForText } from '../page.js';
import { randomGame, randomNumbers, rules, transcript } from '../rules.js';

/** @typedef {import('puppeteer-core').Page} Page */

/** @param {string | null | undefined} text */
const number = (text) => Number(text?.replace('−', '-').replace('±', ''));

/** @param {string} value of a list */
const square = (value) => rules.squareName(Number(value));

/** @param {Page} page */
const tinted = (page) => page.$$eval('.cell[data-tint]', (cells) => cells.length);

/** The numbers of every row of the table, model by model. @param {Page} page */
const parts = (page) =>
  page.$$eval('.feature-row', (rows) =>
    rows.map((row) => [...row.querySelectorAll('.part')].map((part) => part.textContent)));

test('explain: thirteen features add up in all models', async (studio) => {
  const page = await studio.open('#moves=f5d6c3d3c4f4f6');
  await page.click('#tab-explain');
  await page.click('#panel-explain [value=position]');
  await waitForText(page, '.words', /^Searched, White wins with \d+ % \([+−]?\d+ discs\); the best move is [a-h][1-8]/);
  const rows = await parts(page);
  assert.equal(rows.length, 13);
  const [constants, sums] = await page.$$eval('.features tfoot tr', (rows) =>
    rows.map((row) => [...row.querySelectorAll('td')].map((cell) => cell.textContent)));
  assert.equal(sums.length, 3);
  for (const model of sums.keys()) {
    const total = rows.reduce((sum, row) => sum + number(row[model]), number(constants[model]));
    assert.ok(Math.abs(total - number(sums[model])) < 0.08, `model ${model}: ${total} against ${sums[model]}`);
  }
});

test('explain: patterns light up under the pointer and with the focus', async (studio) => {
  const page = await studio.open('#moves=f5d6c3d3c4f4f6');
  await page.click('#tab-explain');
  await page.click('#panel-explain [value=position]');
  await waitForText(page, '.words', /the best move is/);
  assert.equal(await tinted(page), 0);
  const edges = await page.evaluateHandle(() =>
    [...document.querySelectorAll('.feature')].find((button) => button.textContent === 'Long diagonals'));
  const button = /** @type {import('puppeteer-core').ElementHandle<HTMLElement>} */ (edges.asElement());
  await button.hover();
  assert.equal(await tinted(page), 16, 'two diagonals of eight');
  await page.mouse.move(5, 5);
  assert.equal(await tinted(page), 0);
  await button.focus();
  assert.equal(await tinted(page), 16);
  await button.click();
  await page.waitForSelector('.places:not([hidden]) .instance');
  await page.focus('.instance');
  assert.equal(await tinted(page), 8, 'one of them');
});

test('explain: two moves are compared from the mover’s view', async (studio) => {
  const page = await studio.open('#moves=f5d6c3');
  await page.click('#tab-explain');
  await page.waitForSelector('.feature-row');
  await waitForText(page, '.words', /^Searched, White wins with \d+ % .* after [a-h][1-8] and \d+ % .* after [a-h][1-8]/);
  // What speaks for a move has no minus sign.
  assert.doesNotMatch(await textOf(page, '.reasons'), /\(−/);
  const before = await parts(page);
  const [first, second] = await page.$$eval('#panel-explain select', (lists) =>
    lists.map((list) => /** @type {HTMLSelectElement} */ (list).value));
  assert.notEqual(first, second);
  // The other way round, every number changes its sign.
  await page.select('#panel-explain label:nth-child(1) select', second);
  await page.select('#panel-explain label:nth-child(2) select', first);
  await waitForText(page, '.words', new RegExp(`after ${square(second)} and .* after ${square(first)}`));
  const after = await parts(page);
  before.forEach((row, i) =>
    row.forEach((part, model) => assert.ok(Math.abs(number(part) + number(after[i][model])) < 0.011)));
});

test('explain: Why? of a review compares the best move with the one played', async (studio) => {
  // Random players err, whatever the weights think of it.
  const moves = transcript(randomGame(randomNumbers(5)));
  const page = await studio.open(`#moves=${moves}`, { tab: 'review' });
  await page.evaluate(() => localStorage.setItem('discern.settings', '{"reviewSeconds":"0.1"}'));
  await page.reload();
  await page.waitForSelector('#panel-review select');
  await page.click('#tab-review');
  await page.click('#panel-review .start');
  await waitForText(page, '#panel-review .search-state', /Review complete/);
  await page.keyboard.press('Home');
  await page.keyboard.press('x');
  const judged = await textOf(page, '.judgement p');
  const [, played, best] = judged.match(/^([a-h][1-8]): .* best was ([a-h][1-8])/) ?? assert.fail(judged);
  await page.click('.judgement ::-p-text(Why?)');
  await waitForText(page, '#panel-explain .words', new RegExp(`after ${best} and .* after ${played}`));
  // The review is kept with the game.
  await page.reload();
  await waitForText(page, '#panel-review .search-state', /Review complete/);
  await page.waitForSelector('.curve .line');
  assert.ok((await page.$$('.move[data-grade=blunder], .move[data-grade=mistake]')).length > 0);
});
