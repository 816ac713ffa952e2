import assert from 'node:assert/strict';

import { test } from '../harness.js';
import { listedMoves, press, pressText, textOf, waitForText } from '../page.js';

/** @typedef {import('puppeteer-core').Page} Page */

/** @param {Page} page */
const found = (page) => waitForText(page, '.library-count', /\d/);

/** @param {Page} page */
const rows = (page) => page.$$eval('.games.shelf li', (items) => items.map((item) => item.textContent ?? ''));

/** Games kept in the browser. @param {Page} page */
const kept = (page) =>
  page.evaluate(() => Object.keys(localStorage).filter((key) => key.startsWith('discern.game.')).length);

test('library: games are found by player, year, tournament and opening, page by page', async (studio) => {
  const page = await studio.open('', { tab: 'library' });
  assert.equal(await found(page), '140 of 140 games');
  const first = await rows(page);
  assert.equal(first.length, 50);
  assert.match(first[0], /1996/, 'the newest first');
  await page.click('.pages button:last-child');
  await waitForText(page, '.pages', /51–100 of 140/);
  assert.notDeepEqual(await rows(page), first);
  await page.type('.library-fields [name=player]', 'ann');
  await waitForText(page, '.library-count', /^70 of 140/);
  assert.ok((await rows(page)).every((row) => row.includes('Anna Ek')));
  const suggested = await page.$$eval('#library-player option', (all) => all.map((o) => /** @type {HTMLOptionElement} */ (o).value));
  assert.deepEqual(suggested, ['Anna Ek']);
  await page.type('.library-fields [name=opponent]', 'bert');
  await page.type('.library-fields [name=from]', '1995');
  await page.type('.library-fields [name=event]', 'malmo');
  await page.waitForFunction(() => {
    const texts = [...document.querySelectorAll('.games.shelf li')].map((item) => item.textContent ?? '');
    return texts.length > 0 && texts.every((row) => /Anna Ek/.test(row) && /Bert/.test(row) && /Malmö Cup · 1996/.test(row));
  });
  for (const name of ['player', 'opponent', 'from', 'event']) {
    await page.$eval(`.library-fields [name=${name}]`, (field) => { /** @type {HTMLInputElement} */ (field).value = ''; });
  }
  await page.type('.library-fields [name=opening]', 'perpendicular');
  await page.waitForFunction(() => !/^140/.test(document.querySelector('.library-count')?.textContent ?? '140'));
});

test('library: a game opens on the board and is kept only when it is changed', async (studio) => {
  const page = await studio.open('', { tab: 'library' });
  await page.waitForSelector('.games.shelf button');
  await page.click('.games.shelf button');
  await page.waitForSelector('.moves .move');
  const [players] = (await rows(page))[0].match(/^(Anna Ek|Bert|Clara|Dora) – (Anna Ek|Bert|Clara|Dora)/) ?? assert.fail();
  const names = [await textOf(page, '.side.black .name'), await textOf(page, '.side.white .name')];
  assert.equal(names.join(' – '), players);
  assert.ok(await page.$('#panel-library:not([hidden])'), 'the list stays');
  assert.equal(await kept(page), 0, 'leafing through a library keeps nothing');
  const moves = await listedMoves(page);
  await page.reload();
  await page.waitForSelector('.moves .move');
  assert.deepEqual(await listedMoves(page), moves, 'a reload finds it again');
  await page.keyboard.press('Home');
  const other = await page.$$eval('.cell[data-legal]', (cells) => cells.map((c) => Number(/** @type {HTMLElement} */ (c).dataset.square)));
  await press(page, other.find((square) => 'abcdefgh'[square % 8] + (Math.floor(square / 8) + 1) !== moves[0]) ?? other[0]);
  await page.waitForFunction(() => Object.keys(localStorage).some((key) => key.startsWith('discern.game.')));
});

test('library: a position is found in all its images, and the book leads to its games', async (studio) => {
  const page = await studio.open('#moves=f5', { tab: 'book' });
  await waitForText(page, '#panel-book', /Games of the library/);
  const counts = await page.$$eval('#panel-book .numbers tbody td:nth-child(2)', (cells) => cells.map((c) => Number(c.textContent)));
  assert.equal(counts.reduce((sum, games) => sum + games, 0), 140, 'all first moves are the same');
  assert.ok(counts.length === 3, 'perpendicular, diagonal and parallel');
  await page.click('#panel-book .numbers tbody th button');
  await waitForText(page, '#panel-book', new RegExp(`Show the ${counts[0]} games`));
  await pressText(page, '#panel-book', 'Show the');
  await waitForText(page, '.library-count', new RegExp(`^${counts[0]} of 140`));
  await page.click('.games.shelf button');
  await page.waitForFunction(() => document.querySelectorAll('.moves .move').length > 2);
  assert.match(await textOf(page, '.move[aria-current]'), /^\w\d/);
  assert.equal((await page.$$('.disc[data-color=X], .disc[data-color=O]')).length, 6, 'at the position that was asked for');
  await page.click('.pin .quiet');
  await waitForText(page, '.library-count', /^140 of 140/);
});

test('library: a player’s report, with what the moves cost once games are reviewed', async (studio) => {
  const page = await studio.open('', { tab: 'library' });
  await page.type('.library-fields [name=player]', 'dora');
  await pressText(page, '.library', 'Report on Dora');
  const report = await waitForText(page, '.library', /Opponents/);
  for (const expected of ['Dora', 'Openings', 'By year', '1990', 'None of the games has been reviewed']) {
    assert.ok(report.includes(expected), expected);
  }
  const games = await page.$$eval('.library .numbers tbody td:nth-child(2)', (cells) => cells.slice(0, 3).map((c) => Number(c.textContent)));
  assert.deepEqual([games[0] + games[1], games[2]], [70, 70]);
  await pressText(page, '.losses', 'Review 10 games');
  await waitForText(page, '.losses', /From 10 games/);
  const cells = await page.$$eval('.losses tbody tr:last-child td', (all) => all.map((cell) => cell.textContent ?? ''));
  assert.equal(cells[0], '30', 'three moves of each game are hers');
  assert.match(cells[1], /^\d+\.\d %$/);
  // They are remembered.
  await page.reload();
  await page.waitForSelector('#panel-analysis select');
  await page.click('#tab-library');
  await page.type('.library-fields [name=player]', 'dora');
  await pressText(page, '.library', 'Report on Dora');
  await waitForText(page, '.losses', /From 10 games/);
  await pressText(page, '.library', 'Back to the games');
  await waitForText(page, '.library-count', /^70 of 140/);
});

test('library: without games the page says how to bring some', async (studio) => {
  const { url } = await studio.serve();
  const page = await studio.open('', { url, tab: 'library' });
  await waitForText(page, '#panel-library', /discern serve --games/);
  // The shipped weights: the strongest model is the one that is used.
  assert.equal(await page.$eval('#panel-analysis select', (list) => /** @type {HTMLSelectElement} */ (list).value), 'direct');
  await page.click('#tab-explain');
  await page.waitForSelector('.feature-row');
  assert.ok((await page.$$('.feature-row')).length >= 13);
});
