import assert from 'node:assert/strict';

import { test } from '../harness.js';
import { boardText, listedMoves, press, textOf, waitForText } from '../page.js';
import { rules } from '../rules.js';

/** @typedef {import('puppeteer-core').Page} Page */

/** @param {Page} page @param {...string} squares */
async function playMoves(page, ...squares) {
  for (const square of squares) await press(page, rules.squareNumber(square));
}

/** @param {Page} page */
const keptGames = (page) =>
  page.evaluate(() => Object.keys(localStorage).filter((key) => key.startsWith('discern.game.')).length);

/** @param {Page} page @param {string} moves */
const waitForMoves = (page, moves) =>
  page.waitForFunction(
    (wanted) => [...document.querySelectorAll('.moves .move')].map((m) => m.textContent?.match(/[a-h][1-8]/)?.[0]).join('') === wanted,
    {}, moves);

test('desk: New loses nothing: undo, Back and the list bring the game back', async (studio) => {
  const page = await studio.open();
  await playMoves(page, 'f5', 'd6', 'c3');
  await page.keyboard.press('n');
  await waitForMoves(page, '');
  await page.click('#toast button');
  await waitForMoves(page, 'f5d6c3');

  await page.keyboard.press('n');
  await waitForMoves(page, '');
  await playMoves(page, 'f5', 'f6');
  await page.goBack();
  await waitForMoves(page, 'f5d6c3');
  await page.goForward();
  await waitForMoves(page, 'f5f6');
  assert.equal(await keptGames(page), 2);

  await page.click('[data-tool=games]');
  await page.waitForSelector('.games.kept li:nth-child(2)');
  await page.type('dialog[open] input[type=search]', 'f5d6c3');
  await page.waitForFunction(() => document.querySelectorAll('.games.kept li').length === 1);
  await page.click('.games.kept .game');
  await waitForMoves(page, 'f5d6c3');
});

test('desk: deleted moves come back, and Ctrl+Z and Ctrl+Y go through all changes', async (studio) => {
  const page = await studio.open('#moves=f5d6c3d3c4');
  await page.click('.moves .run > .move');
  await page.click('.move-tools button:last-child');
  await waitForMoves(page, 'f5');
  await page.click('#toast button');
  await waitForMoves(page, 'f5d6c3d3c4');
  await page.keyboard.down('Control');
  await page.keyboard.press('y');
  await waitForMoves(page, 'f5');
  await page.keyboard.press('z');
  await waitForMoves(page, 'f5d6c3d3c4');
  await page.keyboard.up('Control');
});

test('desk: a reload inside a variation keeps the whole game, comment and all', async (studio) => {
  const page = await studio.open('#moves=f5d6c3d3c4');
  await page.keyboard.press('Home');
  await page.keyboard.press('ArrowRight');
  await playMoves(page, 'f6', 'e6');
  await page.type('textarea.comment', 'a side line');
  await page.$eval('textarea.comment', (box) => /** @type {HTMLElement} */ (box).blur());
  const before = { board: await boardText(page), moves: await listedMoves(page) };
  assert.equal(before.moves.length, 7);
  await page.reload();
  await waitForMoves(page, before.moves.join(''));
  assert.equal(await boardText(page), before.board);
  assert.equal(await page.$eval('textarea.comment', (box) => /** @type {HTMLTextAreaElement} */ (box).value), 'a side line');
  assert.match(await textOf(page, '.variations .move[aria-current]'), /e6/);
});

