import assert from 'node:assert/strict';

import { test } from '../harness.js';
import { boardText, listedMoves, press, textOf, waitForText } from '../page.js';
import { after, randomGame, randomNumbers, rules, transcript } from '../rules.js';

test('board: moves, undo, redo and variations', async (studio) => {
  const page = await studio.open();
  assert.equal(await boardText(page), rules.START.cells);
  for (const name of ['f5', 'd6', 'c3']) await press(page, rules.squareNumber(name));
  assert.equal(await boardText(page), after(['f5', 'd6', 'c3'].map(rules.squareNumber)).cells);
  await press(page, 0); // not legal: nothing happens
  assert.deepEqual(await listedMoves(page), ['f5', 'd6', 'c3']);
  await page.keyboard.press('ArrowLeft');
  await page.keyboard.press('ArrowLeft');
  await press(page, rules.squareNumber('f6'));
  assert.deepEqual(await listedMoves(page), ['f5', 'd6', 'f6', 'c3'], 'a variation beside its main move');
  await page.click('.move-tools button');
  assert.deepEqual(await listedMoves(page), ['f5', 'f6', 'd6', 'c3'], 'promoted');
  await page.click('.moves .variations .move');
  await page.$$eval('.move-tools button', (buttons) => buttons[buttons.length - 1].click());
  assert.deepEqual(await listedMoves(page), ['f5', 'f6'], 'deleted');
  await page.keyboard.press('Home');
  assert.equal(await boardText(page), rules.START.cells);
  await page.keyboard.press('End');
  assert.equal(await boardText(page), after(['f5', 'f6'].map(rules.squareNumber)).cells);
});

test('board: passes and the result are told', async (studio) => {
  const game = randomGame(randomNumbers(3));
  const page = await studio.open(`#moves=${transcript(game)}`);
  assert.match(await textOf(page, '.status'), /wins by \d+, \d+–\d+|Draw/);
  const passed = await page.$('.moves .pass');
  if (passed) assert.equal(await textOf(page, '.moves .pass'), 'pass');
});

test('board: a shared address opens the same game', async (studio) => {
  const page = await studio.open();
  for (const name of ['f5', 'd6', 'c3', 'd3']) await press(page, rules.squareNumber(name));
  await page.keyboard.press('ArrowLeft');
  const address = page.url();
  assert.match(address, /#moves=f5d6c3d3&at=3$/);
  const other = await studio.open(new URL(address).hash);
  assert.equal(await boardText(other), await boardText(page));
  assert.deepEqual(await listedMoves(other), ['f5', 'd6', 'c3', 'd3']);
  assert.equal(await other.$eval('.move[aria-current]', (move) => move.textContent), 'c3');
});

test('board: rubbish in the address is no reason to fail', async (studio) => {
  const page = await studio.open('#%E0%A4%A');
  assert.equal(await boardText(page), rules.START.cells);
  for (const fragment of ['#moves=zz9', '#start=XO', '#start=&moves=', '#experiments/%E0%A4%A', '#at=x&moves=']) {
    await page.evaluate((fragment) => {
      location.hash = fragment;
    }, fragment);
    assert.equal(await boardText(page), rules.START.cells, fragment);
  }
  await page.evaluate(() => {
    location.hash = '#moves=f5f5d6&at=99';
  });
  await page.waitForSelector('.move');
  assert.deepEqual(await listedMoves(page), ['f5'], 'as far as the moves are legal');
});

test('board: a position is set up and judged in words', async (studio) => {
  const page = await studio.open();
  await page.click('[data-tool=setup]');
  await page.waitForSelector('.setup:not([hidden])');
  await page.evaluate(() => {
    const clear = [...document.querySelectorAll('.setup button')].find((b) => b.textContent === 'Empty board');
    /** @type {HTMLElement} */ (clear).click();
  });
  await waitForText(page, '.setup .verdict', /The board is empty/);
  await press(page, 0);
  await waitForText(page, '.setup .verdict', /Both colours/);
  await page.click('.setup [name=paint][value=O]');
  await press(page, 1);
  await waitForText(page, '.setup .verdict', /Playable/);
  await page.click('.setup [name=mover][value=O]');
  await waitForText(page, '.setup .verdict', /White cannot move and passes: Black begins/);
  await page.click('.setup .primary');
  await waitForText(page, '.status', /Black to move/);
  assert.equal(await boardText(page), `XO${'-'.repeat(62)}`);
  assert.match(page.url(), /#start=XO-+X$/);
});
