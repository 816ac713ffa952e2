import assert from 'node:assert/strict';

import { startServer, test, textOf, waitForText } from '../harness.js';
import { randomGame, randomNumbers, transcript } from '../rules.js';

test('review: a pasted game gets its curve, errors and summary', async (studio) => {
  const game = randomGame(randomNumbers(5));
  const page = await studio.open();
  await page.evaluate(() => localStorage.setItem('discern.settings', '{"reviewSeconds":"0.1"}'));
  await page.reload();
  await page.waitForSelector('#panel-review select');
  await page.click('[data-tool=open]');
  await page.type('dialog[open] textarea', transcript(game));
  await page.click('dialog[open] .primary');
  await page.waitForFunction((count) => document.querySelectorAll('.moves .move').length === count, {}, game.length);
  await page.waitForSelector('#panel-review:not([hidden])');
  await page.click('#panel-review .start');
  await page.waitForSelector('#panel-review progress:not([hidden])');
  await waitForText(page, '#panel-review .search-state', /Review complete/);

  const points = await page.$eval('.curve .line', (line) => line.getAttribute('points')?.split(' ').length);
  assert.equal(points, game.length + 1, 'a point for the start and for every move');
  const blunders = await page.$$eval('.errors [data-grade=blunder]', (items) => items.length);
  assert.ok(blunders > 0, 'random players blunder');
  assert.equal(await page.$$eval('.curve .error.blunder', (marks) => marks.length), blunders);
  assert.equal(await page.$$eval('.move[data-grade=blunder]', (moves) => moves.length), blunders);
  const rows = await page.$$eval('.numbers tbody tr', (rows) => rows.map((row) => row.textContent));
  assert.equal(rows.length, 8, 'two sides, all and three phases each');
  const counted = await page.$$eval('.numbers tr.total td:nth-child(2)', (cells) =>
    cells.reduce((sum, cell) => sum + Number(cell.textContent), 0));
  assert.equal(counted, game.length);

  // A press in the middle of the curve jumps there, and so do the keys.
  await page.click('.curve-slider');
  const middle = Number(await page.$eval('.curve-slider', (s) => s.getAttribute('aria-valuenow')));
  assert.ok(Math.abs(middle - game.length / 2) < 4, `move ${middle}`);
  await page.focus('.curve-slider');
  await page.keyboard.press('ArrowRight');
  assert.equal(Number(await page.$eval('.curve-slider', (s) => s.getAttribute('aria-valuenow'))), middle + 1);
  assert.match(
    await page.$eval('.curve-slider', (s) => s.getAttribute('aria-valuetext') ?? ''),
    new RegExp(`^Move ${middle + 1}, (Black|White) [a-h][1-8], Black \\d+ %`),
  );
  await page.click('.errors button');
  const best = (await textOf(page, '.judgement button:last-child')).slice(-2);
  const shown = await textOf(page, '.move[aria-current]');
  assert.match(await textOf(page, '.errors button'), new RegExp(shown.slice(0, 2)));
  await page.click('.judgement button:last-child');
  assert.match(await textOf(page, '.variations .move[aria-current]'), new RegExp(best), 'the better move as a variation');
});

test('review: without moves it says what to do', async (studio) => {
  const page = await studio.open();
  await page.click('#tab-review');
  await page.click('#panel-review .start');
  await waitForText(page, '#panel-review .notice', /no moves to review/);
});

test('review: a good opening gets no false mark, however the board is turned', async (studio) => {
  const server = await startServer([]);
  const page = await studio.open();
  await page.evaluate(() => localStorage.setItem('discern.settings', '{"reviewSeconds":"0.5"}'));
  const openings = ['f5d6', 'd3c5', 'c4e3', 'e6f4'];
  for (const opening of openings) {
    await page.goto(`${server.url}/?${opening}#moves=${opening}`);
    await page.waitForSelector('#panel-review select');
    await page.click('#tab-review');
    await page.click('#panel-review .start');
    await waitForText(page, '#panel-review .search-state', /Review complete/);
    assert.equal((await page.$$('.moves .move')).length, 2);
    const marked = await page.$$eval('.move[data-grade]', (moves) =>
      moves.filter((move) => /inaccuracy|mistake|blunder/.test(/** @type {HTMLElement} */ (move).dataset.grade ?? '')).map((move) => move.textContent));
    assert.deepEqual(marked, [], opening);
  }
  server.stop();
});

test('review: discs that a random player throws away are told', async (studio) => {
  const game = randomGame(randomNumbers(11));
  const page = await studio.open(`#moves=${transcript(game)}`, { tab: 'review' });
  await page.select('#panel-review label:nth-child(2) select', '0.1');
  await page.click('#panel-review .start');
  await waitForText(page, '#panel-review .search-state', /Review complete/);
  const [black, white] = await page.$$eval('.numbers tr.total td:nth-child(4)', (cells) => cells.map((cell) => Number(cell.textContent)));
  assert.ok(black + white > 60, `${black} and ${white} discs`);
  // Of the last eighteen moves some are marked, with the number of discs.
  const late = await page.$$eval('.errors .error', (errors) => errors.map((error) => error.textContent ?? ''));
  const told = late.filter((error) => Number(error.match(/\d+(?=\.)/)?.[0]) > game.length - 18 && /disc/.test(error));
  assert.ok(told.length > 0, late.join('; '));
});
