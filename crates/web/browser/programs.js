// Programs that tests start, and how they end.

import { execFileSync, spawn } from 'node:child_process';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const ROOT = fileURLToPath(new URL('../../../', import.meta.url));
const PROGRAM = process.env.DISCERN ?? join(ROOT, 'target/debug/discern');

/** A server that takes longer to come up is counted as broken. */
const START_MS = 60_000;
/** A server that takes longer to end is counted as broken, and killed. */
const END_MS = 5_000;

/** @typedef {{ url: string, stop: () => Promise<void>, said: () => string }} Server */

/** @type {Set<import('node:child_process').ChildProcess>} */
const running = new Set();

/**
 * @param {string[]} args
 * @param {import('node:child_process').SpawnOptions} options
 */
function start(args, options) {
  const child = spawn(PROGRAM, args, options);
  adopt(child);
  return child;
}

/** @param {import('node:child_process').ChildProcess} child that must not outlive the run */
export function adopt(child) {
  running.add(child);
  child.on('exit', () => running.delete(child));
}

/** Kills whatever still runs. */
export function killAll() {
  for (const child of running) child.kill('SIGKILL');
}

/**
 * Comes to the end of a promise or, after some time, to an error.
 * @template T
 * @param {number} ms
 * @param {Promise<T>} promise
 * @param {string} complaint
 * @returns {Promise<T>}
 */
export function within(ms, promise, complaint) {
  /** @type {NodeJS.Timeout | undefined} */
  let timer;
  const late = new Promise((_, reject) => {
    timer = setTimeout(() => reject(new Late(`${complaint} within ${ms / 1000} s`)), ms);
  });
  // What goes wrong after the end interests nobody.
  promise.catch(() => {});
  return Promise.race([promise, /** @type {Promise<never>} */ (late)]).finally(() => clearTimeout(timer));
}

export class Late extends Error {}

/**
 * @param {string} folder
 * @param {...string} args
 */
export function discern(folder, ...args) {
  execFileSync(PROGRAM, args, { cwd: folder, stdio: ['ignore', 'ignore', 'pipe'], timeout: START_MS });
}

/**
 * A tournament that goes on until it is stopped.
 * @param {string} output
 */
export function startTournament(output) {
  const players = ['--player', 'name=one,model=rev', '--player', 'name=two,model=rev-edges'];
  const child = start(['tournament', '--pairs', '100000', '--move-time', '0.01', ...players, '-o', output], { stdio: 'ignore' });
  return { stop: async () => void child.kill('SIGKILL') };
}

/**
 * @param {string[]} args
 * @returns {Promise<Server>}
 */
export function startServer(args) {
  const child = start(['serve', '--no-open', '--port', '0', ...args], { stdio: ['ignore', 'pipe', 'pipe'] });
  const ended = new Promise((resolve) => {
    child.on('exit', resolve);
  });
  let said = '';
  const stop = async () => {
    child.kill();
    try {
      await within(END_MS, ended, 'the server was asked to end and did not');
    } finally {
      child.kill('SIGKILL');
    }
  };
  const ready = new Promise((resolve, reject) => {
    child.stderr?.on('data', (data) => {
      said += data;
    });
    child.stdout?.on('data', (data) => {
      const [url] = String(data).match(/http:\/\/\S+(?=\/)/) ?? [];
      if (url) resolve({ url, stop, said: () => said });
    });
    child.on('error', reject);
    child.on('exit', (code) => reject(new Error(`the server ended with ${code}: ${said}`)));
  });
  return within(START_MS, ready, 'no server');
}
