// The strip above the board: discs, names, clocks, whose move, who is ahead.

import { announce } from './announcer.js';
import { h, replace, vary } from './dom.js';
import { percent } from './format.js';
import { count, finalScore, isOver, squareName } from './rules.js';
import { text } from './text.js';

/** @typedef {import('./studio.js').Studio} Studio */
/** @typedef {import('./game-tree.js').Node} GameNode */

/** @param {Studio} studio */
export function scoreboard(studio) {
  const black = sideView('black');
  const white = sideView('white');
  const status = h('p', { class: 'status' });
  const bar = h('div', { class: 'balance', role: 'img' }, h('span'));
  const odds = h('span', { class: 'balance-odds', 'aria-hidden': 'true' });
  const root = h(
    'div',
    { class: 'scoreboard' },
    black.root,
    h('div', { class: 'middle' }, status, bar, odds),
    white.root,
  );

  const show = () => {
    const { current } = studio.tree;
    const hidden = studio.draft || studio.puzzle;
    const discs = count({ cells: studio.draft ?? (studio.puzzle ?? current.position).cells });
    black.count.textContent = String(discs.black);
    white.count.textContent = String(discs.white);
    const shown = studio.puzzle ?? current.position;
    const moving = studio.draft || isOver(shown) ? null : shown.mover;
    black.root.classList.toggle('moving', moving === 'X');
    white.root.classList.toggle('moving', moving === 'O');
    replace(status, studio.draft ? text.setup.title : studio.puzzle ? text.train.title : describe(current));
    const judged = studio.grades.get(current);
    const known = studio.blackProbability ?? judged?.black_probability ?? null;
    const probability = hidden ? null : known;
    const score = hidden ? null : studio.blackScore ?? blackScore(judged);
    odds.textContent = probability === null || isOver(current.position) ? '' : text.balance.short(percent(probability), score);
    bar.classList.toggle('unknown', probability === null);
    vary(bar, { black: probability ?? 0.5 });
    bar.setAttribute(
      'aria-label',
      probability === null ? text.balance.unknown : text.balance.black(percent(probability)),
    );
  };
  const showNames = () => {
    const { about } = studio.desk;
    black.name.textContent = about.black || text.sides.black;
    white.name.textContent = about.white || text.sides.white;
  };
  studio.desk.on('about', showNames);
  showNames();
  studio.tree.on('moved', ({ from, to }) => {
    show();
    if (to.parent === from) announce(spokenMove(to));
  });
  studio.on('overlay', show);
  studio.on('graded', show);
  show();

  return {
    root,
    /**
     * @param {'black' | 'white'} side
     * @param {string} time empty for none
     * @param {boolean} [low]
     */
    clock(side, time, low = false) {
      const { clock } = side === 'black' ? black : white;
      clock.textContent = time;
      clock.classList.toggle('low', low);
    },
  };
}

/** @param {import('./api.js').ReviewedMove | undefined} move */
const blackScore = (move) => (move ? move.score_played * (move.mover === 'black' ? 1 : -1) : null);

/** @param {'black' | 'white'} side */
function sideView(side) {
  const discs = h('span', { class: 'count' });
  const name = h('span', { class: 'name' }, text.sides[side]);
  const clock = h('span', { class: 'clock' });
  const root = h(
    'div',
    { class: `side ${side}` },
    h('span', { class: `chip ${side}`, 'aria-hidden': 'true' }),
    discs,
    h('span', { class: 'who' }, name, clock),
  );
  return { root, count: discs, name, clock };
}

/** @param {GameNode} node */
function describe(node) {
  const { position } = node;
  if (isOver(position)) {
    const discs = count(position);
    return text.result.over(finalScore(position), discs.black, discs.white);
  }
  const side = position.mover === 'X' ? text.sides.black : text.sides.white;
  const idle = position.mover === 'X' ? text.sides.white : text.sides.black;
  return node.passed ? text.result.passed(idle, side) : text.result.toMove(side);
}

/** @param {GameNode} node */
function spokenMove(node) {
  const side = node.by === 'X' ? text.sides.black : text.sides.white;
  return `${text.moves.played(side, squareName(node.move))} ${describe(node)}`;
}
