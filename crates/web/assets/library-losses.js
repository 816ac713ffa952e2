// What the moves of reviewed games of the library cost, kept in this browser.
// No elements here.

/** @typedef {import('./api.js').LibraryGame} LibraryGame */
/** @typedef {[moves: number, loss: number, discs: number]} Sums */
/** @typedef {Record<import('./api.js').Phase | 'total', Sums>} Losses */

const KEY = 'discern.library';
/** Games remembered; the oldest are forgotten first. */
const MOST = 2000;
const PHASES = /** @type {const} */ (['opening', 'midgame', 'endgame', 'total']);

/** @type {Record<string, Sums[][]> | null} by game: black and white, by phase */
let known = null;

function all() {
  try {
    known ??= /** @type {Record<string, Sums[][]>} */ (JSON.parse(localStorage.getItem(KEY) ?? '{}'));
  } catch {
    known = {};
  }
  return known;
}

/** Moves name a game as well as anything. @param {LibraryGame} game */
const keyOf = ({ start, moves }) => (start.startsWith('---------------------------OX') ? moves : `${start} ${moves}`);

/**
 * What a player lost in a game; `null` if it was not reviewed.
 * @param {LibraryGame} game
 * @param {string} name
 * @returns {Losses | null}
 */
export function lossesOf(game, name) {
  const sides = all()[keyOf(game)];
  if (!sides) return null;
  const side = sides[game.black === name ? 0 : 1];
  return /** @type {Losses} */ (Object.fromEntries(PHASES.map((phase, index) => [phase, side[index]])));
}

/**
 * @param {LibraryGame} game
 * @param {import('./api.js').ReviewDone['summary']} summary
 */
export function rememberLosses(game, summary) {
  const games = all();
  games[keyOf(game)] = /** @type {const} */ (['black', 'white']).map((side) =>
    PHASES.map((phase) => {
      const { moves, mean_loss, discs_lost } = summary[side][phase];
      return /** @type {Sums} */ ([moves, Number((moves * mean_loss).toFixed(4)), discs_lost]);
    }));
  const keys = Object.keys(games);
  for (const key of keys.slice(0, Math.max(0, keys.length - MOST))) delete games[key];
  try {
    localStorage.setItem(KEY, JSON.stringify(games));
  } catch {
    // No room: it stays known until the page is closed.
  }
}
