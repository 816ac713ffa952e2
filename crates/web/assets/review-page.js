// A review as one file to print or to send: no script, nothing to fetch.

import { download } from './download.js';
import { h, parsed, replace } from './dom.js';
import { percent } from './format.js';
import { gameTitle } from './games-dialog.js';
import { positionSvg } from './picture.js';
import { isError, lost, summaryTable } from './review-summary.js';
import { squareName } from './rules.js';
import { text } from './text.js';

/** @typedef {import('./studio.js').Studio} Studio */
/** @typedef {import('./game-tree.js').Node} GameNode */
/** @typedef {import('./api.js').ReviewedMove} ReviewedMove */

const STYLE = `
body { max-width: 46rem; margin: 2rem auto; padding: 0 1rem; font: 15px/1.5 system-ui, sans-serif; color: #1c2320; }
h1, h2 { font-family: Georgia, serif; } table { border-collapse: collapse; } th, td { padding: 3px 10px; text-align: right; border-bottom: 1px solid #ddd; }
th:first-child { text-align: left; } .error { display: grid; grid-template-columns: 13rem 1fr; gap: 1.2rem; margin: 1.2rem 0; break-inside: avoid; }
.error svg { width: 100%; height: auto; } .moves { overflow-wrap: anywhere; } .curve { width: 100%; height: auto; background: #f4f1e9; }
.curve text { font-size: 11px; fill: #56605a; } .area { fill: #1a1f1d33; } .line { fill: none; stroke: #1a1f1d; stroke-width: 2; }
.rule, .middle { stroke: #ccc; } .ground { fill: none; } .cursor { display: none; } .tick.end { text-anchor: end; } .tick.middle { text-anchor: middle; }
.curve .error { display: inline; } path.inaccuracy { fill: #b99600; } path.mistake { fill: #c9660f; } path.blunder { fill: #b3231c; }
.unseen { display: none; } [data-grade=blunder] b { color: #b3231c; } [data-grade=mistake] b { color: #a8500a; }
@media print { body { margin: 0; } }`;

/**
 * @param {Studio} studio
 * @param {GameNode[]} line
 * @param {import('./api.js').ReviewDone['summary']} summary
 */
export function reviewPage(studio, line, summary) {
  const title = gameTitle(studio.desk.snapshot());
  const body = h('body');
  const curve = document.querySelector('.curve')?.cloneNode(true);
  replace(
    body,
    h('h1', {}, title),
    h('p', {}, [studio.desk.about.event, studio.desk.about.date].filter(Boolean).join(' · ')),
    curve instanceof Element && curve,
    h('p', { class: 'moves' }, line.map((node) =>
      `${node.ply}. ${squareName(node.move)}${text.glyphs[studio.grades.get(node)?.grade ?? 'good']} `)),
    summaryTable(summary),
    h('h2', {}, text.review.errors),
    line.filter((node) => isError(studio.grades.get(node)?.grade)).map((node) => errorPart(node, /** @type {ReviewedMove} */ (studio.grades.get(node)))),
    h('p', {}, studio.info?.program ?? ''),
  );
  const page = `<!doctype html><html lang="${text.locale}"><head><meta charset="utf-8"><title>${
    new Option(title).innerHTML}</title><style>${STYLE}</style></head>${body.outerHTML}</html>`;
  download(`review-${title.replace(/[^\p{L}\p{N}]+/gu, '-').toLowerCase()}.html`, 'text/html', page);
}

/** @param {GameNode} node @param {ReviewedMove} move */
function errorPart(node, move) {
  const { position, move: last } = /** @type {GameNode} */ (node.parent);
  const picture = h('div', {}, parsed(positionSvg(position.cells, { last })));
  return h(
    'div',
    { class: 'error', 'data-grade': move.grade },
    picture,
    h(
      'div',
      {},
      h('p', {}, h('b', {}, text.grades[move.grade]), ` ${text.review.error(node.ply, text.sides[move.mover], move.move, move.best)}`),
      h('p', {}, `−${lost(move)} (${percent(move.probability_best)} → ${percent(move.probability_played)})`),
      h('p', {}, (move.pv.match(/pass|../g) ?? []).join(' ')),
      node.comment && h('p', {}, node.comment),
    ),
  );
}
