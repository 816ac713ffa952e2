import assert from 'node:assert/strict';

import { test } from '../harness.js';
import { boardText, listedMoves, tabTo, textOf, waitForText } from '../page.js';
import { rules } from '../rules.js';

test('keyboard: everything once without a pointer', async (studio) => {
  const page = await studio.open();
  const key = (/** @type {import('puppeteer-core').KeyInput} */ name) => page.keyboard.press(name);

  // The board: skip to it, move the cursor, play.
  await tabTo(page, '.skip');
  await key('Enter');
  assert.equal(await page.evaluate(() => document.activeElement?.getAttribute('aria-label')), 'd4, white');
  await key('ArrowUp');
  await key('Enter');
  assert.deepEqual(await listedMoves(page), ['d3']);
  assert.match(await textOf(page, '#announcer'), /Black plays d3\. White to move/);
  await key('u');
  assert.equal(await boardText(page), rules.START.cells);
  await key('r');

  // Analysis.
  await key('a');
  await page.waitForSelector('.lines li');
  await key('a');
  assert.equal(await textOf(page, '#panel-analysis .start'), 'Analyse');

  // Open a game.
  await key('o');
  await page.waitForSelector('dialog[open] textarea:focus');
  await page.keyboard.type('f5d6c3d3c4');
  await tabTo(page, 'dialog[open] .primary');
  await key('Enter');
  await page.waitForFunction(() => document.querySelectorAll('.moves .move').length === 5);

  // Review it: the tab opened by itself; the curve is a slider.
  await tabTo(page, '#panel-review .start');
  await key('Enter');
  await waitForText(page, '#panel-review .search-state', /Review complete/);
  await tabTo(page, '.curve-slider');
  await key('Home');
  assert.equal(await page.$eval('.curve-slider', (slider) => slider.getAttribute('aria-valuenow')), '0');

  // Explain: tabs by arrow keys, a feature by focus.
  await page.keyboard.down('Shift');
  await tabTo(page, '#tab-review');
  await page.keyboard.up('Shift');
  await key('ArrowRight');
  await page.waitForSelector('.feature-row');
  await tabTo(page, '.feature');
  await tabTo(page, '.feature');
  await tabTo(page, '.feature');
  assert.ok((await page.$$eval('.cell[data-tint]', (cells) => cells.length)) > 0);
  await key('Enter');
  await page.waitForSelector('.places:not([hidden])');

  // Set up a position: empty d4 and put a black disc there.
  await key('s');
  await page.waitForSelector('.setup:not([hidden]) input:focus');
  await key('b');
  await page.waitForSelector('.cell:focus');
  const cells = await boardText(page);
  const cursor = Number(await page.evaluate(() => /** @type {HTMLElement} */ (document.activeElement).dataset.square));
  await key('Enter');
  assert.notEqual((await boardText(page))[cursor], cells[cursor]);
  await tabTo(page, '.setup .primary');
  await key('Enter');
  await page.waitForSelector('.setup[hidden]');

  // Play: start a game, move, resign.
  await key('1');
  await tabTo(page, '#panel-play .primary');
  await key('Enter');
  await waitForText(page, '#panel-play .game-status', /Your move/);
  await key('b');
  await page.waitForSelector('.cell:focus');
  await page.evaluate(() => {
    /** @type {HTMLElement} */ (document.querySelector('.cell[data-square="27"]')).focus();
  });
  await key('ArrowUp');
  await key('Enter');
  await page.waitForFunction(() => document.querySelectorAll('.moves .move').length >= 2);
  await tabTo(page, '#panel-play button:nth-child(5)');
  await key('Enter');
  await waitForText(page, '#panel-play .game-status', /You resigned/);

  // Help and the experiments.
  await key('?');
  await page.waitForSelector('dialog[open] .keys');
  await key('Escape');
  await page.waitForFunction(() => !document.querySelector('dialog[open]'));
  await tabTo(page, '.top nav a[href="#experiments"]');
  await key('Enter');
  await page.waitForSelector('.runs li');
});

test('keyboard: letters can be switched off', async (studio) => {
  const page = await studio.open('#moves=f5');
  await page.keyboard.press('?');
  await page.click('dialog[open] .check input');
  await page.keyboard.press('Escape');
  await page.keyboard.press('u');
  assert.ok(await page.$('.move[aria-current]'), 'nothing happened');
  await page.keyboard.press('ArrowLeft');
  assert.equal(await page.$('.move[aria-current]'), null);
});
