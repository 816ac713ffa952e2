import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';

import { test } from '../harness.js';
import { boardText, press, textOf, waitForText } from '../page.js';
import { randomGame, randomNumbers, transcript } from '../rules.js';

/** @typedef {import('puppeteer-core').Page} Page */

/** @param {Page} page @param {number} square */
async function center(page, square) {
  const box = await (await page.$(`.cell[data-square="${square}"]`))?.boundingBox();
  assert.ok(box);
  return { x: box.x + box.width / 2, y: box.y + box.height / 2 };
}

test('comfort: discs are painted by drawing, the other colour with the right button', async (studio) => {
  const page = await studio.open();
  await page.click('[data-tool=setup]');
  await page.click('.setup ::-p-text(Empty board)');
  const [from, to] = [await center(page, 0), await center(page, 7)];
  await page.mouse.move(from.x, from.y);
  await page.mouse.down();
  await page.mouse.move(to.x, to.y, { steps: 20 });
  await page.mouse.up();
  assert.equal((await boardText(page)).slice(0, 9), 'XXXXXXXX-');
  await page.click('.cell[data-square="8"]', { button: 'right' });
  assert.equal((await boardText(page))[8], 'O');
  await page.click('.setup ::-p-text(Mirror)');
  assert.equal((await boardText(page))[15], 'O');
  await page.click('.setup ::-p-text(Rotate)');
  const turned = await boardText(page);
  assert.equal([...turned].filter((cell) => cell === 'X').length, 8);
  assert.notEqual(turned.slice(0, 8), 'XXXXXXXX');
  await page.keyboard.press('Escape');
  await page.waitForSelector('.setup[hidden]');
  assert.equal((await boardText(page))[27], 'O', 'Esc leaves the position as it was');
});

test('comfort: the move list follows the game to its last move', async (studio) => {
  const page = await studio.open(`#moves=${transcript(randomGame(randomNumbers(5)))}&at=0`);
  for (const key of /** @type {const} */ (['End', 'ArrowLeft', 'Home', 'End'])) {
    await page.keyboard.press(key);
    const inside = await page.evaluate(() => {
      const list = document.querySelector('.moves')?.getBoundingClientRect();
      const move = document.querySelector('.move[aria-current]')?.getBoundingClientRect();
      return !move || (list && move.top >= list.top - 1 && move.bottom <= list.bottom + 1);
    });
    assert.ok(inside, key);
  }
});

test('comfort: a line is seen on the board while the pointer is on it', async (studio) => {
  const page = await studio.open();
  await page.click('#panel-analysis .start');
  await page.waitForSelector('.lines .pv:not([hidden])');
  await page.click('#panel-analysis .start');
  const before = await boardText(page);
  await page.hover('.lines .pv');
  await page.waitForSelector('.previewing');
  assert.notEqual(await boardText(page), before);
  await page.mouse.move(2, 2);
  await page.waitForSelector('.board:not(.previewing)');
  assert.equal(await boardText(page), before);
});

test('comfort: a phone on its side shows the whole board and the tools', async (studio) => {
  const page = await studio.open('#moves=f5d6c3', { width: 844, height: 390 });
  const [board, fresh] = await page.evaluate(() =>
    ['.board', '[data-tool=fresh]'].map((selector) => {
      const { top, bottom, width } = /** @type {Element} */ (document.querySelector(selector)).getBoundingClientRect();
      return { top, bottom, width };
    }));
  assert.ok(board.top >= 0 && board.bottom <= 390, `the board reaches from ${board.top} to ${board.bottom}`);
  assert.ok(board.width > 280, `${board.width} pixels`);
  assert.ok(fresh.bottom <= 390, 'New is in sight');
  await page.evaluate((moves) => { location.hash = `#moves=${moves}`; }, transcript(randomGame(randomNumbers(5)).slice(0, 52)));
  await page.waitForFunction(() => document.querySelectorAll('.moves .move').length > 50);
  const torn = await page.$$eval('.moves .number', (numbers) => numbers.filter((number) => {
    const move = number.nextElementSibling?.getBoundingClientRect();
    return move && move.left < number.getBoundingClientRect().left;
  }).length);
  assert.equal(torn, 0, 'numbers stand before their moves');
  assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= 844));
  // The board stays while the rest is scrolled.
  await page.click('#tab-explain');
  await page.waitForSelector('.feature-row');
  const stays = await page.evaluate(async () => {
    scrollTo(0, 400);
    await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
    const { top, bottom } = /** @type {Element} */ (document.querySelector('.board')).getBoundingClientRect();
    return scrollY > 300 && top >= 0 && bottom <= 390;
  });
  assert.ok(stays, 'the board is still in sight');
});

