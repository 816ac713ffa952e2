// What to choose before a game: opponent, colour, clock.

import { h, replace } from './dom.js';
import { choice, select } from './fields.js';
import { CUSTOM, chosenLevel, levelTitle } from './match.js';
import { chosenModel, modelOptions, remember, settings } from './settings.js';
import { text } from './text.js';

/** Plies of a model of one's own choice. */
const DEPTHS = ['1', '2', '4', '6', '8', '10', '12', '14', '16'];

/** @param {import('./api.js').Info} info */
export function gameForm(info) {
  const { play: words } = text;
  const own = h('div', { class: 'own' });
  const pair = h('div', { class: 'fields opponents' });
  const clock = h('div', { class: 'fields' });
  /** @type {[string, string][]} */
  const levels = [
    ...info.levels.map(({ name, elo }) => /** @type {[string, string]} */ ([name, words.levelWithElo(levelTitle(name), elo)])),
    [CUSTOM, words.custom],
  ];

  const showOpponents = () => {
    const watching = settings.color === 'watch';
    replace(
      pair,
      watching && select(words.black, chosenLevel(info, 'rival'), levels, (rival) => {
        remember({ rival });
        showOwn();
      }),
      select(watching ? words.white : words.opponent, chosenLevel(info, 'level'), levels, (level) => {
        remember({ level });
        showOwn();
      }),
    );
    showOwn();
  };
  const showOwn = () => {
    const wanted = chosenLevel(info, 'level') === CUSTOM
      || (settings.color === 'watch' && chosenLevel(info, 'rival') === CUSTOM);
    replace(
      own,
      wanted && [
        h('div', { class: 'fields' },
          select(words.model, chosenModel(info, 'opponent'), modelOptions(info), (opponent) => remember({ opponent })),
          select(words.thinks, settings.limit, [['depth', words.byDepth], ['time', words.byTime]], (limit) => {
            remember({ limit });
            showOwn();
          }),
          settings.limit === 'time'
            ? select(words.moveTime, settings.moveSeconds,
                ['0.5', '1', '2', '5', '10'].map((time) => [time, text.seconds(time)]), (moveSeconds) => remember({ moveSeconds }))
            : select(words.depth, settings.depth,
                DEPTHS.map((depth) => [depth, words.plies(Number(depth))]), (depth) => remember({ depth }))),
      ],
    );
  };
  const showClock = () =>
    replace(
      clock,
      select(words.clock, settings.minutes,
        ['0', '1', '2', '5', '10', '30'].map((time) => [time, time === '0' ? words.noClock : words.minute(time)]),
        (minutes) => {
          remember({ minutes });
          showClock();
          clock.querySelector('select')?.focus();
        }),
      settings.minutes !== '0' &&
        select(words.increment, settings.increment,
          ['0', '2', '5', '10'].map((time) => [time, text.seconds(time)]),
          (increment) => remember({ increment })),
    );
  showOpponents();
  showClock();
  return [
    pair,
    own,
    choice('color', words.color, settings.color, [
      ['black', text.sides.black], ['white', text.sides.white], ['random', words.random], ['watch', words.watch],
    ], (color) => {
      remember({ color });
      showOpponents();
    }),
    clock,
  ];
}
