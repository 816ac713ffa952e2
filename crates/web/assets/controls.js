// The buttons under the board.

import { h } from './dom.js';
import { icon } from './icons.js';
import { START } from './rules.js';
import { toast } from './notice.js';
import { text } from './text.js';

/** @typedef {import('./game-tree.js').GameTree} GameTree */

/**
 * @param {GameTree} tree
 * @param {{ setUp: () => void, open: () => void }} actions
 */
export function controls(tree, { setUp, open }) {
  /**
   * @param {Parameters<typeof icon>[0]} image
   * @param {string} label
   * @param {() => void} onclick
   */
  const stepButton = (image, label, onclick) =>
    h('button', { type: 'button', class: 'square', 'aria-label': label, title: label, onclick }, icon(image));
  /**
   * @param {Parameters<typeof icon>[0]} image
   * @param {string} label
   * @param {() => void} onclick
   */
  const toolButton = (image, label, onclick) =>
    h('button', { type: 'button', class: 'tool', onclick }, icon(image), h('span', {}, label));

  const back = [
    stepButton('first', text.controls.first, () => tree.goTo(tree.root)),
    stepButton('back', text.controls.back, () => tree.back()),
  ];
  const forward = [
    stepButton('forward', text.controls.forward, () => tree.forward()),
    stepButton('last', text.controls.last, () => tree.goTo(tree.current.end())),
  ];
  const show = () => {
    // Not `disabled`: a button that has the focus must not lose it at the end.
    for (const button of back) button.setAttribute('aria-disabled', String(!tree.current.parent));
    for (const button of forward) {
      button.setAttribute('aria-disabled', String(!tree.current.children.length));
    }
  };
  tree.on('moved', show);
  tree.on('changed', show);
  show();

  return h(
    'div',
    { class: 'controls' },
    h('div', { class: 'steps', role: 'group', 'aria-label': text.controls.steps }, back, forward),
    h(
      'div',
      { class: 'tools', role: 'group', 'aria-label': text.controls.tools },
      toolButton('fresh', text.controls.fresh, () => tree.reset(START)),
      toolButton('setup', text.controls.setUp, setUp),
      toolButton('open', text.controls.open, open),
      toolButton('link', text.controls.share, () => copyLink()),
    ),
  );
}

/** The address holds the game: copying it is sharing it. */
export async function copyLink() {
  try {
    await navigator.clipboard.writeText(location.href);
    toast(text.share.copied);
  } catch {
    toast(text.share.refused);
  }
}
