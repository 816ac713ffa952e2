// The rules of the game for newcomers.

import { makeDialog } from './dialog.js';
import { h, parsed } from './dom.js';
import { positionSvg } from './picture.js';
import { START, legalMoves, play, squareNumber } from './rules.js';
import { text } from './text.js';

/** @typedef {import('./rules.js').Position} Position */

export function rulesPage() {
  const after = /** @type {Position} */ (play(START, squareNumber('f5')));
  const dialog = makeDialog(
    text.rules.title,
    h('p', {}, text.rules.goal),
    h('div', { class: 'pictures' },
      h('figure', {}, parsed(positionSvg(START.cells, { legal: legalMoves(START) })), h('figcaption', {}, text.rules.start)),
      h('figure', {}, parsed(positionSvg(after.cells, { last: squareNumber('f5') })), h('figcaption', {}, text.rules.turned))),
    h('ol', { class: 'rules' }, text.rules.points.map((point) => h('li', {}, point))),
    h('h3', {}, text.rules.tipsTitle),
    h('ul', { class: 'rules' }, text.rules.tips.map((tip) => h('li', {}, tip))),
    h('h3', {}, text.rules.studioTitle),
    h('ul', { class: 'rules' }, text.rules.studio.map((tip) => h('li', {}, tip))),
  );
  return { open: () => dialog.showModal() };
}
