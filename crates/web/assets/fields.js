// Form fields as they look everywhere on the page.

import { h } from './dom.js';

/**
 * Radio buttons in a row.
 * @param {string} name
 * @param {string} title
 * @param {string} chosen
 * @param {[value: string, label: string][]} options
 * @param {(value: string) => void} change
 */
export function choice(name, title, chosen, options, change) {
  return h(
    'fieldset',
    { class: 'choice' },
    h('legend', {}, title),
    h(
      'div',
      { class: 'segments' },
      options.map(([value, label]) => {
        const input = h('input', {
          type: 'radio',
          name,
          value,
          checked: value === chosen,
          onchange: () => change(value),
        });
        return h('label', {}, input, h('span', {}, label));
      }),
    ),
  );
}

/**
 * A labelled list to choose from.
 * @param {string} title
 * @param {string} chosen
 * @param {[value: string, label: string][]} options
 * @param {(value: string) => void} change
 * @param {string} [kind] `wide` for long names
 */
export function select(title, chosen, options, change, kind = '') {
  const list = h(
    'select',
    { onchange: () => change(list.value) },
    options.map(([value, label]) => h('option', { value, selected: value === chosen }, label)),
  );
  return h('label', { class: `field ${kind}` }, h('span', {}, title), list);
}
