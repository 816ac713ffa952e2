// What to choose before a game: opponent, colour, strength.

import { h, replace } from './dom.js';
import { choice, select } from './fields.js';
import { chosenModel, modelOptions, remember, settings } from './settings.js';
import { text } from './text.js';

/** Plies of the levels; the solver takes over where the board is nearly full. */
const LEVELS = ['1', '2', '4', '6', '8', '10', '12'];

/** @param {import('./api.js').Info} info */
export function gameForm(info) {
  const { play: words } = text;
  const strength = h('div', { class: 'fields strength' });
  const showStrength = () =>
    replace(
      strength,
      settings.limit === 'level' &&
        select(words.level, settings.level,
          LEVELS.map((depth) => [depth, words.plies(Number(depth))]), (level) => remember({ level })),
      settings.limit === 'time' &&
        select(words.moveTime, settings.moveSeconds,
          ['0.5', '1', '2', '5', '10'].map((time) => [time, `${time} s`]),
          (moveSeconds) => remember({ moveSeconds })),
      settings.limit === 'clock' && [
        select(words.minutes, settings.minutes,
          ['1', '2', '5', '10', '30'].map((time) => [time, words.minute(time)]),
          (minutes) => remember({ minutes })),
        select(words.increment, settings.increment,
          ['0', '2', '5', '10'].map((time) => [time, `${time} s`]),
          (increment) => remember({ increment })),
      ],
    );
  showStrength();
  return [
    h('div', { class: 'fields' },
      select(words.opponent, chosenModel(info, 'opponent'), modelOptions(info),
        (opponent) => remember({ opponent }))),
    choice('color', words.color, settings.color, [
      ['black', text.sides.black], ['white', text.sides.white], ['random', words.random],
    ], (color) => remember({ color })),
    choice('limit', words.strength, settings.limit, [
      ['level', words.byLevel], ['time', words.byTime], ['clock', words.byClock],
    ], (limit) => {
      remember({ limit });
      showStrength();
    }),
    strength,
  ];
}

/** What a model without a clock may use for a move. */
export const moveLimit = () =>
  settings.limit === 'time' ? { seconds: Number(settings.moveSeconds) } : { depth: Number(settings.level) };