test('comfort: board colours and sounds are chosen and kept, sounds off at first', async (studio) => {
  const page = await studio.open();
  const felt = () => page.$eval('.board', (board) => getComputedStyle(board).getPropertyValue('--felt'));
  const green = await felt();
  await page.click('[data-tool=gear]');
  assert.ok(await page.$eval('dialog[open] [name=sounds][value=off]', (input) => /** @type {HTMLInputElement} */ (input).checked));
  await page.click('dialog[open] [name=board-theme][value=blue]');
  assert.notEqual(await felt(), green);
  await page.reload();
  await page.waitForSelector('.cell');
  assert.notEqual(await felt(), green);
});

test('comfort: the page can be installed', async (studio) => {
  const page = await studio.open();
  const manifest = await page.evaluate(async () => {
    const link = /** @type {HTMLLinkElement} */ (document.querySelector('link[rel=manifest]'));
    return (await fetch(link.href)).json();
  });
  assert.equal(manifest.display, 'standalone');
  for (const { src } of manifest.icons) {
    assert.ok(await page.evaluate(async (src) => (await fetch(src)).ok, src), src);
  }
});

test('comfort: the rules are one press away, for newcomers', async (studio) => {
  const page = await studio.open('', { tab: '' });
  assert.ok(await page.$('#panel-play:not([hidden])'), 'a newcomer can play at once');
  await page.click('[data-tool=book]');
  await waitForText(page, 'dialog[open]', /How Othello is played/);
  assert.equal((await page.$$('dialog[open] .pictures svg')).length, 2);
});

test('comfort: games are taken along in every format', async (studio) => {
  const page = await studio.open('#moves=f5d6(f6{hm}e6)c3d3c4&black=Anna&white=Bert');
  await page.evaluate(() => {
    const kept = /** @type {any} */ (window);
    kept.copied = [];
    Object.defineProperty(navigator, 'clipboard', { value: { writeText: async (/** @type {string} */ text) => kept.copied.push(text) } });
  });
  await page.click('[data-tool=link]');
  for (const name of ['Moves', 'GGF', 'SGF', 'Position (OBF)']) await page.click(`dialog[open] ::-p-text(${name})`);
  const [moves, ggf, sgf, obf] = await page.evaluate(() => /** @type {any} */ (window).copied);
  assert.equal(moves, 'f5d6c3d3c4');
  assert.match(ggf, /^\(;GM\[Othello\].*PB\[Anna\]PW\[Bert\].*B\[F5\]W\[D6\].*;\)$/);
  assert.match(sgf, /B\[f5\]\(;W\[d6\].*\)\(;W\[f6\]C\[hm\];B\[e6\]\)/);
  assert.match(obf, /^[XO-]{64} O;$/);
  // The server reads what the page writes.
  for (const record of [moves, ggf, sgf]) {
    const read = await page.evaluate(async (record) => {
      const api = await import(/** @type {any} */ ('/assets/api.js'));
      return (await api.importGames(record)).games[0].moves;
    }, record);
    assert.equal(read, 'f5d6c3d3c4');
  }
  const [picture, drawing] = await page.evaluate(async () => {
    const { asPng, positionSvg } = await import(/** @type {any} */ ('/assets/picture.js'));
    const drawing = positionSvg(`X${'-'.repeat(63)}`, { labels: new Map([[19, { text: '53', spoken: '', rank: 'best', proven: false }]]) });
    return /** @type {[number, string]} */ ([(await asPng(drawing)).size, drawing]);
  });
  assert.ok(picture > 5000, `${picture} bytes`);
  assert.match(drawing, />53</, 'with the odds on it');
});

