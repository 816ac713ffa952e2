import assert from 'node:assert/strict';
import { join } from 'node:path';

import { test } from '../harness.js';
import { textOf, waitForText } from '../page.js';

test('experiments: a reproduction with all its parts', async (studio) => {
  const page = await studio.open('#experiments');
  await page.waitForSelector('.runs li');
  await page.evaluate(() => {
    const link = [...document.querySelectorAll('.runs a')].find((a) => /sample/.test(a.textContent ?? ''));
    /** @type {HTMLElement} */ (link).click();
  });
  // Another run may be on the page until this one's numbers are there.
  const text = (await waitForText(page, '.run-content', /104–20–76/)).replaceAll('\u202f', ' ');
  for (const expected of [
    'Table 1', 'The paper’s claims', '116–15–69', '57.0 %', 'The weights, phase by phase', 'Calibration',
    'discordance', 'How much time makes up for it?', '75,313', 'differs', 'agrees', 'open',
  ]) assert.ok(text.includes(expected), expected);
  assert.equal(await page.$$eval('#weights .panels > div', (charts) => charts.length), 14, 'a chart for each weight');
  assert.equal(await page.$$eval('#weights .blue.band', (bands) => bands.length), 14, 'with intervals');
  assert.ok((await page.$$eval('.report .whisker', (whiskers) => whiskers.length)) > 50);
});

test('experiments: charts take the colours of the page and links keep the run open', async (studio) => {
  const page = await studio.open('#experiments');
  await waitForText(page, '.run-content', /The paper’s claims/);
  const ink = () => page.$eval('.report text', (element) => getComputedStyle(element).fill);
  const light = await ink();
  await page.click('.top-tools button:last-child');
  assert.notEqual(await ink(), light, 'the switch is theirs, too');
  const address = page.url();
  await page.$eval('.report a[href="#findings"]', (link) => /** @type {HTMLElement} */ (link).click());
  await page.waitForFunction(() => {
    const top = document.querySelector('#findings')?.getBoundingClientRect().top ?? Infinity;
    return top < innerHeight;
  });
  assert.equal(page.url(), address);
});

test('experiments: a run that comes late does not replace the chosen one', async (studio) => {
  const page = await studio.open();
  await page.setRequestInterception(true);
  /** @type {import('puppeteer-core').HTTPRequest | undefined} */
  let late;
  page.on('request', (request) => {
    if (!late && /\/api\/experiments\/./.test(request.url())) late = request;
    else request.continue();
  });
  await page.evaluate(() => {
    location.hash = '#experiments';
  });
  await page.waitForSelector('.runs a[aria-current]');
  await page.evaluate(() => /** @type {HTMLElement} */ (document.querySelector('.runs a:not([aria-current])')).click());
  const chosen = await waitForText(page, '.run-content', /games/);
  const arrived = page.waitForResponse((response) => response.request() === late);
  await late?.continue();
  await (await arrived).text();
  await page.waitForNetworkIdle();
  assert.ok((await textOf(page, '.run-content')) === chosen, 'the late one came on top');
});

test('experiments: a tournament with its table', async (studio) => {
  const page = await studio.open('#experiments');
  await page.waitForSelector('.runs li');
  await page.evaluate(() => {
    const link = [...document.querySelectorAll('.runs a')].find((a) => /Tournament/.test(a.textContent ?? ''));
    /** @type {HTMLElement} */ (link).click();
  });
  await waitForText(page, '.run-content', /one – two|two – one/);
  assert.match(await textOf(page, '.run-content'), /4 games/);
  assert.equal(await page.$$eval('.run-content .card', (cards) => cards.length), 2);
  assert.match(await page.title(), /Discern/);
});

test('experiments: a running tournament grows before one’s eyes', async (studio) => {
  studio.runTournament(join(studio.folder, 'runs', 'growing.games'));
  const page = await studio.open();
  // The list is asked for anew until the first games are there.
  await page.waitForFunction(async () => {
    const { runs } = await (await fetch('/api/experiments')).json();
    const run = runs.find((/** @type {{ title: string }} */ { title }) => title === 'growing');
    if (run) location.hash = `#experiments/${run.id}`;
    return run;
  }, { polling: 500 });
  // The facts of a reproduction count games, too: first the view must be there.
  await page.waitForSelector('.badge.live');
  const games = (/** @type {string} */ facts) => Number(facts.match(/([\d,]+) games?/)?.[1].replaceAll(',', ''));
  const before = games(await waitForText(page, '.facts', /\d games?/));
  await page.waitForFunction(
    (before) => Number(document.querySelector('.facts')?.textContent?.match(/([\d,]+) games?/)?.[1].replaceAll(',', '')) > before, {}, before,
  );
});

test('experiments: the shipped reproduction is there without runs of one’s own', async (studio) => {
  const { url } = await studio.serve();
  const page = await studio.open('#experiments', { url, tab: '' });
  await waitForText(page, '.run-content', /The paper’s claims/);
  assert.equal(await page.$$eval('.runs li', (runs) => runs.length), 1);
  assert.match(await textOf(page, '.run-content'), /75,313/);
});
