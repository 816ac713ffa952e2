// One server, one browser, and pages that remember what went wrong in them.

import assert from 'node:assert/strict';
import { execFileSync, spawn } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import puppeteer from 'puppeteer-core';

import { randomGame, randomNumbers, rules, transcript } from './rules.js';

/** @typedef {import('puppeteer-core').Page} Page */

const ROOT = fileURLToPath(new URL('../../../', import.meta.url));
const PROGRAM = process.env.DISCERN ?? join(ROOT, 'target/debug/discern');
const CHROMIUM =
  process.env.CHROMIUM ?? ['/usr/bin/chromium', '/usr/bin/chromium-browser'].find(existsSync) ?? 'chromium';
/** Patience for anything on a busy machine; nothing waits this long when all is well. */
const PATIENCE = Number(process.env.PATIENCE ?? 60_000);

/** @type {{ name: string, body: (studio: Studio) => Promise<void> }[]} */
const tests = [];

/**
 * @param {string} name
 * @param {(studio: Studio) => Promise<void>} body
 */
export const test = (name, body) => {
  tests.push({ name, body });
};

/** What a test works with. */
class Studio {
  /** @type {{ page: Page, faults: string[] }[]} */
  #pages = [];

  /**
   * @param {import('puppeteer-core').Browser} browser
   * @param {string} url the server's, without a slash at the end
   * @param {string} folder a folder of its own
   */
  constructor(browser, url, folder) {
    this.browser = browser;
    this.url = url;
    this.folder = folder;
  }

  /**
   * A fresh page, as a new visitor sees it.
   * @param {string} [fragment] of the address
   * @param {{ width?: number, height?: number, dark?: boolean, language?: string, tab?: string }} [look]
   */
  async open(fragment = '', { width = 1280, height = 900, dark = false, language = 'en', tab = 'analysis' } = {}) {
    const context = await this.browser.createBrowserContext();
    const page = await context.newPage();
    page.setDefaultTimeout(PATIENCE);
    page.setDefaultNavigationTimeout(PATIENCE);
    await page.setViewport({ width, height });
    await page.emulateMediaFeatures([
      { name: 'prefers-color-scheme', value: dark ? 'dark' : 'light' },
      { name: 'prefers-reduced-motion', value: 'reduce' },
    ]);
    await page.evaluateOnNewDocument((locale) => {
      if (!location.protocol.startsWith('http')) return;
      if (!localStorage.getItem('discern.language')) localStorage.setItem('discern.language', locale);
    }, language);
    /** @type {string[]} */
    const faults = [];
    page.on('console', (message) => {
      if (['error', 'warn'].includes(message.type())) faults.push(message.text());
    });
    page.on('pageerror', (error) => faults.push(String(error)));
    this.#pages.push({ page, faults });
    await page.goto(`${this.url}/${fragment}`, { waitUntil: 'load' });
    await page.waitForSelector('#panel-analysis select');
    if (tab) await page.$eval(`#tab-${tab}`, (button) => /** @type {HTMLElement} */ (button).click());
    return page;
  }

  /**
   * Closes the pages of a test.
   * @returns {Promise<string[]>} what their consoles complained about
   */
  async tidy() {
    const pages = this.#pages;
    this.#pages = [];
    for (const { page } of pages) await page.browserContext().close();
    return pages.flatMap(({ faults }) => faults);
  }
}

/**
 * Runs the tests one after the other.
 * @param {string} wanted a word of their names
 */
export async function run(wanted) {
  const folder = mkdtempSync(join(tmpdir(), 'discern-studio-'));
  const { weights, runs, games } = prepare(folder);
  const server = await startServer(['--weights', weights, '--runs', runs, '--games', games]);
  const browser = await puppeteer.launch({
    executablePath: CHROMIUM,
    // Tests run as root in containers, where the sandbox cannot be set up.
    args: ['--no-sandbox', '--disable-dev-shm-usage'],
    protocolTimeout: 3 * PATIENCE,
  });
  let failed = 0;
  try {
    const studio = new Studio(browser, server.url, folder);
    for (const { name, body } of tests.filter(({ name }) => name.includes(wanted))) {
      const begun = Date.now();
      try {
        await body(studio);
        assert.deepEqual(await studio.tidy(), [], 'the console stays silent');
        console.log(`ok    ${name} (${((Date.now() - begun) / 1000).toFixed(1)} s)`);
      } catch (error) {
        failed++;
        await studio.tidy();
        console.log(`FAIL  ${name}\n${error instanceof Error ? error.stack : error}`);
      }
    }
  } finally {
    await browser.close();
    server.stop();
    rmSync(folder, { recursive: true, force: true });
  }
  if (failed) {
    console.log(`${failed} failed; the server said:\n${server.said()}`);
    process.exitCode = 1;
  }
}

/**
 * Weights fitted to random games, a tournament and a reproduction.
 * @param {string} folder
 */
