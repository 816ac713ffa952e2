import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { boardText, listedMoves, test, textOf, waitForText } from '../harness.js';
import { after, rules } from '../rules.js';

const GGF =
  '(;GM[Othello]PC[x]DT[2001]PB[Anna]PW[Bert]RE[+0]TI[5:00]TY[8]BO[8 ---------------------------O*------*O--------------------------- *]B[f5]W[d6]B[c3];)';

test('opening: a pasted transcript is on the board', async (studio) => {
  const page = await studio.open();
  await page.evaluate(() => {
    const clipboardData = new DataTransfer();
    clipboardData.setData('text/plain', 'F5 D6 C3 D3 C4');
    document.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true }));
  });
  await page.waitForFunction(() => document.querySelectorAll('.moves .move').length === 5);
  assert.deepEqual(await listedMoves(page), ['f5', 'd6', 'c3', 'd3', 'c4']);
  assert.equal(await boardText(page), after(['f5', 'd6', 'c3', 'd3', 'c4'].map(rules.squareNumber)).cells);
});

test('opening: one of several games in a file', async (studio) => {
  const file = join(studio.folder, 'two.ggf');
  writeFileSync(file, `${GGF}\n${GGF.replace('Anna', 'Clara').replace('B[c3]', 'B[c5]')}\n`);
  const page = await studio.open();
  await page.click('.tools button:nth-child(3)');
  const input = await page.waitForSelector('dialog[open] input[type=file]');
  await /** @type {import('puppeteer-core').ElementHandle<HTMLInputElement>} */ (input).uploadFile(file);
  await page.waitForSelector('.games li:nth-child(2)');
  await page.type('dialog[open] input[type=search]', 'clara');
  await page.waitForFunction(() => document.querySelectorAll('.games li').length === 1);
  assert.match(await textOf(page, '.games .players'), /Clara – Bert/);
  await page.click('.games button');
  await page.waitForFunction(() => document.querySelectorAll('.moves .move').length === 3);
  assert.deepEqual(await listedMoves(page), ['f5', 'd6', 'c5']);
});

test('opening: rubbish gets a sentence and changes nothing', async (studio) => {
  const page = await studio.open('#moves=f5d6');
  await page.click('.tools button:nth-child(3)');
  await page.type('dialog[open] textarea', 'no game at all');
  // The refusal is an answer the console reports by itself.
  page.removeAllListeners('console');
  await page.click('dialog[open] .primary');
  const sentence = await waitForText(page, 'dialog[open] .notice', /\S/);
  assert.ok(sentence.length > 10);
  assert.deepEqual(await listedMoves(page), ['f5', 'd6']);
});
