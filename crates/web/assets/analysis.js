// Live analysis: the odds of every move while the search deepens.

import { announce } from './announcer.js';
import * as api from './api.js';
import { h, replace } from './dom.js';
import { readEvents } from './event-stream.js';
import { select } from './fields.js';
import { duration, short } from './format.js';
import { lineList, shortOdds, spokenOdds } from './line-list.js';
import { loading, problem, toast } from './notice.js';
import { LEAFING, pause } from './pause.js';
import { isOver, printPosition, squareNumber } from './rules.js';
import { chosenModel, modelOptions, remember, settings } from './settings.js';
import { text } from './text.js';

/** @typedef {import('./studio.js').Studio} Studio */
/** @typedef {import('./studio.js').Label} Label */
/** @typedef {import('./api.js').Line} Line */
/** @typedef {import('./api.js').Progress} Progress */

/** A move this much worse than the best is marked as poor. */
const POOR = 0.05;

/** @param {Studio} studio */
export function analysis(studio) {
  let wanted = false;
  /** @type {AbortController | null} */
  let running = null;
  let proven = '';

  const button = h('button', { type: 'button', class: 'primary start', onclick: () => toggle() });
  const options = h('div', { class: 'fields' });
  const state = h('p', { class: 'search-state' });
  const verdict = h('p', { class: 'verdict proven', hidden: true });
  const lines = lineList(studio);
  const message = h('div', {});
  const root = h(
    'div',
    { class: 'panel-body' },
    h('div', { class: 'row start-row' }, button, state),
    options,
    message,
    verdict,
    lines.root,
  );

  const stop = () => {
    running?.abort();
    running = null;
  };

  const clear = () => {
    proven = '';
    verdict.hidden = true;
    state.textContent = '';
    lines.show([]);
    replace(message);
    studio.overlay({ labels: new Map(), blackProbability: null });
  };

  const start = async () => {
    stop();
    clear();
    showButton();
    const { position } = studio.tree.current;
    if (!wanted) replace(message, h('p', { class: 'empty' }, text.analysis.intro));
    if (!wanted || document.hidden || !studio.info || studio.draft) return;
    if (isOver(position)) {
      replace(message, h('p', { class: 'empty' }, text.analysis.over));
      return;
    }
    const search = new AbortController();
    running = search;
    replace(message, loading(text.analysis.starting));
    const { limits } = studio.info;
    const wish = {
      position: printPosition(position),
      model: chosenModel(studio.info, 'model'),
      threads: String(Math.min(Number(settings.threads), limits.threads)),
      lines: settings.lines,
      seconds: String(Math.min(Number(settings.seconds), limits.seconds)),
    };
    try {
      await pause(LEAFING);
      await readEvents(api.analysisStream(wish), search.signal, (name, data) => {
        if (name === 'waiting') replace(message, loading(text.analysis.waiting(data.ahead)));
        else show(data);
      });
    } catch (error) {
      replace(message, problem(api.sentence(error), start));
    }
    if (running === search) running = null;
  };

  /** @param {Progress} progress */
  const show = (progress) => {
    replace(message);
    const { depth, nodes_per_second: speed, seconds, reason } = progress;
    state.textContent = text.analysis.state(depth, short(speed), duration(seconds), reason);
    if (reason === 'busy') replace(message, problem(text.analysis.busy, start));
    if (reason === 'stopped') replace(message, problem(text.server.away, start));
    if (!progress.lines.length) return;
    lines.show(progress.lines);
    const [best] = progress.lines;
    studio.overlay({
      labels: labelsOf(progress.lines),
      blackProbability: progress.mover === 'black' ? best.probability : 1 - best.probability,
    });
    const said = provenResult(progress);
    verdict.hidden = !said;
    verdict.textContent = said;
    if (said && said !== proven) announce(said);
    proven = said;
  };

  const showButton = () => {
    button.textContent = wanted ? text.analysis.stop : text.analysis.start;
    button.setAttribute('aria-pressed', String(wanted));
  };

  const toggle = () => {
    if (studio.playing) {
      toast(text.analysis.playing);
      return;
    }
    wanted = !wanted;
    if (wanted) {
      studio.emit('search', 'analysis');
      start();
    } else {
      stop();
      showButton();
      announce(text.analysis.stopped);
    }
  };

  /** @param {Partial<typeof settings>} change */
  const choose = (change) => {
    remember(change);
    if (wanted) start();
  };

  studio.on('info', (info) => {
    const threads = Array.from({ length: info.limits.threads }, (_, i) => String(i + 1));
    const times = [2, 10, 30, 60, 300].filter((seconds) => seconds <= info.limits.seconds);
    const { analysis: words } = text;
    replace(
      options,
      select(words.model, chosenModel(info, 'model'), modelOptions(info), (model) => choose({ model })),
      select(words.lines, settings.lines, [['64', words.all], ['5', '5'], ['3', '3'], ['1', '1']],
        (count) => choose({ lines: count })),
      select(words.seconds, settings.seconds,
        times.map((time) => [String(time), `${time} s`]), (seconds) => choose({ seconds })),
      select(words.threads, settings.threads, threads.map((count) => [count, count]),
        (count) => choose({ threads: count })),
    );
    if (wanted) start();
  });
  studio.on('search', (searcher) => {
    if (searcher === 'analysis') return;
    wanted = false;
    stop();
    clear();
    showButton();
  });
  studio.tree.on('moved', start);
  document.addEventListener('visibilitychange', () => {
    if (document.hidden) stop();
    else if (wanted && !running) start();
  });
  addEventListener('pagehide', stop);
  start();
  return { root, toggle };
}

/**
 * What the search has proven about the position, or nothing.
 * @param {Progress} progress
 */
function provenResult({ mover, lines }) {
  const [best] = lines;
  const all = lines.every(({ exact }) => exact);
  const side = text.sides[mover];
  const rival = text.sides[mover === 'black' ? 'white' : 'black'];
  if (!best?.exact) return '';
  if (all && best.score !== undefined) return text.proven.score(best.score, side, rival);
  // A win is a win whatever the other moves do; a draw or a loss needs them all.
  if (best.outcome === 'win' || all) return text.proven.outcome(best.outcome ?? 'win', side, rival);
  return '';
}

/**
 * @param {Line[]} lines best first
 * @returns {Map<number, Label>}
 */
function labelsOf(lines) {
  const best = lines[0].probability;
  return new Map(
    lines.map((line, index) => [
      squareNumber(line.move),
      {
        text: shortOdds(line),
        spoken: spokenOdds(line),
        rank: index === 0 ? 'best' : best - line.probability < POOR ? 'near' : 'poor',
        proven: line.exact,
      },
    ]),
  );
}
