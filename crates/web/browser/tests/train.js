import assert from 'node:assert/strict';

import { test } from '../harness.js';
import { press, textOf, waitForText } from '../page.js';
import { randomGame, randomNumbers, rules, transcript } from '../rules.js';

test('train: one’s own mistakes come back as exercises, and are counted by phase and feature', async (studio) => {
  const game = randomGame(randomNumbers(5));
  const page = await studio.open(`#moves=${transcript(game)}`, { tab: 'review' });
  await page.select('#panel-review label:nth-child(2) select', '0.1');
  await page.click('#panel-review .start');
  await waitForText(page, '#panel-review .search-state', /Review complete/);

  await page.click('#tab-train');
  const offer = await waitForText(page, '#panel-train .task', /\d+ mistakes? in your reviewed games, \d+ to try today/);
  const waiting = Number(offer.match(/, (\d+) to try/)?.[1]);
  assert.ok(waiting > 0);
  await waitForText(page, '#panel-train', /What you overlooked most/);
  assert.equal((await page.$$('#panel-train .numbers')).length, 2);

  await page.click('#panel-train .task .primary');
  const asked = await waitForText(page, '#panel-train .game-status', /find the better move/);
  const [, played] = asked.match(/You played ([a-h][1-8])/) ?? [];
  await press(page, rules.squareNumber(played));
  await waitForText(page, '#panel-train .game-status', /is what you played/);
  await page.click('#panel-train ::-p-text(Show me)');
  const best = (await waitForText(page, '#panel-train .game-status', /The better move was/)).match(/[a-h][1-8]/)?.[0] ?? '';
  assert.notEqual(best, played);
  await page.click('#panel-train ::-p-text(Stop)');

  // What was wrong stays for today; what is right comes later.
  await page.click('#panel-train .task .primary');
  await waitForText(page, '#panel-train .game-status', /find the better move/);
  const card = await page.evaluate(() => {
    const cards = JSON.parse(localStorage.getItem('discern.training') ?? '{}');
    return Object.values(cards).filter(({ due, step }) => due > 0 && step === 0).length;
  });
  assert.equal(card, 1);
  const answer = await page.evaluate(async () => {
    const { due, mistakesOf, reviewedMoves } = await import(/** @type {any} */ ('/assets/mistakes.js'));
    return due(mistakesOf(reviewedMoves()))[0].move.best;
  });
  await press(page, rules.squareNumber(answer));
  await waitForText(page, '#panel-train .game-status', /Right!/);
  await page.click('#panel-train ::-p-text(Stop)');
  await waitForText(page, '#panel-train .task', new RegExp(`${waiting - 1} to try today`));
  assert.match(await textOf(page, '.status'), /wins by|Draw|to move/);
});