test('comfort: no text is missing in any language', async (studio) => {
  const page = await studio.open('', { language: 'ja', tab: '' });
  assert.equal(await page.evaluate(() => document.documentElement.lang), 'ja');
  assert.equal(await textOf(page, '#tab-play'), '対局');
  const openings = readFileSync(new URL('../../../book/src/openings.txt', import.meta.url), 'utf8')
    .trim().split('\n').map((line) => line.slice(line.indexOf(' ') + 1));
  const missing = await page.evaluate(async (openings) => {
    const { languages } = await import(/** @type {any} */ ('/assets/text.js'));
    const [en, ...others] = languages;
    /** @type {string[]} */
    const found = [];
    /** @param {any} model @param {any} other @param {string} path */
    const compare = (model, other, path) => {
      if (typeof model !== typeof other || Array.isArray(model) !== Array.isArray(other)) found.push(path);
      else if (typeof model === 'string' && model && !other) found.push(path);
      else if (model && typeof model === 'object') {
        if (/\.feature(s|Notes)$/.test(path)) return;
        for (const key of new Set([...Object.keys(model), ...Object.keys(other)])) compare(model[key], other[key], `${path}.${key}`);
      }
    };
    // What the server says in English of its features, the others say themselves.
    const { features } = await (await fetch('/api/info')).json();
    const { schemas } = (await (await fetch('/openapi.json')).json()).components;
    for (const other of others) {
      compare(en, other, other.locale);
      const isForeign = (/** @type {string} */ text) => text && !/[a-z]{4,}/i.test(text.replace(/GGF|SGF|OBF|WTHOR|discern serve --games FOLDER/g, ''));
      for (const reason of schemas.Reason.enum) {
        if (!isForeign(other.server.refused({ error: 'words', reason }))) found.push(`${other.locale}: refusal ${reason}`);
      }
      for (const kind of schemas.Fault.properties.kind.enum) {
        const fault = { sentence: 'words', kind, game: 2, line: 17 };
        if (!isForeign(other.importer.fault(fault))) found.push(`${other.locale}: fault ${kind}`);
        if (!/2.*17/.test(other.importer.fault(fault))) found.push(`${other.locale}: the place of fault ${kind}`);
      }
      for (const name of openings) if (other.opening(name) === name) found.push(`${other.locale}: opening ${name}`);
      for (const { name } of features) {
        if (!other.features[name]) found.push(`${other.locale}.features.${name}`);
        if (!other.featureNotes[name]) found.push(`${other.locale}.featureNotes.${name}`);
      }
    }
    return found;
  }, openings);
  assert.deepEqual(missing, []);
  // What the server refuses is said in Japanese, and an opening has its name.
  page.removeAllListeners('console'); // the refusal is an answer the console reports by itself
  await page.click('[data-tool=open]');
  await page.type('dialog[open] textarea', 'no game at all');
  await page.click('dialog[open] .primary');
  await waitForText(page, 'dialog[open] .notice', /手順でも局面でもなく/);
  await page.$eval('dialog[open] textarea', (box) => { /** @type {HTMLTextAreaElement} */ (box).value = 'f5d6\nf5f5\n'; });
  await page.click('dialog[open] .primary');
  await waitForText(page, 'dialog[open] .notice', /2 局目、2 行目：打てない手があります/);
  await page.keyboard.press('Escape');
  await page.evaluate(() => { location.hash = '#moves=f5d6c3d3c4'; });
  await page.click('#tab-book');
  await waitForText(page, '#panel-book .opening', /^虎$/);
  await page.click('#tab-library');
  await page.type('.library-fields [name=opening]', '縦取り');
  await page.waitForFunction(() => /^140 局中 [1-9]\d? 局/.test(document.querySelector('.library-count')?.textContent ?? ''));
  await page.click('[data-tool=gear]');
  await page.select('dialog[open] select', 'en');
  await waitForText(page, '#tab-play', /^Play$/);
  await press(page, 19);
});
