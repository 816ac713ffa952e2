import assert from 'node:assert/strict';

import { test } from '../harness.js';
import { boardText, listedMoves, press, textOf, waitForText } from '../page.js';
import { randomGame, randomNumbers, rules, transcript } from '../rules.js';

/** @typedef {import('puppeteer-core').Page} Page */

/**
 * Waits until it is the player's turn or the game is over.
 * @param {Page} page
 */
async function turn(page) {
  await waitForText(page, '#panel-play .game-status', /Your move|your move again|You win|You lose|A draw/);
  return (await page.$('#panel-play .result')) ? 'over' : 'move';
}

/** @param {Page} page */
const legal = (page) =>
  page.$$eval('.cell[data-legal]', (cells) => cells.map((cell) => Number(/** @type {HTMLElement} */ (cell).dataset.square)));

/** @param {Page} page @param {string} label */
const button = (page, label) => page.click(`#panel-play ::-p-text(${label})`);

test('play: a game to its end', async (studio) => {
  // From the middle of a game: sixty moves would take a minute.
  const page = await studio.open(`#moves=${transcript(randomGame(randomNumbers(5)).slice(0, 46))}`, { tab: 'play' });
  await page.select('#panel-play .opponents select', 'beginner');
  await button(page, 'Play from here');
  for (let move = 0; move < 40 && (await turn(page)) === 'move'; move++) {
    await press(page, (await legal(page))[0]);
  }
  const result = await textOf(page, '#panel-play .game-status');
  assert.match(result, /^(You (win|lose) by \d+|A draw), \d+–\d+\.$/);
  const cells = await boardText(page);
  assert.ok(rules.isOver({ cells, mover: 'X' }));
  const { black, white } = rules.count({ cells });
  assert.ok(result.includes(`${black}–${white}`));
  assert.match(await textOf(page, '#announcer'), /win|lose|draw/);
  assert.ok((await listedMoves(page)).length >= 9);
});

test('play: a press on the board begins a game, with the colour that was chosen', async (studio) => {
  const page = await studio.open('', { tab: 'play' });
  await press(page, 0); // not a legal move: nothing begins
  assert.equal(await page.$('#panel-play .game-status'), null);
  await press(page, rules.squareNumber('f5'));
  await page.waitForFunction(() => document.querySelectorAll('.moves .move').length === 2);
  assert.equal((await listedMoves(page))[0], 'f5');
  assert.equal(await textOf(page, '.side.black .name'), 'You');
  await button(page, 'Resign');
  await page.keyboard.press('n');
  await page.click('#panel-play [name=color][value=white]');
  await press(page, rules.squareNumber('f5'));
  await turn(page);
  assert.equal((await listedMoves(page)).length, 1, 'the engine has black and makes the first move itself');
  assert.equal(await textOf(page, '.side.white .name'), 'You');
  // Elsewhere the board is free.
  await button(page, 'Resign');
  await page.keyboard.press('n');
  await page.click('#tab-analysis');
  for (const name of ['f5', 'd6', 'c3']) await press(page, rules.squareNumber(name));
  assert.deepEqual(await listedMoves(page), ['f5', 'd6', 'c3']);
});

test('play: hint, take back, clock, colour and resignation', async (studio) => {
  const page = await studio.open();
  await page.click('#tab-play');
  await page.click('#panel-play [name=color][value=white]');
  await page.select('#panel-play .opponents select', 'casual');
  await page.select('#panel-play .fields:last-of-type label:nth-child(1) select', '1');
  await page.select('#panel-play .fields:last-of-type label:nth-child(2) select', '0');
  await button(page, 'New game');
  await turn(page);
  assert.equal((await listedMoves(page)).length, 1, 'the model has black and begins');
  assert.match(await textOf(page, '.side.white .clock'), /^(1:00|0:\d\d)$/);
  assert.equal(await textOf(page, '.side.white .name'), 'You');

  await button(page, 'Hint');
  const square = await page.waitForSelector('.cell[data-hint]');
  assert.ok(square);
  const hinted = await waitForText(page, '#panel-play .game-status', /Try [a-h][1-8]: \d+ % for you/);
  await press(page, rules.squareNumber(hinted.slice(4, 6)));
  await turn(page);
  assert.equal((await listedMoves(page)).length, 3);

  await button(page, 'Take back');
  await turn(page);
  assert.equal((await listedMoves(page)).length, 1);

  // While looking at an earlier position a press brings back the game.
  await page.keyboard.press('Home');
  await press(page, (await legal(page))[0]);
  assert.equal((await listedMoves(page)).length, 1);

  // No peeping during a game.
  await page.keyboard.press('a');
  await waitForText(page, '#toast', /Not during a game/);

  await button(page, 'Resign');
  await waitForText(page, '#panel-play .game-status', /You resigned: Casual wins/);
  assert.equal(await textOf(page, '.side.black .name'), 'Casual', 'the names stay with the game');
  assert.equal(await page.$eval('textarea.comment', (box) => /** @type {HTMLTextAreaElement} */ (box).value), 'White resigned.');

  await button(page, 'Rematch');
  await waitForText(page, '#panel-play .game-status', /Your move/);
  assert.equal(await textOf(page, '.side.black .name'), 'You', 'colours change');
  await button(page, 'Offer a draw');
  await waitForText(page, '#panel-play .game-status', /Draw agreed|No draw/);
});

test('play: two engines are watched, from any position, and no game is played twice', async (studio) => {
  const page = await studio.open('#moves=f5d6c3d3c4', { tab: 'play' });
  await page.click('#panel-play [name=color][value=watch]');
  await page.select('#panel-play .opponents label:nth-child(1) select', 'novice');
  await page.select('#panel-play .opponents label:nth-child(2) select', 'beginner');
  await button(page, 'Play from here');
  await page.waitForFunction(() => document.querySelectorAll('.moves .move').length >= 8);
  await button(page, 'Pause');
  await waitForText(page, '#panel-play .game-status', /Game in progress, Novice – Beginner/);
  const position = `${rules.START.cells} X`;
  const moves = await page.evaluate(async (position) => {
    const { token } = await (await fetch('/api/info')).json();
    const answers = await Promise.all([1, 2, 3, 4, 5, 6].map((seed) =>
      fetch('/api/move', {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'x-discern-token': token ?? '' },
        body: JSON.stringify({ client: `seed${seed}`, position, level: 'champion', seed }),
      }).then((answer) => answer.json())));
    return answers.map(({ move }) => move);
  }, position);
  assert.ok(new Set(moves).size > 1, `always ${moves[0]}`);
});