function prepare(folder) {
  const random = randomNumbers(7);
  const games = Array.from({ length: 300 }, () => transcript(randomGame(random)));
  writeFileSync(join(folder, 'random.txt'), `${games.join('\n')}\n`);
  discern(folder, 'classify', 'random.txt', '-o', 'random.positions');
  discern(folder, 'fit', '--positions', 'random.positions', '--output', 'random.weights');
  const runs = join(folder, 'runs');
  mkdirSync(join(runs, 'sample'), { recursive: true });
  // The shipped reproduction with another result in the first row.
  const numbers = JSON.parse(readFileSync(join(ROOT, 'docs/reproduction/numbers.json'), 'utf8'));
  numbers.table[0].ours.tally = { wins: 104, draws: 20, losses: 76 };
  writeFileSync(join(runs, 'sample', 'numbers.json'), JSON.stringify(numbers));
  discern(folder, 'tournament', '--pairs', '2', '--depth', '1',
    '--player', 'name=one,model=rev', '--player', 'name=two,model=rev-edges', '-o', 'runs/small.games');
  return { weights: join(folder, 'random.weights'), runs, games: library(folder, random) };
}

const PLAYERS = ['Anna Ek', 'Bert', 'Clara', 'Dora'];

/**
 * A folder of 140 games, 20 to a year, by players in turn; Dora's are short, so that
 * reviewing them takes no time.
 * @param {string} folder
 * @param {() => number} random
 */
function library(folder, random) {
  const games = join(folder, 'library');
  mkdirSync(games);
  const start = '8 ---------------------------O*------*O--------------------------- *';
  const lines = Array.from({ length: 140 }, (_, number) => {
    const black = PLAYERS[number % 4];
    const white = PLAYERS[(number + 1 + Math.floor(number / 4) % 3) % 4];
    const short = [black, white].includes('Dora');
    const moves = withoutPass(random).slice(0, short ? 6 : 60);
    const played = moves.map((square, ply) => `${ply % 2 ? 'W' : 'B'}[${rules.squareName(square)}]`).join('');
    const year = 1990 + Math.floor(number / 20);
    return `(;GM[Othello]PC[${year % 2 ? 'Lund Open' : 'Malmö Cup'}]DT[${year}]PB[${black}]PW[${white}]RE[?]TI[5:00]TY[8]BO[${start}]${played};)`;
  });
  writeFileSync(join(games, 'games.ggf'), `${lines.join('\n')}\n`);
  return games;
}

/** A random game in which nobody passes. @param {() => number} random */
function withoutPass(random) {
  for (;;) {
    const game = randomGame(random);
    let position = rules.START;
    const turns = game.every((move) => {
      const next = rules.play(position, move);
      if (next) position = next;
      return next;
    });
    if (turns) return game;
  }
}

/**
 * @param {string} folder
 * @param {...string} args
 */
function discern(folder, ...args) {
  execFileSync(PROGRAM, args, { cwd: folder, stdio: ['ignore', 'ignore', 'pipe'] });
}

/**
 * A tournament that goes on until it is stopped.
 * @param {string} output
 */
export function startTournament(output) {
  const players = ['--player', 'name=one,model=rev', '--player', 'name=two,model=rev-edges'];
  const child = spawn(PROGRAM, ['tournament', '--move-time', '0.01', ...players, '-o', output], { stdio: 'ignore' });
  return { stop: () => child.kill('SIGKILL') };
}

/**
 * @param {string[]} args
 * @returns {Promise<{ url: string, stop: () => void, said: () => string }>}
 */
export function startServer(args) {
  return new Promise((resolve, reject) => {
    const child = spawn(PROGRAM, ['serve', '--no-open', '--port', '0', ...args]);
    let said = '';
    child.stderr.on('data', (data) => {
      said += data;
    });
    child.stdout.on('data', (data) => {
      const [url] = String(data).match(/http:\/\/\S+(?=\/)/) ?? [];
      if (url) resolve({ url, stop: () => child.kill(), said: () => said });
    });
    child.on('error', reject);
    child.on('exit', (code) => reject(new Error(`the server ended with ${code}: ${said}`)));
  });
}

// What several tests do

/**
 * @param {Page} page
 * @param {string} selector
 */
export const textOf = (page, selector) =>
  page.$eval(selector, (element) => element.textContent?.trim() ?? '');

/**
 * Waits until the text of an element fits.
 * @param {Page} page
 * @param {string} selector
 * @param {RegExp} pattern
 */
export async function waitForText(page, selector, pattern) {
  await page.waitForFunction(
    (selector, source) => new RegExp(source).test(document.querySelector(selector)?.textContent ?? ''),
    {},
    selector,
    pattern.source,
  );
  return textOf(page, selector);
}

/** @param {Page} page */
export const boardText = (page) =>
  page.$$eval('.disc', (discs) => discs.map((disc) => /** @type {HTMLElement} */ (disc).dataset.color).join(''));

/** Squares of the moves in the list. @param {Page} page */
export const listedMoves = (page) =>
  page.$$eval('.moves .move', (moves) => moves.map((move) => move.textContent?.match(/[a-h][1-8]/)?.[0] ?? ''));

/**
 * @param {Page} page
 * @param {number} square
 */
export const press = (page, square) => page.click(`.cell[data-square="${square}"]`);

/**
 * Waits for a button with this text and presses it.
 * @param {Page} page
 * @param {string} within
 * @param {string} words
 */
export async function pressText(page, within, words) {
  const button = await page.waitForSelector(`${within} ::-p-text(${words})`);
  await button?.click();
}

/**
 * Presses Tab until the focus is on such an element.
 * @param {Page} page
 * @param {string} selector
 */
export async function tabTo(page, selector) {
  for (let step = 0; step < 120; step++) {
    await page.keyboard.press('Tab');
    if (await page.evaluate((selector) => document.activeElement?.matches(selector), selector)) return;
  }
  assert.fail(`the Tab key never reaches ${selector}`);
}
