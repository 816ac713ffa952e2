// Puts the page together.

import { mountAddress } from './address.js';
import { analysis } from './analysis.js';
import * as api from './api.js';
import { boardView } from './board.js';
import { commentBox } from './comment.js';
import { controls } from './controls.js';
import { byId, h, replace } from './dom.js';
import { experiments } from './experiments.js';
import { nameFeatures } from './features.js';
import { whole } from './format.js';
import { explain } from './explain.js';
import { explorer } from './explorer.js';
import { gamesDialog } from './games-dialog.js';
import { icon } from './icons.js';
import { importer } from './importer.js';
import { library } from './library.js';
import { mountKeyboard } from './keyboard.js';
import { moveList } from './move-list.js';
import { problem, toast } from './notice.js';
import { preferences } from './preferences.js';
import { playing } from './play.js';
import { review } from './review.js';
import { rulesPage } from './rules-page.js';
import { scoreboard } from './scoreboard.js';
import { setUp } from './setup.js';
import { shareDialog } from './share-dialog.js';
import { Studio } from './studio.js';
import { mountTabs } from './tabs.js';
import { text } from './text.js';
import { mountTheme } from './theme.js';
import { training } from './train.js';

const TABS = /** @type {const} */ (['play', 'analysis', 'review', 'explain', 'train', 'book', 'library']);
/** Milliseconds between attempts to reach a server that went away. */
const RETRY = 2000;

const studio = new Studio();
const { desk, tree } = studio;
const score = scoreboard(studio);
const analysing = analysis(studio);
const explaining = explain(studio, analysing.lines);
const searching = library(studio);
const panels = {
  analysis: analysing,
  review: review(studio, (node) => {
    // Why a move was not the best is seen before it was made.
    if (node.parent) tree.goTo(node.parent);
    explaining.compare();
    tabs.choose('explain');
  }),
  explain: explaining,
  play: playing(studio, score, {
    review() {
      tabs.choose('review');
      panels.review.start();
      // On a phone what the review finds is below the board.
      tabList.scrollIntoView({ block: 'start' });
    },
    share: () => share.open(),
  }),
  train: training(studio, () => tabs.choose('review')),
  book: explorer(studio, (place) => {
    searching.at(place);
    tabs.choose('library');
  }),
  library: searching,
};
const setup = setUp(studio, () => byId('board').scrollIntoView({ block: 'nearest' }));
const open = importer(studio, (kind) => {
  tabs.choose(kind === 'position' ? 'analysis' : 'review');
  showView();
});
const games = gamesDialog(studio, () => showView());
const share = shareDialog(studio);

// Another board never costs the game on it

const actions = {
  fresh() {
    const empty = !tree.root.children.length && !desk.match;
    desk.begin();
    if (!empty) toast(text.desk.kept, { label: text.undo, run: actions.undo });
  },
  undo() {
    if (studio.playing) toast(text.desk.playing);
    else if (desk.canUndo) desk.undo();
    else toast(text.desk.nothing);
  },
  redo() {
    if (studio.playing) toast(text.desk.playing);
    else if (desk.canRedo) desk.redo();
    else toast(text.desk.nothing);
  },
  setUp: () => setup.open(),
  open: () => open.open(),
  games: () => games.open(),
  share: () => share.open(),
  play() {
    tabs.choose('play');
    byId('panel-play').scrollIntoView({ block: 'nearest' });
  },
};
const trials = experiments();

// The header

const themeButton = h('button', { type: 'button', class: 'quiet square' }, icon('theme'));
const wishes = preferences();
const rules = rulesPage();
/**
 * @param {Parameters<typeof icon>[0]} image
 * @param {string} label
 * @param {() => void} onclick
 */
const headButton = (image, label, onclick) =>
  h('button', { type: 'button', class: 'quiet square', 'data-tool': image, 'aria-label': label, title: label, onclick }, icon(image));
