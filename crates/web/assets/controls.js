// The buttons under the board.

import { h } from './dom.js';
import { icon } from './icons.js';
import { text } from './text.js';

/** @typedef {import('./studio.js').Studio} Studio */

/**
 * @param {Studio} studio
 * @param {{ fresh: () => void, play: () => void, setUp: () => void, open: () => void, games: () => void, share: () => void,
 *   undo: () => void, redo: () => void }} actions
 */
export function controls({ tree, desk }, actions) {
  /**
   * @param {Parameters<typeof icon>[0]} image
   * @param {string} label
   * @param {() => void} onclick
   */
  const stepButton = (image, label, onclick) =>
    h('button', { type: 'button', class: 'square', 'data-tool': image, 'aria-label': label, title: label, onclick }, icon(image));
  /**
   * @param {Parameters<typeof icon>[0]} image
   * @param {string} label
   * @param {() => void} onclick
   */
  const toolButton = (image, label, onclick) =>
    h('button', { type: 'button', class: 'tool', 'data-tool': image, onclick }, icon(image), h('span', {}, label));

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
  const undo = stepButton('undo', text.controls.undo, actions.undo);
  const redo = stepButton('redo', text.controls.redo, actions.redo);
  const showSteps = () => {
    undo.setAttribute('aria-disabled', String(!desk.canUndo));
    redo.setAttribute('aria-disabled', String(!desk.canRedo));
  };
  desk.on('steps', showSteps);
  showSteps();
  show();

  return h(
    'div',
    { class: 'controls' },
    h('div', { class: 'steps', role: 'group', 'aria-label': text.controls.steps }, back, forward, undo, redo),
    h(
      'div',
      { class: 'tools', role: 'group', 'aria-label': text.controls.tools },
      toolButton('fresh', text.controls.fresh, actions.fresh),
      toolButton('play', text.controls.play, actions.play),
      toolButton('setup', text.controls.setUp, actions.setUp),
      toolButton('open', text.controls.open, actions.open),
      toolButton('games', text.controls.games, actions.games),
      toolButton('link', text.controls.share, actions.share),
    ),
  );
}
