// Lanes with a server and a browser each, in which tests run until one of
// them fails in a way that others would suffer from.

import assert from 'node:assert/strict';
import { cpSync, existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import puppeteer from 'puppeteer-core';

import { Late, adopt, killAll, startServer, within } from './programs.js';
import { prepare } from './sample.js';
import { Studio } from './studio.js';

const CHROMIUM =
  process.env.CHROMIUM ?? ['/usr/bin/chromium', '/usr/bin/chromium-browser'].find(existsSync) ?? 'chromium';

/** Tests at the same time: most of them wait for searches and for the browser. */
const LANES = Number(process.env.LANES ?? 2);

/** What one test may take: four times what the longest took on a machine with much else to do. */
const LIMIT_MS = Number(process.env.LIMIT ?? 240_000);
/** What a browser may take to close. */
const CLOSE_MS = 10_000;
/** @type {[NodeJS.Signals, number][]} */
const SIGNALS = [['SIGHUP', 1], ['SIGINT', 2], ['SIGTERM', 15]];
/** After this many tests without an end the others would have none, either. */
const MOST_LATE = 3;
/** More failures than this are not the machine's. */
const MOST_AGAIN = 3;

/** @typedef {{ name: string, body: (studio: Studio) => Promise<void> }} Test */
/** @typedef {{ queue: Test[], failed: string[], late: number }} Course */

/** @type {Test[]} */
const tests = [];

/**
 * @param {string} name
 * @param {(studio: Studio) => Promise<void>} body
 */
export const test = (name, body) => {
  tests.push({ name, body });
};

/**
 * Runs the tests: whichever lane is free takes the next one.
 * @param {string[]} wanted words of their names; none for all
 * @returns {Promise<boolean>} whether all went well
 */
export async function run(wanted) {
  const folder = mkdtempSync(join(tmpdir(), 'discern-studio-'));
  // However this process ends, nothing of it stays.
  process.on('exit', () => {
    killAll();
    rmSync(folder, { recursive: true, force: true, maxRetries: 10 });
  });
  for (const [signal, number] of SIGNALS) process.on(signal, () => process.exit(128 + number));
  prepare(folder);
  const queue = tests.filter(({ name }) => !wanted.length || wanted.some((word) => name.includes(word)));
  /** @type {Course} */
  const course = { queue, failed: [], late: 0 };
  await Promise.all(Array.from({ length: Math.min(LANES, queue.length) }, (_, lane) => runLane(join(folder, `lane${lane}`), course)));
  for (const { name } of course.queue) fail(course, name, 'never begun');
  const failed = course.late ? course.failed : await tryAgain(course.failed, folder);
  if (failed.length) console.log(`${failed.length} failed:\n  ${failed.join('\n  ')}`);
  return failed.length === 0;
}

/**
 * What failed while others worked has a second chance alone: a search that a busy machine
 * held up is no fault of the page. Both attempts are printed.
 * @param {string[]} names
 * @param {string} folder
 */
async function tryAgain(names, folder) {
  if (!names.length || names.length > MOST_AGAIN) return names;
  console.log(`again, alone:\n  ${names.join('\n  ')}`);
  /** @type {Course} */
  const course = { queue: tests.filter(({ name }) => names.includes(name)), failed: [], late: 0 };
  await runLane(join(folder, 'again'), course);
  return course.failed;
}

/** @param {Course} course @param {string} name @param {unknown} error */
function fail(course, name, error) {
  course.failed.push(name);
  console.log(`FAIL  ${name}\n${error instanceof Error ? error.stack : error}`);
}

/**
 * Takes tests until there are none, or too many had no end.
 * @param {string} folder of its own, beside what was prepared
 * @param {Course} course
 */
async function runLane(folder, course) {
  cpSync(join(folder, '../runs'), join(folder, 'runs'), { recursive: true });
  while (course.queue.length && course.late < MOST_LATE) {
    try {
      const lane = await openLane(folder);
      await takeTests(lane, folder, course).finally(() => lane.close());
    } catch (error) {
      course.late += 1;
      fail(course, `a server and a browser for ${folder}`, error);
    }
  }
}

/**
 * Takes tests as long as they leave server and browser in order.
 * @param {Awaited<ReturnType<typeof openLane>>} lane
 * @param {string} folder
 * @param {Course} course
 */
async function takeTests({ server, browser }, folder, course) {
  for (let next = course.queue.shift(); next; next = course.queue.shift()) {
    const begun = Date.now();
    const studio = new Studio(browser, server.url, folder);
    /** @type {unknown[]} */
    const errors = [];
    await within(LIMIT_MS, next.body(studio), 'no end').catch((error) => errors.push(error));
    let clean = !errors.some((error) => error instanceof Late);
    const complaints = await studio.tidy().catch((error) => {
      clean = false;
      errors.push(error);
      return [];
    });
    if (!errors.length && complaints.length) errors.push(new assert.AssertionError({ message: `the console says: ${complaints.join('\n')}` }));
    const seconds = ((Date.now() - begun) / 1000).toFixed(1);
    if (!errors.length) {
      console.log(`ok    ${next.name} (${seconds} s)`);
      continue;
    }
    fail(course, next.name, errors.map((error) => (error instanceof Error ? error.stack : error)).join('\n'));
    console.log(`after ${seconds} s; the server said:\n${server.said()}`);
    if (!clean) {
      course.late += 1;
      return;
    }
  }
}

/**
 * A server and a browser.
 * @param {string} folder
 */
async function openLane(folder) {
  const shared = join(folder, '..');
  const server = await startServer([
    '--weights', join(shared, 'random.weights'), '--runs', join(folder, 'runs'), '--games', join(shared, 'library'),
  ]);
  const launch = puppeteer.launch({
    executablePath: CHROMIUM,
    // Tests run as root in containers, where the sandbox cannot be set up.
    args: ['--no-sandbox', '--disable-dev-shm-usage'],
    // A browser that hears nothing any more ends, too.
    pipe: true,
    userDataDir: mkdtempSync(join(folder, 'browser-')),
    timeout: 60_000,
    protocolTimeout: LIMIT_MS,
    // The run ends by a signal, and the browser with it.
    handleSIGHUP: false,
    handleSIGINT: false,
    handleSIGTERM: false,
  });
  const browser = await launch.catch(async (error) => {
    await server.stop();
    throw error;
  });
  const program = browser.process();
  if (program) adopt(program);
  const close = async () => {
    // What cannot be closed is killed, but told.
    const closed = within(CLOSE_MS, browser.close(), 'the browser did not close');
    await closed.finally(() => program?.kill('SIGKILL')).finally(() => server.stop());
  };
  return { server, browser, close };
}
