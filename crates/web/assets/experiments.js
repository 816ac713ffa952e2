// The list of runs and the one that is open.

import * as api from './api.js';
import { h, replace } from './dom.js';
import { readEvents } from './event-stream.js';
import { loading, problem } from './notice.js';
import { reproductionView } from './reproduction.js';
import { text } from './text.js';
import { tournamentView } from './tournament.js';

/**
 * @typedef {import('./reproduction.js').Reproduction | import('./tournament.js').Tournament} Experiment
 */

/** What the server calls the run that is part of it. */
const BUILT_IN = 'reproduction';

/** Milliseconds before a stream that ended is opened again. */
const REOPEN = 2000;

export function experiments() {
  // What arrives for a run after another was chosen comes too late to be shown.
  let visit = new AbortController();
  const list = h('nav', { class: 'runs', 'aria-label': text.experiments.runs });
  const content = h('div', { class: 'run-content' });
  const root = h('section', { class: 'experiments', hidden: true }, list, content);

  /** @param {string} wanted */
  const load = async (wanted) => {
    visit.abort();
    visit = new AbortController();
    const { signal } = visit;
    replace(list);
    replace(content, loading(text.experiments.loading));
    try {
      const { runs, faults } = await api.experiments();
      if (signal.aborted) return;
      if (!runs.length) {
        replace(content, faults.map(unreadable), emptyState());
        return;
      }
      const open = runs.find(({ id }) => id === wanted) ?? runs[0];
      replace(list, h('h2', {}, text.experiments.runs), h('ul', {}, runs.map((run) => runLink(run, run === open))),
        faults.map(unreadable));
      await show(open, signal);
    } catch (error) {
      if (!signal.aborted) replace(content, problem(api.sentence(error), () => load(wanted)));
    }
  };

  /**
   * @param {api.Run} run
   * @param {AbortSignal} signal
   */
  const show = async (run, signal) => {
    const experiment = await api.experiment(run.id);
    if (signal.aborted) return;
    showExperiment(experiment);
    if (experiment.kind === 'tournament' && experiment.running) follow(run, signal);
  };

  /** @param {Experiment} experiment */
  const showExperiment = (experiment) =>
    replace(
      content,
      experiment.kind === 'tournament' ? tournamentView(experiment) : reproductionView(experiment),
    );

  /**
   * @param {api.Run} run
   * @param {AbortSignal} signal
   */
  const follow = async (run, signal) => {
    try {
      await readEvents(api.experimentStream(run.id), signal, (name, data) => {
        if (name === 'table') showExperiment({ kind: 'tournament', ...data });
      });
      // The server ends even good streams after a while.
      setTimeout(() => !signal.aborted && load(run.id), REOPEN);
    } catch (error) {
      content.prepend(problem(api.sentence(error), () => load(run.id)));
    }
  };

  const stop = () => visit.abort();
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
      h('span', { class: 'run-title' }, run.id === BUILT_IN ? text.experiments.builtIn : run.title),
      h(
        'span',
        { class: 'details' },
        text.experiments.kinds[run.kind],
        run.updated !== null && ` · ${day(run.updated)}`,
        run.running && h('span', { class: 'badge' }, text.experiments.running),
      ),
    ),
  );

/** @param {{ file: string, sentence: string }} fault */
const unreadable = ({ file, sentence }) => problem(text.experiments.unreadable(file, sentence));

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