const links = {
  studio: h('a', { href: '#' }, text.nav.studio),
  experiments: h('a', { href: '#experiments' }, text.nav.experiments),
};
replace(
  byId('top'),
  h('a', { class: 'skip', href: '#board', onclick: skip }, text.skip),
  h('p', { class: 'brand' }, h('span', { class: 'logo', 'aria-hidden': 'true' }), text.name),
  h('nav', { 'aria-label': text.nav.label }, links.studio, links.experiments),
  h(
    'div',
    { class: 'top-tools' },
    headButton('help', text.help.open, () => keyboard.help()),
    headButton('book', text.rules.open, rules.open),
    headButton('gear', text.preferences.title, wishes.open),
    themeButton,
  ),
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
  h('div', { class: 'board-column' }, score.root, boardView(studio), controls(studio, actions)),
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
  moveList(studio, actions.undo, commentBox(studio)),
);
replace(byId('main'), board, trials.root);
const tabs = mountTabs(tabList, (name) => {
  panels.play.visible(name === 'play');
  panels.explain.visible(name === 'explain');
  panels.train.visible(name === 'train');
  panels.book.visible(name === 'book');
  panels.library.visible(name === 'library');
});
tabs.choose('play');
desk.on('opened', () => {
  if (desk.match) tabs.choose('play');
});
document.body.dataset.drop = text.importer.drop;

const keyboard = mountKeyboard(() => !board.hidden, [
  { keys: ['ArrowLeft', 'u', 'z'], what: text.help.what.back, run: () => tree.back() },
  { keys: ['ArrowRight', 'r', 'y'], what: text.help.what.forward, run: () => tree.forward() },
  { keys: ['Home', 'f'], what: text.help.what.first, run: () => tree.goTo(tree.root) },
  { keys: ['End', 'l'], what: text.help.what.last, run: () => tree.goTo(tree.current.end()) },
  { keys: ['ArrowUp'], what: text.help.what.before, run: () => tree.sideways(-1) },
  { keys: ['ArrowDown'], what: text.help.what.after, run: () => tree.sideways(1) },
  { keys: ['x'], what: text.help.what.nextMistake, run: () => panels.review.mistake(1) },
  { keys: ['w'], what: text.help.what.previousMistake, run: () => panels.review.mistake(-1) },
  { keys: ['b'], what: text.help.what.board, run: focusBoard },
  { keys: ['a'], what: text.help.what.analyse, run: () => panels.analysis.toggle() },
  { keys: ['1', '2', '3', '4', '5', '6', '7'], what: text.help.what.tabs, run: (key) => tabs.choose(TABS[Number(key) - 1]) },
  { keys: ['n'], what: text.help.what.fresh, run: actions.fresh },
  { keys: ['s'], what: text.help.what.setUp, run: actions.setUp },
  { keys: ['o'], what: text.help.what.open, run: actions.open },
  { keys: ['g'], what: text.help.what.games, run: actions.games },
  { keys: ['Ctrl+z'], what: text.help.what.undo, run: actions.undo },
  { keys: ['Ctrl+y', 'Ctrl+Z'], what: text.help.what.redo, run: actions.redo },
  { keys: ['c'], what: text.help.what.share, run: () => share.copyLink() },
  { keys: ['Escape'], what: text.help.what.leave, run: () => setup.leave() },
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

const linkProblem = h('div', { class: 'link-problem' });
connection.before(linkProblem);
mountAddress(studio, {
  viewChanged: showView,
  problem: (sentence) => replace(linkProblem, problem(sentence)),
}).then(() => {
  // Whoever brings a game wants to look at it; whoever brings none, to play.
  if (tree.root.children.length && !desk.match) tabs.choose(desk.review ? 'review' : 'analysis');
  showView();
});
tree.on('moved', () => replace(linkProblem));
function showView() {
  const [, run] = location.hash.match(/^#experiments\/?([\w-]*)/) ?? [];
  const away = run !== undefined;
  board.hidden = away;
  trials.show(away ? run : null);
  links.studio.setAttribute('aria-current', away ? 'false' : 'page');
  links.experiments.setAttribute('aria-current', away ? 'page' : 'false');
}

// The server

/** Is somebody looking for the server already? */
let looking = false;

async function connect() {
  looking = true;
  try {
    const info = await api.info();
    looking = false;
    if (connection.childElementCount) toast(text.server.back);
    replace(connection, !info.weights && h('p', { class: 'notice' }, text.server.noWeights));
    byId('footer').textContent = text.footer(
      info.program, info.weights?.hash.slice(0, 12), info.weights ? whole(info.weights.positions) : undefined,
    );
    nameFeatures(info.features);
    studio.info = info;
    studio.emit('info', info);
  } catch {
    replace(connection, problem(text.server.retrying));
    setTimeout(connect, RETRY);
  }
}
studio.on('lost', () => {
  if (looking) return;
  looking = true;
  replace(connection, problem(text.server.retrying));
  setTimeout(connect, RETRY);
});
connect();

// The page opens without the server, too: the board and the kept games need
// none. Where the browser allows no worker, it just does not.
navigator.serviceWorker?.register('/service-worker.js').catch(() => {});
