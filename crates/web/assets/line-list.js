// The moves of an analysis with bars and expected play.

import { h, replace, vary } from './dom.js';
import { percent, signed, wholePercent } from './format.js';
import { parseTranscript } from './game-tree.js';
import { play, settle, squareNumber } from './rules.js';
import { text } from './text.js';

/** @typedef {import('./studio.js').Studio} Studio */
/** @typedef {import('./api.js').Line} Line */

/** @param {Line} line */
export function shortOdds(line) {
  if (!line.exact) return wholePercent(line.probability);
  return line.score !== undefined ? signed(line.score) : text.proven.letters[line.outcome ?? 'win'];
}

/** @param {Line} line */
export function spokenOdds(line) {
  if (!line.exact) return percent(line.probability);
  if (line.score !== undefined) return text.proven.exact(signed(line.score));
  return text.proven.short[line.outcome ?? 'win'];
}

/**
 * The list of moves with bars and expected play. Its rows stay the same
 * elements while numbers change, so that the focus stays where it is.
 * @param {Studio} studio
 */
export function lineList(studio) {
  const list = h('ol', { class: 'lines', 'aria-label': text.analysis.list });
  /** @type {Map<string, ReturnType<typeof lineRow>>} */
  const rows = new Map();
  return {
    root: list,
    /** @param {Line[]} lines */
    show(lines) {
      for (const move of rows.keys()) {
        if (!lines.some((line) => line.move === move)) rows.delete(move);
      }
      for (const line of lines) {
        const row = rows.get(line.move) ?? lineRow(studio, line.move);
        rows.set(line.move, row);
        row.show(line);
      }
      const wanted = lines.map((line) => rows.get(line.move)?.root);
      if (wanted.length === list.children.length && wanted.every((row, i) => row === list.children[i])) return;
      const focus = document.activeElement;
      replace(list, wanted);
      if (focus instanceof HTMLElement && list.contains(focus)) focus.focus();
    },
  };
}

/**
 * @param {Studio} studio
 * @param {string} move
 */
function lineRow(studio, move) {
  let moves = '';
  const odds = h('span', { class: 'odds' });
  const discs = h('span', { class: 'discs' });
  const depth = h('span', { class: 'depth' });
  const bar = h('span', { class: 'bar', 'aria-hidden': 'true' }, h('span'));
  const play = h(
    'button',
    { type: 'button', class: 'quiet line-move', onclick: () => studio.press(squareNumber(move)) },
    h('span', { class: 'square-name' }, move),
    bar,
    odds,
    discs,
    depth,
  );
  const follow = h('button', {
    type: 'button',
    class: 'quiet pv',
    title: text.analysis.follow,
    onclick: () => followLine(studio, moves),
    onpointerenter: () => previewLine(studio, moves),
    onpointerleave: () => studio.overlay({ preview: null }),
    onfocus: () => previewLine(studio, moves),
    onblur: () => studio.overlay({ preview: null }),
  });
  return {
    root: h('li', {}, play, follow),
    /** @param {Line} line */
    show(line) {
      moves = line.pv;
      odds.textContent = spokenOdds(line);
      odds.classList.toggle('proven', line.exact);
      discs.textContent = line.exact ? '' : text.analysis.discs(signed(line.discs));
      depth.textContent = line.exact ? text.analysis.proven : text.analysis.depth(line.depth);
      vary(bar, { share: line.probability });
      const rest = (line.pv.match(/pass|../g) ?? []).slice(1).join(' ');
      follow.textContent = rest;
      follow.hidden = !rest;
      follow.setAttribute('aria-label', text.analysis.followLabel(move, rest));
    },
  };
}

/**
 * Adds a line to the game and goes to its first move.
 * @param {Studio} studio
 * @param {string} moves
 */
function followLine(studio, moves) {
  studio.overlay({ preview: null });
  const [first] = studio.tree.extend(parseTranscript(moves) ?? []);
  if (first) studio.tree.goTo(first);
}

/**
 * Shows on the board where a line leads.
 * @param {Studio} studio
 * @param {string} moves
 */
function previewLine(studio, moves) {
  let { position } = studio.tree.current;
  /** @type {Map<number, number>} */
  const numbers = new Map();
  for (const square of parseTranscript(moves) ?? []) {
    const next = play(position, square);
    if (!next) break;
    numbers.set(square, numbers.size + 1);
    ({ position } = settle(next));
  }
  studio.overlay({ preview: { cells: position.cells, moves: numbers } });
}
