// The paper's experiment repeated, as the report draws it.

import { h, parsed } from './dom.js';
import { text } from './text.js';

/**
 * @typedef {object} Reproduction
 * @property {'reproduction'} kind
 * @property {string} title
 * @property {{ name: string, value: string }[]} facts
 * @property {{ id: string, title: string, html: string }[]} sections
 */

/** @param {Reproduction} reproduction */
export function reproductionView({ title, facts, sections }) {
  const report = h(
    'div',
    { class: 'report', lang: 'en' },
    sections.map(({ id, title, html }) => h('section', { class: 'card', id }, h('h2', {}, title), parsed(html))),
  );
  // The address says which run is open, so links within it only scroll.
  report.addEventListener('click', (event) => {
    const link = event.target instanceof Element && event.target.closest('a[href^="#"]');
    if (!link) return;
    event.preventDefault();
    report.querySelector(link.getAttribute('href') ?? '')?.scrollIntoView();
  });
  return [
    h(
      'header',
      { class: 'run-head' },
      h('h1', { lang: 'en' }, title),
      text.experiments.inEnglish && h('p', { class: 'hint' }, text.experiments.inEnglish),
      h('p', { class: 'facts', lang: 'en' }, facts.map(({ name, value }) => `${name}: ${value}`).join(' · ')),
    ),
    report,
  ];
}
