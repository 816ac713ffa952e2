import assert from 'node:assert/strict';

import { test } from '../harness.js';
import { listedMoves, press, waitForText } from '../page.js';

test('offline: the page opens without the server, with its games', async (studio) => {
  const server = await studio.serve();
  const page = await studio.open('', { url: server.url });
  page.removeAllListeners('console'); // failed requests are logged by the browser itself
  await press(page, 37);
  await page.waitForSelector('.moves .move');
  await page.evaluate(() => navigator.serviceWorker.ready);
  await server.stop();
  await page.reload();
  await waitForText(page, '.connection', /Trying again/);
  assert.deepEqual(await listedMoves(page), ['f5'], 'the game is there');
  await press(page, 43);
  await page.waitForFunction(() => document.querySelectorAll('.moves .move').length === 2);
  // Japanese was never shown before, and opens as well.
  await page.evaluate(() => localStorage.setItem('discern.language', 'ja'));
  await page.reload();
  await waitForText(page, '#tab-play', /対局/);
  assert.equal((await page.$$('.cell')).length, 64);
});

test('offline: what the server says always comes first', async (studio) => {
  const page = await studio.open();
  await page.evaluate(() => navigator.serviceWorker.ready);
  await page.reload();
  await page.waitForSelector('#panel-analysis select');
  const kept = await page.evaluate(async () => {
    const names = await caches.keys();
    const files = (await (await caches.open(names[0])).keys()).map(({ url }) => new URL(url).pathname);
    return { names, files, controlled: navigator.serviceWorker.controller !== null };
  });
  assert.ok(kept.controlled);
  assert.equal(kept.names.length, 1);
  assert.ok(kept.files.includes('/') && kept.files.includes('/assets/app.js'));
  assert.ok(!kept.files.some((file) => file.startsWith('/api/')), 'answers are never kept');
});
