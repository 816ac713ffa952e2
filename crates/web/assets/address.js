// The address bar and the history: which game is on the board, or which
// other view is shown. Back and Forward go from game to game.

import { newGame } from './desk.js';
import { ABOUT, gameFragment, isSame, readFragment } from './link.js';
import { pause } from './pause.js';
import { printPosition } from './rules.js';
import { shelf } from './shelf.js';

/** @typedef {import('./studio.js').Studio} Studio */

/** The game of this tab, for a visit that does not say. */
const TAB = 'discern.tab';

/** @param {string} id */
const lockName = (id) => `discern.${id}`;

/**
 * Holds a game for this tab as long as the tab lives: a copy of the tab must
 * not write over it. Where the browser has no locks, nothing is held.
 * @param {string} id
 * @returns {Promise<boolean>}
 */
const claim = (id) =>
  new Promise((answer) => {
    if (!navigator.locks) answer(true);
    navigator.locks?.request(lockName(id), { ifAvailable: true }, (lock) => {
      answer(lock !== null);
      return lock && new Promise(() => {});
    });
  });

/** The same; a page that was just left may still hold it. @param {string} id */
async function claimSoon(id) {
  for (let attempt = 0; attempt < 4; attempt++) {
    if (await claim(id)) return true;
    await pause(80);
  }
  return false;
}

/** Other views than the board. @param {string} fragment */
const isAway = (fragment) => /^(experiments|library)\b/.test(fragment);

/**
 * @param {Studio} studio
 * @param {{ viewChanged: () => void, problem: (sentence: string) => void }} hears
 */
export async function mountAddress(studio, { viewChanged, problem }) {
  const { desk, tree } = studio;
  /** The game that the current entry of the history is about. */
  let shown = '';
  let arriving = false;

  const write = () => {
    if (arriving || isAway(location.hash.slice(1))) return;
    const fragment = gameFragment(tree);
    const url = `${location.pathname}${fragment ? `#${fragment}` : ''}`;
    const state = { game: desk.id };
    try {
      if (shown && shown !== desk.id) history.pushState(state, '', url);
      else history.replaceState(state, '', url);
    } catch {
      // Safari refuses more than a hundred changes in half a minute; the
      // address catches up with the next one.
    }
    if (shown !== desk.id) claim(desk.id);
    shown = desk.id;
    sessionStorage.setItem(TAB, desk.id);
  };

  /** Shows what the address or the history is about. */
  const arrive = async () => {
    const fragment = location.hash.slice(1);
    /** @type {string | undefined} */
    const id = history.state?.game;
    if (isAway(fragment) || (id && id === desk.id)) return;
    const known = id ? shelf.get(id) : null;
    const linked = known ? null : await readFragment(fragment);
    const kept = linked && keptGame(linked);
    arriving = true;
    if (known) desk.restore(known);
    else if (kept && kept.id !== desk.id && (await claimSoon(kept.id))) desk.open(kept);
    else if (linked && !isSame(tree, linked)) desk.begin(linked.start, linked.tree, linked.about, linked.at);
    // The history may also be about an empty board, which is kept nowhere.
    else if (id) desk.begin();
    arriving = false;
    shown = '';
    write();
    if (linked?.fault) problem(linked.fault);
  };

  /** The first visit of this page: found again, linked, or empty. */
  const enter = async () => {
    const fragment = location.hash.slice(1);
    const linked = isAway(fragment) ? null : await readFragment(fragment);
    const id = history.state?.game ?? (linked ? null : sessionStorage.getItem(TAB));
    const known = (id && shelf.get(id)) || (linked ? keptGame(linked) : await abandoned());
    if (known && (await claimSoon(known.id))) desk.restore(known);
    else if (linked) desk.restore(newGame(linked.start, linked.tree, linked.about, linked.at));
    if (linked?.fault) problem(linked.fault);
  };

  arriving = true;
  await enter();
  arriving = false;
  write();
  desk.on('kept', write);
  addEventListener('popstate', () => arrive().then(viewChanged));
  addEventListener('hashchange', viewChanged);
}

/**
 * A game that this browser has already, at the place of the link: whoever
 * follows a link twice wants no second copy, and wants the review of the first.
 * @param {import('./link.js').Linked} linked
 */
function keptGame({ start, tree, at, about }) {
  if (!tree) return null;
  const game = shelf.list().find((game) =>
    game.start === printPosition(start) && game.tree === tree &&
    ABOUT.every((name) => name === 'title' || (game[name] ?? '') === (about[name] ?? '')));
  return game ? { ...game, at } : null;
}

/** A game that was under way when its tab went away. */
async function abandoned() {
  const held = (await navigator.locks?.query())?.held ?? [];
  return shelf.list().find(({ id, match }) => match && !held.some(({ name }) => name === lockName(id)));
}
