// Somebody who has never seen the page: what is written on the screen is all
// that leads from a game to what went wrong in it, and to a friend.

import assert from 'node:assert/strict';
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

import { test } from '../harness.js';
import { press, pressText, textOf, waitForText } from '../page.js';
import { randomGame, randomNumbers, transcript } from '../rules.js';

/** @typedef {import('puppeteer-core').Page} Page */

/**
 * Where the page saves files from now on.
 * @param {Page} page
 * @param {string} folder
 */
async function saveIn(page, folder) {
  const session = await page.createCDPSession();
  await session.send('Browser.setDownloadBehavior', {
    behavior: 'allow', downloadPath: folder, browserContextId: page.browserContext().id,
  });
}

/** The only file of a folder, once it is whole. @param {string} folder */
async function savedFile(folder) {
  for (let look = 0; look < 200; look++) {
    const files = existsSync(folder) ? readdirSync(folder).filter((name) => !name.endsWith('.crdownload')) : [];
    if (files.length) return join(folder, files[0]);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  return assert.fail(`nothing was saved in ${folder}`);
}

for (const [kind, look] of /** @type {const} */ ([
  ['a phone', { width: 390, height: 844, language: 'en' }],
  ['a desk, in Japanese', { width: 1440, height: 900, language: 'ja' }],
])) {
  test(`newcomer: plays, sees what went wrong, saves and sends, at ${kind}`, async (studio) => {
    const japanese = look.language === 'ja';
    const words = japanese
      ? { again: 'ここから対局', turn: /あなたの番/, over: /勝ちです|負けです|引き分け/, review: 'この対局を検討', done: /検討が終わりました/,
        page: '対局をページとして保存', saved: /保存しました/, games: /中級.*検討済み/s }
      : { again: 'Play from here', turn: /Your move|your move again/, over: /You win|You lose|A draw/, review: 'Review this game', done: /Review complete/,
        page: 'Save the game as a page', saved: /Saved as/, games: /Casual.*reviewed/s };
    // The end of a game: sixty moves would take a minute.
    const moves = transcript(randomGame(randomNumbers(5)).slice(0, 50));
    const page = await studio.open(`#moves=${moves}`, { ...look, tab: 'play' });
    const folder = join(studio.folder, `saved-${look.language}`);
    await saveIn(page, folder);
    await page.evaluate(async () => (await import(/** @type {any} */ ('/assets/settings.js'))).remember({ reviewSeconds: '0.1' }));

    const bottom = await page.$eval('#panel-play .primary', (button) => button.getBoundingClientRect().bottom);
    assert.ok(bottom <= look.height, `New game is in sight, at ${bottom}`);
    await pressText(page, '#panel-play', words.again);
    for (let move = 0; move < 20; move++) {
      await page.waitForFunction((turn, over) => {
        const said = document.querySelector('#panel-play .game-status')?.textContent ?? '';
        return new RegExp(turn).test(said) || new RegExp(over).test(said);
      }, {}, words.turn.source, words.over.source);
      const [square] = await page.$$eval('.cell[data-legal]', (cells) => cells.map((cell) => Number(/** @type {HTMLElement} */ (cell).dataset.square)));
      if (square === undefined || (await page.$('#panel-play .result'))) break;
      await press(page, square);
    }
    await waitForText(page, '#panel-play .result', words.over);
    // On a phone the result must not be out of sight below the board.
    const seen = await page.evaluate(() => {
      const { top, bottom } = /** @type {Element} */ (document.querySelector('#panel-play .result .primary')).getBoundingClientRect();
      return top >= 0 && bottom <= innerHeight;
    });
    assert.ok(seen, 'the next step is in sight');

    await pressText(page, '#panel-play .result', words.review);
    await waitForText(page, '#panel-review .search-state', words.done);
    await page.click('.errors button');
    await page.waitForSelector('.judgement button');
    assert.match(await textOf(page, '.judgement p'), /[a-h][1-8]/);

    // It was saved all along.
    await page.click('[data-tool=games]');
    await waitForText(page, '.games.kept', words.games);
    await page.keyboard.press('Escape');

    await page.click('[data-tool=link]');
    await pressText(page, 'dialog[open]', words.page);
    await waitForText(page, '#toast', words.saved);
    const file = await savedFile(folder);

    // The friend has only this file.
    const friend = await (await studio.browser.createBrowserContext()).newPage();
    await friend.goto(`file://${file}`);
    const discs = () => friend.$$eval('.board b', (all) => all.length);
    assert.equal(await discs(), 4, 'from the start');
    await friend.keyboard.press('ArrowRight');
    assert.equal(await discs(), 5);
    await friend.click('.steps button:last-child');
    assert.ok((await discs()) > 50);
    assert.match(await textOf(friend, '.note'), /[a-h][1-8]/);
    assert.match(await textOf(friend, '.moves'), new RegExp(`^${moves}`));
    await friend.browserContext().close();
  });
}

test('newcomer: a review is saved as a page to print or send', async (studio) => {
  const page = await studio.open('#moves=f5d6c3d3c4f4f6g7', { tab: 'review' });
  const folder = join(studio.folder, 'saved-review');
  await saveIn(page, folder);
  await page.select('#panel-review label:nth-child(2) select', '0.1');
  await page.click('#panel-review .start');
  await waitForText(page, '#panel-review .search-state', /Review complete/);
  await pressText(page, '#panel-review', 'Save as a page');
  const file = await savedFile(folder);
  await page.goto(`file://${file}`);
  const said = await page.$eval('body', (body) => body.textContent ?? '');
  assert.match(said, /1\. f5/);
  assert.equal((await page.$$('svg.curve, .curve')).length > 0, true);
  assert.equal((await page.$$('script')).length, 0, 'nothing runs in it');
});

test('newcomer: all games are exported to a file and come back from it', async (studio) => {
  const page = await studio.open('#moves=f5d6c3&black=Anna&white=Bert');
  const folder = join(studio.folder, 'saved-games');
  await saveIn(page, folder);
  await page.click('[data-tool=games]');
  await waitForText(page, '.games.kept', /Anna – Bert/);
  await pressText(page, 'dialog[open]', 'Export all');
  const file = await savedFile(folder);
  const other = await studio.open();
  await other.click('[data-tool=games]');
  await waitForText(other, 'dialog[open]', /No games yet/);
  const input = await other.waitForSelector('dialog[open] input[type=file]');
  await /** @type {import('puppeteer-core').ElementHandle<HTMLInputElement>} */ (input).uploadFile(file);
  await waitForText(other, '.games.kept', /Anna – Bert/);
  await other.click('.games.kept .game');
  await other.waitForFunction(() => document.querySelectorAll('.moves .move').length === 3);
});
