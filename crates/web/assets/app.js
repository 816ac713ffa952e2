// Puts the page together.

import { analysis } from './analysis.js';
import * as api from './api.js';
import { boardView } from './board.js';
import { controls, copyLink } from './controls.js';
import { byId, h, replace } from './dom.js';
import { experiments } from './experiments.js';
import { nameFeatures } from './features.js';
import { whole } from './format.js';
import { explain } from './explain.js';
import { icon } from './icons.js';
import { importer } from './importer.js';
import { mountKeyboard } from './keyboard.js';
import { moveList } from './move-list.js';
import { problem, toast } from './notice.js';
import { playing } from './play.js';
import { review } from './review.js';
import { START } from './rules.js';
import { scoreboard } from './scoreboard.js';
import { setUp } from './setup.js';
import { mountSharing } from './share.js';
import { Studio } from './studio.js';
import { mountTabs } from './tabs.js';
import { text } from './text.js';
import { mountTheme } from './theme.js';

const TABS = /** @type {const} */ (['analysis', 'review', 'explain', 'play']);
/** Milliseconds between attempts to reach a server that went away. */
const RETRY = 4000;

const studio = new Studio();
const { tree } = studio;
const score = scoreboard(studio);
const panels = {
  analysis: analysis(studio),
  review: review(studio),
  explain: explain(studio),
  play: playing(studio, score, () => {
    tabs.choose('review');
    panels.review.start();
  }),
};
const setup = setUp(studio, () => byId('board').scrollIntoView({ block: 'nearest' }));
const open = importer(studio, () => {
  tabs.choose('review');
  showView();
});
const trials = experiments();

// The header

const themeButton = h('button', { type: 'button', class: 'quiet square' }, icon('theme'));
const helpButton = h(
  'button',
  { type: 'button', class: 'quiet square', 'aria-label': text.help.open, title: text.help.open, onclick: () => keyboard.help() },
  icon('help'),
);
const links = {
  studio: h('a', { href: '#' }, text.nav.studio),
  experiments: h('a', { href: '#experiments' }, text.nav.experiments),
};
replace(
  byId('top'),
  h('a', { class: 'skip', href: '#board', onclick: skip }, text.skip),
  h('p', { class: 'brand' }, h('span', { class: 'logo', 'aria-hidden': 'true' }), text.name),
  h('nav', { 'aria-label': text.nav.label }, links.studio, links.experiments),
  h('div', { class: 'top-tools' }, helpButton, themeButton),
);
mountTheme(themeButton);

// The board with its tools

const connection = h('div', { class: 'connection' });
const tabList = h(
  'div',
  { class: 'tabs', role: 'tablist', 'aria-label': text.tabs.label },
  TABS.map((name) =>
    h('button', { type: 'button', role: 'tab', id: `tab-${name}`, 'aria-controls': `panel-${name}`, 'data-tab': name }, text.tabs[name]),
  ),
);
const board = h(
  'div',
  { class: 'studio' },
  h('h1', { class: 'unseen' }, `${text.name}: ${text.tagline}`),
  h('div', { class: 'board-column' }, score.root, boardView(studio), controls(tree, { setUp: setup.open, open: open.open })),
  h(
    'div',
    { class: 'panel-column' },
    connection,
    setup.root,
    h(
      'section',
      { class: 'card panel' },
      tabList,
      TABS.map((name) =>
        h(
          'div',
          { role: 'tabpanel', id: `panel-${name}`, 'aria-labelledby': `tab-${name}`, tabindex: -1 },
          panels[name].root,
        ),
      ),
    ),
  ),
  moveList(studio),
);
replace(byId('main'), board, trials.root);
const tabs = mountTabs(tabList, (name) => panels.explain.visible(name === 'explain'));
tabs.choose('analysis');
document.body.dataset.drop = text.importer.drop;

const keyboard = mountKeyboard(() => !board.hidden, [
  { keys: ['ArrowLeft', 'u', 'z'], what: text.help.what.back, run: () => tree.back() },
  { keys: ['ArrowRight', 'r', 'y'], what: text.help.what.forward, run: () => tree.forward() },
  { keys: ['Home', 'f'], what: text.help.what.first, run: () => tree.goTo(tree.root) },
  { keys: ['End', 'l'], what: text.help.what.last, run: () => tree.goTo(tree.current.end()) },
  { keys: ['ArrowUp'], what: text.help.what.before, run: () => tree.sideways(-1) },
  { keys: ['ArrowDown'], what: text.help.what.after, run: () => tree.sideways(1) },
  { keys: ['b'], what: text.help.what.board, run: focusBoard },
  { keys: ['a'], what: text.help.what.analyse, run: () => panels.analysis.toggle() },
  { keys: ['1', '2', '3', '4'], what: text.help.what.tabs, run: (key) => tabs.choose(TABS[Number(key) - 1]) },
  { keys: ['n'], what: text.help.what.fresh, run: () => tree.reset(START) },
  { keys: ['s'], what: text.help.what.setUp, run: () => setup.open() },
  { keys: ['o'], what: text.help.what.open, run: () => open.open() },
  { keys: ['c'], what: text.help.what.share, run: () => copyLink() },
  { keys: ['?', 'h'], what: text.help.what.help, run: () => keyboard.help() },
]);

function focusBoard() {
  /** @type {HTMLElement | null} */ (document.querySelector('.cell[tabindex="0"]'))?.focus();
}

/** @param {Event} event */
function skip(event) {
  event.preventDefault();
  focusBoard();
}

// Board or experiments, as the address has it

mountSharing(tree, showView);
showView();
function showView() {
  const [, run] = location.hash.match(/^#experiments\/?([\w-]*)/) ?? [];
  const away = run !== undefined;
  board.hidden = away;
  trials.show(away ? run : null);
  links.studio.setAttribute('aria-current', away ? 'false' : 'page');
  links.experiments.setAttribute('aria-current', away ? 'page' : 'false');
}

// The server

async function connect() {
  try {
    const info = await api.info();
    if (connection.childElementCount) toast(text.server.back);
    replace(connection, !info.weights && h('p', { class: 'notice' }, text.server.noWeights));
    byId('footer').textContent = text.footer(
      info.program, info.weights?.hash.slice(0, 12), info.weights ? whole(info.weights.positions) : undefined,
    );
    nameFeatures(info.features);
    studio.info = info;
    studio.emit('info', info);
  } catch {
    replace(connection, problem(text.server.retrying, connect));
    setTimeout(connect, RETRY);
  }
}
connect();
