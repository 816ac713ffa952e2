import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { deflateRawSync } from 'node:zlib';

import { test } from '../harness.js';
import { boardText, listedMoves, textOf, waitForText } from '../page.js';
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
  await page.click('[data-tool=open]');
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
  await page.click('[data-tool=open]');
  await page.type('dialog[open] textarea', 'no game at all');
  // The refusal is an answer the console reports by itself.
  page.removeAllListeners('console');
  await page.click('dialog[open] .primary');
  const sentence = await waitForText(page, 'dialog[open] .notice', /\S/);
  assert.ok(sentence.length > 10);
  assert.deepEqual(await listedMoves(page), ['f5', 'd6']);
});

test('opening: all forms that people paste', async (studio) => {
  const page = await studio.open();
  const drawn = rules.START.cells.replace(/(.{8})/g, '$1\n');
  /** @type {[string, string[]][]} */
  const forms = [
    ['1. f5 2. d6 3. c3', ['f5', 'd6', 'c3']],
    ['[Event "x"]\n[Black "Anna"]\n[White "Bert"]\n\n1. f5 d6 2. c3 1-0', ['f5', 'd6', 'c3']],
    ['Black: Anna\nWhite: Bert\nf5d6c3', ['f5', 'd6', 'c3']],
    ['[Site "PlayOK"]\n[Date "2026.11.18"]\n[White "Bert"]\n[Black "Anna"]\n[Result "28-36"]\n\n1. f5 d6 2. c3 28-36', ['f5', 'd6', 'c3']],
    ['https://example.org/kifu?moves=f5d6c3&x=1', ['f5', 'd6', 'c3']],
    ['https://example.org/analysis/reversi#f5d6c3', ['f5', 'd6', 'c3']],
    [`${studio.url}/#moves=f5d6(f6e6)c3&at=2`, ['f5', 'd6', 'f6', 'e6', 'c3']],
    [`  abcdefgh\n${drawn}White to move`, []],
  ];
  for (const [pasted, moves] of forms) {
    await page.keyboard.press('n');
    await page.evaluate((pasted) => {
      const clipboardData = new DataTransfer();
      clipboardData.setData('text/plain', pasted);
      document.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true }));
    }, pasted);
    await page.waitForFunction(
      (count) => !document.querySelector('dialog[open]') && document.querySelectorAll('.moves .move').length === count,
      {}, moves.length);
    assert.deepEqual((await listedMoves(page)).sort(), [...moves].sort(), pasted);
    if (pasted.includes('Anna')) assert.equal(await textOf(page, '.side.black .name'), 'Anna');
  }
  // A position is analysed, not reviewed.
  await waitForText(page, '.status', /White to move/);
  assert.ok(await page.$('#panel-analysis:not([hidden])'));
});

test('opening: WTHOR games with their files of names', async (studio) => {
  const record = (/** @type {number[]} */ ...bytes) => Buffer.concat([Buffer.from(bytes), Buffer.alloc(68 - bytes.length)]);
  const header = (/** @type {number} */ games, /** @type {number} */ names) => {
    const bytes = Buffer.alloc(16);
    bytes.set([20, 26, 1, 1]);
    bytes.writeUInt32LE(games, 4);
    bytes.writeUInt16LE(names, 8);
    bytes.writeUInt16LE(2026, 10);
    bytes[12] = 8;
    return bytes;
  };
  const name = (/** @type {string} */ text, /** @type {number} */ size) => Buffer.concat([Buffer.from(text), Buffer.alloc(size - text.length)]);
  const path = (/** @type {string} */ file) => join(studio.folder, file);
  // Row and column: f5, d6.
  writeFileSync(path('w.wtb'), Buffer.concat([header(2, 0), record(1, 0, 1, 0, 2, 0, 33, 33, 56, 64), record(1, 0, 2, 0, 1, 0, 33, 33, 56)]));
  writeFileSync(path('w.jou'), Buffer.concat([header(0, 3), name('?', 20), name('Tamenori', 20), name('Suekuni', 20)]));
  writeFileSync(path('w.trn'), Buffer.concat([header(0, 2), name('?', 26), name('World Cup', 26)]));
  const page = await studio.open();
  await page.click('[data-tool=open]');
  const input = await page.waitForSelector('dialog[open] input[type=file]');
  await /** @type {import('puppeteer-core').ElementHandle<HTMLInputElement>} */ (input)
    .uploadFile(path('w.wtb'), path('w.jou'), path('w.trn'));
  await page.waitForSelector('.games li:nth-child(2)');
  assert.match(await textOf(page, '.games li:first-child'), /Tamenori – Suekuni.*World Cup/);
  await page.click('.games li:nth-child(2) button');
  await page.waitForFunction(() => document.querySelectorAll('.moves .move').length === 1);
  assert.equal(await textOf(page, '.side.black .name'), 'Suekuni');
});

test('opening: a link that stands for a flood is damaged', async (studio) => {
  const letters = deflateRawSync(Buffer.alloc(60_000_000, 'moves=f5')).toString('base64url');
  const page = await studio.open(`#z=${letters}`);
  await waitForText(page, '.notice', /damaged/);
  assert.deepEqual(await listedMoves(page), []);
});

test('opening: a long name is cut between letters', async (studio) => {
  const page = await studio.open();
  const title = await page.evaluate(async (fragment) => {
    const { readFragment } = await import(/** @type {string} */ ('/assets/link.js'));
    return (await readFragment(fragment)).about.title;
  }, `moves=f5&title=${'x'.repeat(199)}🙂🙂`);
  assert.equal(title, `${'x'.repeat(199)}🙂`);
});
