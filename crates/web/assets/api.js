// What the server offers, as /openapi.json describes it.

import { pause } from './pause.js';
import { text } from './text.js';

/** @typedef {'black' | 'white'} Side */
/** @typedef {'win' | 'draw' | 'loss'} Outcome */
/** @typedef {'best' | 'good' | 'inaccuracy' | 'mistake' | 'blunder'} Grade */
/** @typedef {'opening' | 'midgame' | 'endgame'} Phase */

/**
 * @typedef {object} Info
 * @property {string} program
 * @property {{ name: string, label: string, description: string }[]} models
 * @property {{ name: string, elo: number, error: number }[]} levels from the weakest to the strongest
 * @property {import('./features.js').Feature[]} features
 * @property {{ seconds: number, threads: number, lines: number, streams: number,
 *   import_bytes: number, import_games: number }} limits
 * @property {{ hash: string, program: string, command: string, positions: number } | null} weights
 * @property {{ games: number, players: number, events: number, from: number | null, to: number | null } | null} library
 * @property {string} token
 */

/**
 * @typedef {object} Line
 * @property {string} move
 * @property {number} probability
 * @property {number} value
 * @property {number} depth
 * @property {boolean} exact
 * @property {Outcome} [outcome]
 * @property {number} [score]
 * @property {number} discs expected, or the score
 * @property {string} pv
 */

/**
 * @typedef {object} Progress
 * @property {number} depth
 * @property {number} nodes
 * @property {number} nodes_per_second
 * @property {number} seconds
 * @property {Side} mover
 * @property {'outcome' | 'score'} [proving] what the search is out to prove
 * @property {number} [confidence] of a search that leaves out what is improbable
 * @property {Line[]} lines
 * @property {'solved' | 'limit' | 'over' | 'replaced' | 'busy' | 'stopped'} [reason] at the end
 */

/**
 * @typedef {object} ReviewedMove
 * @property {string} position
 * @property {Side} mover
 * @property {string} move
 * @property {string} best
 * @property {number} probability_best
 * @property {number} probability_played
 * @property {number} loss
 * @property {Grade} grade
 * @property {Phase} phase
 * @property {number} depth
 * @property {boolean} exact
 * @property {number} score_best
 * @property {number} score_played
 * @property {number} black_probability
 * @property {string} pv
 * @property {{ done: number, total: number }} progress
 */

/**
 * @typedef {{ moves: number, mean_loss: number, discs_lost: number, inaccuracies: number,
 *   mistakes: number, blunders: number }} PhaseSummary
 */
/** @typedef {Record<Phase | 'total', PhaseSummary>} SideSummary */
/** @typedef {{ reason: string, summary: Record<Side, SideSummary> }} ReviewDone */

/** @typedef {{ squares: string[], configuration: string, table_value: number }} Instance */

/**
 * @typedef {object} Explanation
 * @property {Side} mover
 * @property {number} discs
 * @property {{ model: string, label: string, value: number, probability: number,
 *   intercept: number, contributions: { feature: string, x: number, contribution: number }[]
 * }[]} models
 * @property {{ name: string, title: string, explanation: string, x: number,
 *   instances: Instance[] }[]} features
 */

/**
 * @typedef {{ depth: number } | { seconds: number }
 *   | { clock: { left: number, increment: number } }} MoveLimit
 */

/**
 * @typedef {object} MoveAnswer
 * @property {string} move
 * @property {number} probability
 * @property {number} depth
 * @property {boolean} exact
 * @property {number} [score]
 * @property {number} seconds
 */

/**
 * @typedef {object} ImportedGame
 * @property {string} black
 * @property {string} white
 * @property {string} [event]
 * @property {string} [date]
 * @property {string} start
 * @property {string} moves
 * @property {number} [result]
 */
/** @typedef {'illegal' | 'notation' | 'contradiction' | 'unsupported' | 'incomplete' | 'damaged'} FaultKind */

