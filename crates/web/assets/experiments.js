// The list of runs and the one that is open.

import * as api from './api.js';
import { h, replace } from './dom.js';
import { readEvents } from './event-stream.js';
import { loading, problem } from './notice.js';
import { reproductionView } from './reproduction.js';
import { text } from './text.js';
import { tournamentView } from './tournament.js';

/**
 * @typedef {{ kind: 'reproduction', title: string,
 *     reproduction: import('./reproduction.js').Reproduction }
 *   | import('./tournament.js').Tournament} Experiment
 */

/** Milliseconds before a stream that ended is opened again. */
const REOPEN = 2000;

export function experiments() {
  /** @type {AbortController | null} */
  let live = null;
  const list = h('nav', { class: 'runs', 'aria-label': text.experiments.runs });
  const content = h('div', { class: 'run-content' });
  const root = h('section', { class: 'experiments', hidden: true }, list, content);

  /** @param {string} wanted */
  const load = async (wanted) => {
    replace(list);
    replace(content, loading(text.experiments.loading));
    try {
      const { runs, faults } = await api.experiments();
      if (!runs.length) {
        replace(content, faults.map((fault) => problem(fault)), emptyState());
        return;
      }
      const open = runs.find(({ id }) => id === wanted) ?? runs[0];
      replace(list, h('h2', {}, text.experiments.runs), h('ul', {}, runs.map((run) => runLink(run, run === open))),
        faults.map((fault) => problem(fault)));
      await show(open);
    } catch (error) {
      replace(content, problem(api.sentence(error), () => load(wanted)));
    }
  };

  /** @param {api.Run} run */
  const show = async (run) => {
    const experiment = await api.experiment(run.id);
    showExperiment(experiment);
    if (experiment.kind === 'tournament' && experiment.running) follow(run);
  };

  /** @param {Experiment} experiment */
  const showExperiment = (experiment) =>
    replace(
      content,
      experiment.kind === 'tournament'
        ? tournamentView(experiment)
        : reproductionView(experiment.title, experiment.reproduction),
    );

  /** @param {api.Run} run */
  const follow = async (run) => {
    const stream = new AbortController();
    live = stream;
    try {
      await readEvents(api.experimentStream(run.id), stream.signal, (name, data) => {
        if (name === 'table') showExperiment({ kind: 'tournament', ...data });
      });
      // The server ends even good streams after a while.
      if (!stream.signal.aborted) setTimeout(() => live === stream && load(run.id), REOPEN);
    } catch (error) {
      content.prepend(problem(api.sentence(error), () => load(run.id)));
    }
  };

  const stop = () => {
    live?.abort();
    live = null;
  };
  addEventListener('pagehide', stop);

  return {
    root,
    /** @param {string | null} id of the run; `null` leaves the view */
    show(id) {
      stop();
      root.hidden = id === null;
      if (id !== null) load(id);
    },
  };
}

/**
 * @param {api.Run} run
 * @param {boolean} open
 */
const runLink = (run, open) =>
  h(
    'li',
    {},
    h(
      'a',
      { href: `#experiments/${run.id}`, 'aria-current': open ? 'page' : null },
      h('span', { class: 'run-title' }, run.title),
      h(
        'span',
        { class: 'details' },
        text.experiments.kinds[run.kind],
        run.updated !== null && ` · ${day(run.updated)}`,
        run.running && h('span', { class: 'badge' }, text.experiments.running),
      ),
    ),
  );

/** @param {number} seconds since 1970 */
const day = (seconds) => new Date(1000 * seconds).toISOString().slice(0, 10);

const emptyState = () =>
  h(
    'div',
    { class: 'card empty-state' },
    h('h2', {}, text.experiments.none),
    h('p', {}, text.experiments.how),
    text.experiments.commands.map(({ what, command }) => [h('p', {}, what), h('pre', {}, h('code', {}, command))]),
  );
