// What a review found: the worst moves, and a table by side and phase.

import { byId, h } from './dom.js';
import { fixed, percent } from './format.js';
import { text } from './text.js';

/** @typedef {import('./studio.js').Studio} Studio */
/** @typedef {import('./game-tree.js').Node} GameNode */
/** @typedef {import('./api.js').ReviewedMove} ReviewedMove */
/** @typedef {import('./api.js').ReviewDone} ReviewDone */

const PHASES = /** @type {const} */ (['total', 'opening', 'midgame', 'endgame']);

/**
 * What a move gave away: odds, discs or both.
 * @param {ReviewedMove} move
 */
export const lost = (move) =>
  text.review.lost(
    move.loss >= 0.005 ? percent(move.loss) : '',
    Math.max(0, move.score_best - move.score_played),
    move.exact,
  );

/** On a phone the board may have been scrolled away. */
export const showBoard = () => byId('board').scrollIntoView({ block: 'nearest' });

/** @param {import('./api.js').Grade} [grade] */
export const isError = (grade) => grade === 'mistake' || grade === 'blunder';

/**
 * The worst moves as buttons, in the order of the game.
 * @param {Studio} studio
 * @param {GameNode[]} line
 */
export function errorList(studio, line) {
  const bad = line.filter((node) => isError(studio.grades.get(node)?.grade));
  if (!bad.length) return null;
  return [
    h('h3', {}, text.review.errors),
    h(
      'ul',
      { class: 'errors' },
      bad.map((node) => {
        const move = /** @type {ReviewedMove} */ (studio.grades.get(node));
        return h(
          'li',
          {},
          h(
            'button',
            {
              type: 'button',
              class: 'quiet error',
              'data-grade': move.grade,
              onclick: () => {
                studio.tree.goTo(node);
                showBoard();
              },
            },
            h('span', { class: 'glyph' }, text.glyphs[move.grade]),
            h('span', {}, text.review.error(node.ply, text.sides[move.mover], move.move, move.best)),
            h('span', { class: 'loss' }, `−${lost(move)}`),
          ),
        );
      }),
    ),
  ];
}

/** @param {ReviewDone['summary']} summary */
export function summaryTable(summary) {
  const { review: words } = text;
  return [
    h('h3', {}, words.summary),
    h(
      'div',
      { class: 'scroll', tabindex: 0, role: 'region', 'aria-label': words.summary },
      h(
        'table',
        { class: 'numbers' },
        h(
          'thead',
          {},
          h(
            'tr',
            {},
            words.columns.map((name) => h('th', { scope: 'col' }, name)),
            /** @type {const} */ (['inaccuracy', 'mistake', 'blunder']).map((grade) =>
              h(
                'th',
                { scope: 'col', 'data-grade': grade, title: text.grades[grade] },
                h('span', { class: 'glyph', 'aria-hidden': 'true' }, text.glyphs[grade]),
                h('span', { class: 'unseen' }, text.grades[grade]),
              ),
            ),
          ),
        ),
        /** @type {const} */ (['black', 'white']).map((side) =>
          h(
            'tbody',
            {},
            PHASES.map((phase) => {
              const part = summary[side][phase];
              return h(
                'tr',
                { class: phase === 'total' ? 'total' : '' },
                h(
                  'th',
                  { scope: 'row' },
                  phase === 'total'
                    ? [h('span', { class: `dot ${side}`, 'aria-hidden': 'true' }), text.sides[side]]
                    : `${text.phases[phase]}`,
                ),
                h('td', {}, part.moves),
                h('td', {}, part.moves ? `${fixed(100 * part.mean_loss, 1)} %` : '–'),
                h('td', {}, part.moves ? part.discs_lost : '–'),
                h('td', {}, part.inaccuracies),
                h('td', {}, part.mistakes),
                h('td', {}, part.blunders),
              );
            }),
          ),
        ),
      ),
    ),
  ];
}