/**
 * What could not be read of an upload: where and why.
 * @typedef {{ sentence: string, kind: FaultKind, game?: number, line?: number, byte?: number }} Fault
 */

/**
 * @typedef {{ format: string, games: ImportedGame[], faults: Fault[], truncated: boolean }} Import
 */

/**
 * @typedef {'request' | 'missing' | 'foreign' | 'pace' | 'busy' | 'closing' | 'replaced' | 'broken' | 'slow' | 'large'
 *   | 'weights' | 'book' | 'library' | 'nobody' | 'position' | 'game' | 'over' | 'unknown' | 'empty' | 'unreadable'
 *   | 'run'} RefusalReason
 */

/** @typedef {{ error: string, reason: RefusalReason, fault?: Fault }} Refusal */

/**
 * @typedef {{ id: string, title: string, kind: 'reproduction' | 'tournament', running: boolean,
 *   updated: number | null }} Run seconds since 1970
 */

/** An answer that is no success, in one sentence. */
export class ServerError extends Error {
  /**
   * @param {string} message
   * @param {number} status 0 if the server cannot be reached
   */
  constructor(message, status) {
    super(message);
    this.status = status;
  }
}

/** Names this page among the server's clients. */
const CLIENT = Array.from(crypto.getRandomValues(new Uint8Array(12)), (byte) =>
  byte.toString(16).padStart(2, '0'),
).join('');

/** @param {Response} response */
export async function failure(response) {
  /** @type {Refusal | null} */
  const body = await response.json().catch(() => null);
  return new ServerError(body?.error ? text.server.refused(body) : text.server.status(response.status), response.status);
}

/**
 * What to tell people about anything that was thrown.
 * @param {unknown} error
 */
export function sentence(error) {
  if (error instanceof ServerError) return error.message;
  if (error instanceof TypeError) return text.server.away;
  return error instanceof Error ? error.message : String(error);
}

/** What pages of other origins cannot read, and requests for work must know. */
let token = '';

/**
 * Asks the server for something; one that was started anew has another token.
 * @param {string} path
 * @param {RequestInit} [options]
 */
export async function ask(path, options = {}) {
  const send = () => {
    const headers = new Headers(options.headers);
    headers.set('x-discern-token', token);
    return fetch(path, { ...options, headers });
  };
  const response = await send();
  if (response.status !== 403 || path === '/api/info') return response;
  await info();
  return send();
}

/**
 * @param {string} path
 * @param {RequestInit} [options]
 */
async function request(path, options) {
  const response = await ask(path, options);
  if (!response.ok) throw await failure(response);
  return response.json();
}

/** @returns {Promise<Info>} */
export async function info() {
  const found = await request('/api/info');
  token = found.token;
  return found;
}

/**
 * @param {string} position
 * @param {AbortSignal} [signal]
 * @returns {Promise<Explanation>}
 */
export const explain = (position, signal) =>
  request(`/api/explain?${new URLSearchParams({ position })}`, { signal });

/**
 * @typedef {object} BookMove
 * @property {string} move
 * @property {number} probability
 * @property {Outcome | null} outcome
 * @property {number} depth
 * @property {boolean} solved
 * @property {boolean} examined
 * @property {string | null} opening
 * @property {BookGames} games
 */

/** @typedef {{ human: [number, number, number], engine: [number, number, number] }} BookGames */

/**
 * @typedef {object} Book
 * @property {Side} mover
 * @property {string | null} opening
 * @property {number} positions
 * @property {boolean} found
 * @property {number | null} probability
 * @property {number} depth
 * @property {boolean} solved
 * @property {BookGames} games
 * @property {BookMove[]} moves
 */

/**
 * @param {string} start
 * @param {string} moves
 * @param {AbortSignal} [signal]
 * @returns {Promise<Book>}
 */
export const book = (start, moves, signal) =>
  request(`/api/book?${new URLSearchParams({ start, moves })}`, { signal });

