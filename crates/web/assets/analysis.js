// Live analysis: the odds of every move while the search deepens.

import { announce } from './announcer.js';
import * as api from './api.js';
import { h, replace, vary } from './dom.js';
import { readEvents } from './event-stream.js';
import { select } from './fields.js';
import { duration, percent, short, signed, wholePercent } from './format.js';
import { parseTranscript } from './game-tree.js';
import { loading, problem, toast } from './notice.js';
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
    const model = chosenModel(studio.info, 'model');
    const { threads, lines: count, seconds } = settings;
    const wish = { position: printPosition(position), model, threads, lines: count, seconds };
    try {
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
        times.map((time) => [String(time), duration(time)]), (seconds) => choose({ seconds })),
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
export function provenResult({ mover, lines }) {
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

/** @param {Line} line */
function shortOdds(line) {
  if (!line.exact) return wholePercent(line.probability);
  return line.score !== undefined ? signed(line.score) : text.proven.letters[line.outcome ?? 'win'];
}

/** @param {Line} line */
function spokenOdds(line) {
  if (!line.exact) return percent(line.probability);
  if (line.score !== undefined) return text.proven.exact(signed(line.score));
  return text.proven.short[line.outcome ?? 'win'];
}

/**
 * The list of moves with bars and expected play. Its rows stay the same
 * elements while numbers change, so that the focus stays where it is.
 * @param {Studio} studio
 */
function lineList(studio) {
  const list = h('ol', { class: 'lines', 'aria-label': text.analysis.list });
  /** @type {Map<string, ReturnType<typeof lineRow>>} */
  const rows = new Map();
  return {
    root: list,
    /** @param {Line[]} lines */
    show(lines) {
      for (const move of rows.keys()) {
        if (!lines.some((line) => line.move === move)) rows.delete(move);
      }
      for (const line of lines) {
        const row = rows.get(line.move) ?? lineRow(studio, line.move);
        rows.set(line.move, row);
        row.show(line);
      }
      const wanted = lines.map((line) => rows.get(line.move)?.root);
      if (wanted.length === list.children.length && wanted.every((row, i) => row === list.children[i])) return;
      const focus = document.activeElement;
      replace(list, wanted);
      if (focus instanceof HTMLElement && list.contains(focus)) focus.focus();
    },
  };
}

/**
 * @param {Studio} studio
 * @param {string} move
 */
function lineRow(studio, move) {
  let moves = '';
  const odds = h('span', { class: 'odds' });
  const depth = h('span', { class: 'depth' });
  const bar = h('span', { class: 'bar', 'aria-hidden': 'true' }, h('span'));
  const play = h(
    'button',
    { type: 'button', class: 'quiet line-move', onclick: () => studio.press(squareNumber(move)) },
    h('span', { class: 'square-name' }, move),
    bar,
    odds,
    depth,
  );
  const follow = h('button', {
    type: 'button',
    class: 'quiet pv',
    title: text.analysis.follow,
    onclick: () => followLine(studio, moves),
  });
  return {
    root: h('li', {}, play, follow),
    /** @param {Line} line */
    show(line) {
      moves = line.pv;
      odds.textContent = spokenOdds(line);
      odds.classList.toggle('proven', line.exact);
      depth.textContent = line.exact ? text.analysis.proven : text.analysis.depth(line.depth);
      vary(bar, { share: line.probability });
      const rest = (line.pv.match(/pass|../g) ?? []).slice(1).join(' ');
      follow.textContent = rest;
      follow.hidden = !rest;
      follow.setAttribute('aria-label', text.analysis.followLabel(move, rest));
    },
  };
}

/**
 * Adds a line to the game and goes to its first move.
 * @param {Studio} studio
 * @param {string} moves
 */
function followLine(studio, moves) {
  const [first] = studio.tree.extend(parseTranscript(moves) ?? []);
  if (first) studio.tree.goTo(first);
}
