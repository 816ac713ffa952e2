// The whole game judged move by move: curve, errors, summary.

import { announce } from './announcer.js';
import * as api from './api.js';
import { curve } from './curve.js';
import { h, replace } from './dom.js';
import { readEvents } from './event-stream.js';
import { select } from './fields.js';
import { parseTranscript, transcript } from './game-tree.js';
import { problem, toast } from './notice.js';
import { reviewPage } from './review-page.js';
import { errorList, isError, lost, showBoard, summaryTable } from './review-summary.js';
import { printPosition, squareNumber } from './rules.js';
import { chosenModel, modelOptions, remember, settings } from './settings.js';
import { restoreReview, storeReview } from './stored-review.js';
import { text } from './text.js';

/** @typedef {import('./studio.js').Studio} Studio */
/** @typedef {import('./game-tree.js').Node} GameNode */
/** @typedef {import('./api.js').ReviewedMove} ReviewedMove */
/** @typedef {import('./api.js').ReviewDone} ReviewDone */

const TIMES = ['0.1', '0.5', '1', '3', '10'];

/**
 * @param {Studio} studio
 * @param {(node: GameNode) => void} why explains a move
 */
export function review(studio, why) {
  /** @type {AbortController | null} */
  let running = null;
  /** @type {GameNode[]} the line under review */
  let line = [];
  /** @type {ReviewDone['summary'] | undefined} */
  let found;

  const options = h('div', { class: 'fields' });
  const button = h('button', { type: 'button', class: 'primary start', onclick: () => toggle() });
  const bar = h('progress', { max: 1, value: 0, hidden: true, 'aria-label': text.review.progress });
  const state = h('p', { class: 'search-state' });
  const message = h('div', {});
  const chart = curve(studio);
  const judgement = h('div', { class: 'judgement' });
  const errors = h('div', {});
  const summary = h('div', {});
  const empty = h('p', { class: 'empty' }, text.review.empty);
  const root = h(
    'div',
    { class: 'panel-body' },
    h('div', { class: 'row start-row' }, button, state),
    bar,
    message,
    empty,
    // First what is said of the move: on a phone it stands right below the board.
    judgement,
    chart.root,
    errors,
    summary,
    options,
  );

  const showButton = () => {
    button.textContent = running ? text.review.stop : text.review.start;
    bar.hidden = !running;
  };

  const forget = () => {
    running?.abort();
    running = null;
    line = [];
    found = undefined;
    studio.grades = new Map();
    bar.removeAttribute('value');
    state.textContent = '';
    chart.show([], new Map());
    replace(errors);
    replace(summary);
    replace(message);
    empty.hidden = false;
    showButton();
  };

  const start = async () => {
    if (studio.playing) {
      toast(text.analysis.playing);
      return;
    }
    forget();
    studio.emit('search', 'review');
    line = studio.tree.line();
    const counts = settings.reviewCounts;
    studio.emit('graded', null);
    if (!line.length || !studio.info) {
      replace(message, problem(text.review.noMoves));
      return;
    }
    empty.hidden = true;
    const search = new AbortController();
    running = search;
    showButton();
    state.textContent = text.review.starting;
    const byPosition = new Map(
      line.map((node) => [printPosition(/** @type {GameNode} */ (node.parent).position), node]),
    );
    /** @param {string} name @param {any} data */
    const receive = (name, data) => {
      if (name === 'waiting') state.textContent = text.analysis.waiting(data.ahead);
      else if (name === 'move') judged(data);
      else if (name === 'done') finish(data);
    };
    /** @param {ReviewedMove} move */
    const judged = (move) => {
      const node = byPosition.get(move.position);
      if (node) studio.grades.set(node, move);
      if (move.progress.done % 10 === 0) keep();
      const { done, total } = move.progress;
      bar.value = done / total;
      state.textContent = text.review.judged(done, total);
      show();
    };
    /** @param {ReviewDone} done */
    const finish = (done) => {
      if (done.reason !== 'complete') {
        replace(message, problem(text.review.interrupted, start));
        return;
      }
      found = done.summary;
      state.textContent = text.review.complete;
      announce(text.review.complete);
      showSummary();
      keep();
    };
    try {
      const wish = {
        start: printPosition(studio.tree.root.position),
        moves: transcript(line),
        model: chosenModel(studio.info, 'model'),
        seconds: settings.reviewSeconds,
        counts,
      };
      await readEvents(api.reviewStream(wish), search.signal, receive);
    } catch (error) {
      state.textContent = '';
      replace(message, problem(api.sentence(error), start));
      studio.lost(error);
    }
    if (running === search) running = null;
    showButton();
  };

  const show = () => {
    chart.show(line, studio.grades);
    replace(errors, errorList(studio, line));
    studio.emit('graded', null);
  };

  /** Keeps what is known with the game. */
  const keep = () => {
    studio.desk.review = line.length ? storeReview(line, studio.grades, found, settings.reviewCounts) : undefined;
    studio.desk.keep();
  };

  const showSummary = () => {
    if (!found) return;
    replace(
      summary,
      summaryTable(found),
      h('div', { class: 'row' },
        h('button', { type: 'button', onclick: () => reviewPage(studio, line, /** @type {ReviewDone['summary']} */ (found)) },
          text.review.page)),
    );
  };

  /** Shows the review that was kept with the game. */
  const restore = () => {
    const stored = studio.desk.review;
    forget();
    if (stored) {
      ({ line, grades: studio.grades } = restoreReview(studio.tree.root, stored));
      found = stored.summary;
      empty.hidden = true;
      state.textContent = found ? text.review.complete : text.review.stopped;
      chart.show(line, studio.grades);
      replace(errors, errorList(studio, line));
      showSummary();
    }
    studio.emit('graded', null);
  };

  const showJudgement = () => {
    const node = studio.tree.current;
    const move = studio.grades.get(node);
    replace(
      judgement,
      move && [
        h('p', { 'data-grade': move.grade }, `${move.move}: `,
          text.review.tooltip(move.grade, lost(move), move.best)),
        move.best !== move.move &&
          h('span', { class: 'row' },
            h('button', { type: 'button', onclick: () => why(node) }, text.review.why),
            h('button', { type: 'button', onclick: () => showBetter(studio, node, move) }, text.review.better(move.best))),
      ],
    );
  };

  const toggle = () => {
    if (!running) {
      start();
      return;
    }
    running.abort();
    running = null;
    state.textContent = text.review.stopped;
    showButton();
  };

  studio.on('info', (info) =>
    replace(
      options,
      select(text.analysis.model, chosenModel(info, 'model'), modelOptions(info),
        (model) => remember({ model })),
      select(text.review.seconds, settings.reviewSeconds,
        TIMES.map((time) => [time, text.seconds(time)]),
        (reviewSeconds) => remember({ reviewSeconds })),
      select(text.review.counts, settings.reviewCounts, Object.entries(text.review.countsOptions),
        (reviewCounts) => remember({ reviewCounts }), 'wide'),
    ),
  );
  studio.on('search', (searcher) => {
    if (searcher === 'review' || !running) return;
    running.abort();
    running = null;
    state.textContent = text.review.stopped;
    showButton();
  });
  studio.tree.on('moved', showJudgement);
  studio.on('graded', showJudgement);
  studio.tree.on('changed', () => {
    // What was said of moves that are gone no longer holds.
    if (line.length && !isThere(studio, line)) {
      forget();
      studio.desk.review = undefined;
      studio.emit('graded', null);
    }
  });
  studio.desk.on('opened', restore);
  addEventListener('pagehide', () => running?.abort());
  showButton();
  return {
    root,
    start,
    /** To the next or the previous mistake. @param {1 | -1} step */
    mistake(step) {
      const bad = line.filter((node) => isError(studio.grades.get(node)?.grade));
      const ply = studio.tree.current.ply;
      const next = step > 0 ? bad.find((node) => node.ply > ply) : bad.findLast((node) => node.ply < ply);
      if (next) studio.tree.goTo(next);
      else toast(bad.length ? text.review.noMore : text.review.noErrors);
    },
  };
}

/**
 * Is a line still part of the game?
 * @param {Studio} studio
 * @param {GameNode[]} line
 */
const isThere = (studio, line) =>
  line[0]?.parent === studio.tree.root && line.every((node) => node.parent?.children.includes(node));

/**
 * Puts the better line beside a move and goes there.
 * @param {Studio} studio
 * @param {GameNode} node
 * @param {ReviewedMove} move
 */
function showBetter(studio, node, move) {
  if (!node.parent) return;
  studio.tree.goTo(node.parent);
  const line = parseTranscript(move.pv) ?? [];
  const best = squareNumber(move.best);
  const [first] = studio.tree.extend(line[0] === best ? line : [best]);
  if (first) studio.tree.goTo(first);
  showBoard();
}
