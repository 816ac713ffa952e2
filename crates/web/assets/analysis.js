// Live analysis: the odds of every move while the search deepens.

import { announce } from './announcer.js';
import * as api from './api.js';
import { h, replace } from './dom.js';
import { readEvents } from './event-stream.js';
import { select } from './fields.js';
import { clockTime, duration, percent, short } from './format.js';
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

/** The time of an analysis that goes on until it is stopped. */
const ENDLESS = 'endless';

/** A move this much worse than the best is marked as poor. */
const POOR = 0.05;

/** @param {Studio} studio */
export function analysis(studio) {
  let wanted = false;
  /** @type {AbortController | null} */
  let running = null;
  let proven = '';
  /** @type {Progress | null} what is shown */
  let shown = null;
  /** Seconds searched before the running search, and when that began. */
  let [before, since] = [0, 0];

  const button = h('button', { type: 'button', class: 'primary start', onclick: () => toggle() });
  const options = h('div', { class: 'fields' });
  const state = h('p', { class: 'search-state' });
  const verdict = h('p', { class: 'verdict proven', hidden: true });
  const lines = lineList(studio);
  const message = h('div', {});
  const more = h('button', { type: 'button', hidden: true, onclick: () => start(true) }, text.analysis.more);
  const root = h(
    'div',
    { class: 'panel-body' },
    h('div', { class: 'row start-row' }, button, more, state),
    options,
    message,
    verdict,
    lines.root,
  );

  const elapsed = () => (running ? (performance.now() - since) / 1000 : 0);

  const stop = () => {
    before += elapsed();
    running?.abort();
    running = null;
  };

  const clear = () => {
    proven = '';
    shown = null;
    before = 0;
    verdict.hidden = true;
    more.hidden = true;
    state.textContent = '';
    lines.show([]);
    replace(message);
    studio.overlay({ labels: new Map(), blackProbability: null, blackScore: null, preview: null });
  };

  /** @param {boolean} [on] in the same position, from where the search stood */
  const start = async (on = false) => {
    stop();
    if (on) more.hidden = true;
    else clear();
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
    since = performance.now();
    if (!on) replace(message, loading(text.analysis.starting));
    const { limits } = studio.info;
    const wish = {
      position: printPosition(position),
      model: chosenModel(studio.info, 'model'),
      ...(settings.threads !== 'auto' && { threads: String(Math.min(Number(settings.threads), limits.threads)) }),
      lines: settings.lines,
      seconds: settings.seconds === ENDLESS ? String(limits.seconds) : String(Math.min(Number(settings.seconds), limits.seconds)),
    };
    /** @type {Progress['reason']} */
    let reason;
    try {
      if (!on) await pause(LEAFING);
      await readEvents(api.analysisStream(wish), search.signal, (name, data) => {
        ({ reason } = data);
        if (name === 'waiting') replace(message, loading(text.analysis.waiting(data.ahead)));
        else show(data);
      });
    } catch (error) {
      replace(message, problem(api.sentence(error), () => start()));
      studio.lost(error);
    }
    if (running !== search) return;
    stop();
    showState();
    // The table is still warm: the next search soon is where this one was.
    if (reason === 'limit' && settings.seconds === ENDLESS) start(true);
    else if (reason === 'limit') more.hidden = false;
    if (reason === 'stopped') studio.emit('lost', null);
  };

  /** Depth, speed, time, and what is being solved. */
  const showState = () => {
    if (!shown) return;
    const { depth, confidence, nodes_per_second: speed, reason, proving, lines: found } = shown;
    const seconds = before + elapsed();
    const open = running && proving ? found.filter(({ exact }) => !exact) : [];
    state.textContent = text.analysis.state({
      depth: confidence === undefined ? String(depth) : text.analysis.selective(depth, percent(confidence)),
      speed: short(speed),
      // The time is seen to tick, however long it takes.
      time: seconds < 60 ? duration(Math.max(0, seconds)) : clockTime(seconds),
      reason: running ? undefined : reason,
      solving: open.length ? text.analysis.solving(open[0].move, found.length - open.length, found.length) : '',
    });
  };
  setInterval(() => {
    if (running) showState();
  }, 250);

  /** @param {Progress} progress */
  const show = (progress) => {
    replace(message);
    const { reason } = progress;
    if (reason === 'busy') replace(message, problem(text.analysis.busy, () => start()));
    if (reason === 'stopped') replace(message, problem(text.server.away, () => start()));
    // A search that goes on passes the depths that are known already.
    const behind = shown?.lines.length && progress.depth < shown.depth;
    if (behind) shown = { .../** @type {Progress} */ (shown), reason };
    else shown = progress;
    showState();
    if (behind || !progress.lines.length) return;
    lines.show(progress.lines);
    const [best] = progress.lines;
    studio.overlay({
      labels: labelsOf(progress.lines),
      blackProbability: progress.mover === 'black' ? best.probability : 1 - best.probability,
      blackScore: progress.mover === 'black' ? best.discs : -best.discs,
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
      toast(text.analysis.playing, { label: text.play.pause, run: () => studio.emit('stopGame', null) });
      return;
    }
    wanted = !wanted;
    if (wanted) {
      studio.emit('search', 'analysis');
      start();
    } else {
      stop();
      showButton();
      showState();
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
    const times = [2, 10, 30, 60, 300].filter((seconds) => seconds <= info.limits.seconds).map(String);
    const { analysis: words } = text;
    replace(
      options,
      select(words.model, chosenModel(info, 'model'), modelOptions(info), (model) => choose({ model })),
      select(words.lines, settings.lines, [['64', words.all], ['5', '5'], ['3', '3'], ['1', '1']],
        (count) => choose({ lines: count })),
      select(words.seconds, settings.seconds,
        [...times.map((time) => /** @type {[string, string]} */ ([time, text.seconds(time)])), [ENDLESS, words.endless]],
        (seconds) => choose({ seconds })),
      select(words.threads, settings.threads,
        [['auto', words.autoThreads], ...threads.map((count) => /** @type {[string, string]} */ ([count, count]))],
        (count) => choose({ threads: count })),
    );
    if (wanted && !running) start();
  });
  studio.on('search', (searcher) => {
    if (searcher === 'analysis') return;
    wanted = false;
    stop();
    clear();
    showButton();
  });
  studio.tree.on('moved', () => start());
  document.addEventListener('visibilitychange', () => {
    if (document.hidden) stop();
    else if (wanted && !running) start();
  });
  addEventListener('pagehide', stop);
  start();
  return {
    root,
    toggle,
    /** What the analysis says here, if it has looked. */
    lines: () => shown?.lines ?? [],
  };
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
