// A game as one file to send: it opens in any browser, also on a machine
// without Discern. Where scripts run, the game can be stepped through;
// elsewhere, as in a mail's preview, the diagram has the number of every move.

import { h, replace } from './dom.js';
import { gameTitle } from './games-dialog.js';
import { asTranscript } from './formats.js';
import { count, finalScore, isOver, squareName } from './rules.js';
import { text } from './text.js';

/** @typedef {import('./studio.js').Studio} Studio */
/** @typedef {import('./game-tree.js').Node} GameNode */

const STYLE = `
body { max-width: 34rem; margin: 1.5rem auto; padding: 0 1rem; font: 16px/1.5 system-ui, sans-serif; color: #1c2320; background: #f7f5ef; }
h1 { font: 600 1.5rem Georgia, serif; margin: 0; }
.board { display: grid; grid-template-columns: repeat(8, 1fr); gap: 2px; padding: 2px; background: #124330; margin: 1rem 0; }
.board i { aspect-ratio: 1; display: grid; background: #21694a; font: 600 min(3.5vw, 1.1rem)/1 system-ui, sans-serif; }
.board b { margin: 8%; border-radius: 50%; display: grid; place-items: center; }
.X { background: #15191a; color: #f6f3ea; } .O { background: #f6f3ea; color: #15191a; } .last { outline: 3px solid #e2a23a; }
button { font: inherit; padding: .5rem 1.1rem; } .steps { display: flex; gap: .5rem; justify-content: center; }
.note { min-height: 3em; } .moves { font-size: .9rem; overflow-wrap: anywhere; color: #56605a; }`;

// Runs in the file that is sent: it knows `steps` and nothing of the studio.
const SCRIPT = `
let at = steps.length - 1;
const cells = [...document.querySelectorAll('.board i')];
const show = (to) => {
  at = Math.min(Math.max(to, 0), steps.length - 1);
  const { cells: discs, last, note } = steps[at];
  cells.forEach((cell, square) => {
    cell.innerHTML = discs[square] === '-' ? '' : '<b class="' + discs[square] + (square === last ? ' last' : '') + '"></b>';
  });
  document.querySelector('.note').textContent = note;
};
document.querySelector('.steps').hidden = false;
document.querySelectorAll('.steps button').forEach((button, index) => {
  button.onclick = () => show([0, at - 1, at + 1, steps.length - 1][index]);
});
onkeydown = ({ key }) => {
  const to = { Home: 0, ArrowLeft: at - 1, ArrowRight: at + 1, End: steps.length - 1 }[key];
  if (to !== undefined) show(to);
};
show(0);`;

/** The file. @param {Studio} studio @returns {string} */
export function gamePage({ desk, tree, grades }) {
  const line = tree.line();
  const title = gameTitle(desk.snapshot());
  const end = (line.at(-1) ?? tree.root).position;
  const { black, white } = count(end);
  const steps = [tree.root, ...line].map((node) => ({
    cells: node.position.cells, last: node.move, note: node === tree.root ? node.comment : note(node, grades.get(node)),
  }));
  const body = h('body');
  replace(
    body,
    h('h1', {}, title),
    h('p', {}, [desk.about.event, desk.about.date, isOver(end) && text.result.over(finalScore(end), black, white)].filter(Boolean).join(' · ')),
    h('div', { class: 'board' }, diagram(tree.root, line)),
    h('div', { class: 'steps', hidden: true }, ['«', '‹', '›', '»'].map((sign, index) =>
      h('button', { type: 'button', 'aria-label': [text.controls.first, text.controls.back, text.controls.forward, text.controls.last][index] }, sign))),
    h('p', { class: 'note' }),
    h('p', { class: 'moves' }, asTranscript(line)),
    h('script', {}, `const steps = ${JSON.stringify(steps).replaceAll('<', '\\u003c')};${SCRIPT}`),
  );
  return `<!doctype html><html lang="${text.locale}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${
    new Option(title).innerHTML}</title><style>${STYLE}</style></head>${body.outerHTML}</html>`;
}

/** @param {GameNode} node @param {import('./api.js').ReviewedMove | undefined} judged */
function note(node, judged) {
  const side = text.sides[node.by === 'X' ? 'black' : 'white'];
  const mark = judged && text.glyphs[judged.grade];
  const better = mark ? ` ${text.grades[judged.grade]}, ${text.review.best(judged.best)}` : '';
  return [`${node.ply}. ${side} ${squareName(node.move)}${mark ?? ''}${better}`, node.comment].filter(Boolean).join(' – ');
}

/**
 * Every disc in the colour that placed it, with the number of the move.
 * @param {GameNode} root
 * @param {GameNode[]} line
 */
function diagram(root, line) {
  const placed = new Map(line.map((node) => [node.move, node]));
  return [...root.position.cells].map((cell, square) => {
    const node = placed.get(square);
    if (!node && cell === '-') return h('i');
    return h('i', {}, h('b', { class: node?.by ?? cell }, node?.ply));
  });
}
