// What somebody wrote about the position on the board.

import { h } from './dom.js';
import { text } from './text.js';

/** @typedef {import('./studio.js').Studio} Studio */

/** @param {Studio} studio */
export function commentBox({ tree }) {
  const box = h('textarea', {
    class: 'comment',
    rows: 1,
    placeholder: text.moves.commentShort,
    'aria-label': text.moves.comment,
    maxlength: 2000,
    // Once it is written: every letter would be a step to undo.
    onchange: () => tree.note(box.value.trim()),
  });
  const show = () => {
    box.value = tree.current.comment;
    box.rows = Math.min(4, Math.max(1, Math.ceil(box.value.length / 26)));
  };
  tree.on('moved', show);
  tree.on('changed', show);
  show();
  return box;
}