test('desk: a shared link carries variations and comments', async (studio) => {
  const line = 'f5d6c3d3c4f4f6f3e6e7d7';
  const page = await studio.open(`#moves=f5d6(f6{why%20not}e6)c3${line.slice(6)}&at=f5f6`);
  await page.$eval('textarea.comment', (box) => {
    const area = /** @type {HTMLTextAreaElement} */ (box);
    area.value = `A comment that makes the link long. ${'White had to defend the edge here. '.repeat(6)}Number 7: pass -- or not.`;
    area.dispatchEvent(new Event('change'));
  });
  await page.click('[data-tool=link]');
  await page.waitForFunction(() => /** @type {HTMLInputElement} */ (document.querySelector('dialog[open] .link'))?.value);
  const link = await page.$eval('dialog[open] .link', (input) => /** @type {HTMLInputElement} */ (input).value);
  assert.match(link, /#z=[\w-]+$/, 'compressed');
  const other = await studio.open(new URL(link).hash);
  assert.deepEqual(await listedMoves(other), await listedMoves(page));
  assert.equal(await boardText(other), await boardText(page));
  assert.match(await other.$eval('textarea.comment', (box) => /** @type {HTMLTextAreaElement} */ (box).value), /Number 7: pass -- or not\./);
});

test('desk: a link that is followed twice leads to one game', async (studio) => {
  const page = await studio.open('#moves=f5d6c3d3&black=Anna&white=Bert');
  const kept = () => page.evaluate(() => Object.keys(localStorage).filter((key) => key.startsWith('discern.game.')));
  const [first, ...others] = await kept();
  assert.ok(first && !others.length);
  for (const link of ['#moves=f5d6c3d3&at=2&black=Anna&white=Bert', '#moves=f5d6c3d3&black=Anna&white=Bert']) {
    await page.goto('about:blank');
    await page.goto(`${studio.url}/${link}`);
    await waitForMoves(page, 'f5d6c3d3');
    assert.deepEqual(await kept(), [first]);
    assert.equal((await boardText(page)).replaceAll('-', '').length, link.includes('at=2') ? 6 : 8, 'at the place of the link');
  }
  // The same moves by others are another game.
  await page.goto('about:blank');
  await page.goto(`${studio.url}/#moves=f5d6c3d3&black=Clara`);
  await page.waitForFunction(() => Object.keys(localStorage).filter((key) => key.startsWith('discern.game.')).length === 2);
});

test('desk: a broken link says what is wrong', async (studio) => {
  for (const [fragment, sentence] of /** @type {const} */ ([
    ['#moves=f5d6k9', /“k9” at move 3 is not a square/],
    ['#moves=f5d6a1', /move 3, a1, is not legal/],
    ['#start=XO', /64 squares/],
    ['#z=AAAA', /damaged/],
  ])) {
    const page = await studio.open(fragment);
    await waitForText(page, '.panel-column .notice', sentence);
  }
});

test('desk: a killed tab is found again in the middle of a clocked game', async (studio) => {
  const page = await studio.open('', { tab: 'play' });
  await page.select('#panel-play .fields:last-of-type select', '5');
  await page.click('#panel-play .primary');
  await waitForText(page, '#panel-play .game-status', /Your move/);
  await press(page, rules.squareNumber('f5'));
  await page.waitForFunction(() => document.querySelectorAll('.moves .move').length === 2);
  await waitForText(page, '#panel-play .game-status', /Your move/);
  const board = await boardText(page);
  // Not even the page's own farewell is heard.
  const context = page.browserContext();
  await page.evaluate(() => setTimeout(() => window.stop()));
  await page.close({ runBeforeUnload: false });
  const again = await context.newPage();
  await again.goto(studio.url, { waitUntil: 'load' });
  await waitForText(again, '#panel-play .game-status', /Game in progress/);
  assert.equal(await boardText(again), board);
  assert.match(await textOf(again, '.side.black .clock'), /^[45]:\d\d$/);
  await again.click('#panel-play .primary');
  await waitForText(again, '#panel-play .game-status', /Your move/);
  await again.close();
});

test('desk: a game under way survives New', async (studio) => {
  const page = await studio.open('', { tab: 'play' });
  await page.click('#panel-play .primary');
  await waitForText(page, '#panel-play .game-status', /Your move/);
  await press(page, rules.squareNumber('f5'));
  await waitForText(page, '#panel-play .game-status', /thinking|Your move/);
  await page.keyboard.press('n');
  await waitForMoves(page, '');
  await page.keyboard.down('Control');
  await page.keyboard.press('z');
  await page.keyboard.up('Control');
  await waitForText(page, '#panel-play .game-status', /Game in progress/);
  assert.match((await listedMoves(page)).join(''), /^f5/);
});

test('desk: games are renamed, deleted, brought back, exported and restored', async (studio) => {
  const page = await studio.open('#moves=f5d6c3');
  await page.click('[data-tool=games]');
  await page.click('.games.kept ::-p-text(Rename)');
  await page.type('.rename input', 'My first');
  await page.click('.rename button');
  await waitForText(page, '.games.kept', /My first/);
  const saved = await page.evaluate(() => Object.entries(localStorage).filter(([key]) => key.startsWith('discern.game.')).map(([, value]) => JSON.parse(value)));
  assert.match(saved[0].title, /My first/);
  await page.click('.games.kept ::-p-text(Delete)');
  await page.waitForFunction(() => !document.querySelector('.games.kept li'));
  await page.evaluate(() => /** @type {HTMLElement} */ (document.querySelector('#toast button'))?.click());
  await waitForText(page, '.games.kept', /My first/);
});
