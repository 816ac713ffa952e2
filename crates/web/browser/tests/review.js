import assert from 'node:assert/strict';

import { test } from '../harness.js';
import { textOf, waitForText } from '../page.js';
import { after, randomGame, randomNumbers, rules, solve, transcript } from '../rules.js';

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
  const outside = await page.$eval('.curve', (curve) => {
    const left = curve.querySelector('.ground')?.getBoundingClientRect().left ?? 0;
    return [...curve.querySelectorAll('.tick.end')].every((label) => label.getBoundingClientRect().right <= left);
  });
  assert.ok(outside, 'the scale stands beside the curve');
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
  const { url } = await studio.serve();
  const page = await studio.open('', { url, tab: 'review' });
  await page.select('#panel-review label:nth-child(2) select', '0.1');
  // All images of the two best openings: games of two perfect copies begin like this.
  for (const opening of ['f5d6', 'd3c5', 'c4e3', 'e6f4', 'f5f6', 'd3c3', 'c4c3', 'e6f6']) {
    await page.evaluate((opening) => {
      location.hash = `#moves=${opening}`;
    }, opening);
    await page.waitForFunction(
      (opening) => [...document.querySelectorAll('.moves .move')].map((move) => move.textContent?.slice(0, 2)).join('') === opening, {}, opening);
    await page.click('#panel-review .start');
    await waitForText(page, '#panel-review .search-state', /Review complete/);
    const grades = await page.$$eval('.move[data-grade]', (moves) => moves.map((move) => /** @type {HTMLElement} */ (move).dataset.grade));
    assert.equal(grades.length, 2);
    assert.ok(grades.every((grade) => grade === 'best' || grade === 'good'), `${opening}: ${grades}`);
  }
});

test('review: discs that a random player throws away are told, if the user lets them count', async (studio) => {
  const game = randomGame(randomNumbers(13));
  const from = game.length - 14;
  const { cells, mover } = after(game.slice(0, from));
  const page = await studio.open(`#start=${cells}${mover}&moves=${transcript(game.slice(from))}`, { tab: 'review' });
  await page.select('#panel-review label:nth-child(2) select', '0.5');
  await page.click('#panel-review .start');
  await waitForText(page, '#panel-review .search-state', /Review complete/);
  const told = await page.$$eval('.numbers tr.total td:nth-child(4)', (cells) => cells.map((cell) => Number(cell.textContent)));
  // Of the last eight moves every disc is known.
  const thrown = { X: 0, O: 0 };
  for (let ply = game.length - 8; ply < game.length; ply++) {
    const before = after(game.slice(0, ply));
    const next = rules.play(before, game[ply]) ?? assert.fail();
    thrown[before.mover] += solve(before) + solve(next);
  }
  assert.ok(thrown.X + thrown.O > 20, 'a random player throws discs away');
  assert.ok(told[0] >= thrown.X && told[1] >= thrown.O, `${told} against ${thrown.X} and ${thrown.O}`);
  const errors = () => page.$$eval('.errors .error', (all) => all.map((error) => error.textContent ?? ''));
  const both = await errors();
  assert.ok(both.some((error) => /disc/.test(error)), both.join('; '));
  await page.select('#panel-review label:nth-child(3) select', 'outcome');
  await page.click('#panel-review .start');
  await waitForText(page, '#panel-review .search-state', /Review complete/);
  const outcome = await errors();
  assert.ok(outcome.length < both.length, `${outcome.length} by the outcome alone, ${both.length} with discs`);
});