/** @typedef {{ games: number, wins: number, draws: number, losses: number }} Tally */
/** @typedef {Tally & { move: string }} Continuation */
/** @typedef {Tally & { name: string }} ReportLine */

/**
 * @typedef {object} LibraryGame
 * @property {number} number
 * @property {string} black
 * @property {string} white
 * @property {string} event
 * @property {string} date
 * @property {string} start
 * @property {string} moves
 * @property {number | null} result
 * @property {string} ending
 * @property {string | null} opening
 */

/**
 * @typedef {{ games: number, results: Tally, moves: Continuation[], complete: boolean, rows: LibraryGame[] }} LibraryAnswer
 */

/**
 * @typedef {object} PlayerReport
 * @property {string} name
 * @property {Tally} all
 * @property {Tally} black
 * @property {Tally} white
 * @property {number | null} mean_score
 * @property {(Tally & { year: number })[]} years
 * @property {ReportLine[]} openings
 * @property {ReportLine[]} opponents
 * @property {{ games: number, empties: number, mean_score: number, mean_result: number,
 *   better: number, worse: number } | null} theory
 */

/**
 * @param {Record<string, string>} query
 * @param {AbortSignal} [signal]
 * @returns {Promise<LibraryAnswer>}
 */
export const library = (query, signal) => request(`/api/library?${new URLSearchParams(query)}`, { signal });

/**
 * @param {'player' | 'event'} of
 * @param {string} like
 * @returns {Promise<{ name: string, games: number }[]>}
 */
export const libraryNames = (of, like) => request(`/api/library/names?${new URLSearchParams({ of, like })}`);

/**
 * @param {string} name
 * @param {AbortSignal} [signal]
 * @returns {Promise<PlayerReport>}
 */
export const libraryPlayer = (name, signal) =>
  request(`/api/library/player?${new URLSearchParams({ name })}`, { signal });

/** How long a move is asked for again while all places for searches are taken. */
const PATIENCE = 30_000;

/**
 * @param {{ position: string, model?: string, level?: string, seed?: number, limit?: MoveLimit }} wish
 * @param {AbortSignal} signal
 * @returns {Promise<MoveAnswer>}
 */
export async function move(wish, signal) {
  const begun = performance.now();
  for (;;) {
    try {
      return await request('/api/move', {
        method: 'POST',
        signal,
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ client: CLIENT, ...wish }),
      });
    } catch (error) {
      const isBusy = error instanceof ServerError && error.status === 503;
      if (!isBusy || performance.now() - begun > PATIENCE) throw error;
    }
    await pause(300);
  }
}

/**
 * @param {Blob | string} body
 * @returns {Promise<Import>}
 */
export const importGames = (body) =>
  request('/api/import', {
    method: 'POST',
    headers: { 'content-type': typeof body === 'string' ? 'text/plain' : 'application/octet-stream' },
    body,
  });

/** @returns {Promise<{ runs: Run[], faults: { file: string, sentence: string }[] }>} */
export const experiments = () => request('/api/experiments');

/**
 * @param {string} id
 * @returns {Promise<import('./experiments.js').Experiment>}
 */
export const experiment = (id) => request(`/api/experiments/${encodeURIComponent(id)}`);

/** @param {string} id */
export const experimentStream = (id) => `/api/experiments/${encodeURIComponent(id)}/live`;

/** @param {{ position: string, model: string, threads?: string, lines: string, seconds: string }} wish */
export const analysisStream = (wish) =>
  `/api/analyze?${new URLSearchParams({ client: CLIENT, ...wish })}`;

/**
 * A short look under a name of its own: it ends no other search of the page.
 * @param {{ position: string, model: string, lines: string, seconds: string }} wish
 */
export const glanceStream = (wish) =>
  `/api/analyze?${new URLSearchParams({ client: `${CLIENT}-glance`, ...wish })}`;

/** @param {{ start: string, moves: string, model: string, seconds: string, counts: string }} wish */
export const reviewStream = (wish) =>
  `/api/review?${new URLSearchParams({ client: CLIENT, ...wish })}`;
