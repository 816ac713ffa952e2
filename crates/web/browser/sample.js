// The weights, runs and games that the tests work with.

import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { ROOT, discern } from './programs.js';
import { randomGame, randomNumbers, rules, transcript } from './rules.js';

/**
 * Weights fitted to random games, a tournament and a reproduction.
 * @param {string} folder
 */
export function prepare(folder) {
  const random = randomNumbers(7);
  const games = Array.from({ length: 300 }, () => transcript(randomGame(random)));
  writeFileSync(join(folder, 'random.txt'), `${games.join('\n')}\n`);
  discern(folder, 'classify', 'random.txt', '-o', 'random.positions');
  discern(folder, 'fit', '--positions', 'random.positions', '--output', 'random.weights');
  const runs = join(folder, 'runs');
  mkdirSync(join(runs, 'sample'), { recursive: true });
  // The shipped reproduction with another result in the first row.
  const numbers = JSON.parse(readFileSync(join(ROOT, 'docs/reproduction/numbers.json'), 'utf8'));
  numbers.table[0].ours.tally = { wins: 104, draws: 20, losses: 76 };
  writeFileSync(join(runs, 'sample', 'numbers.json'), JSON.stringify(numbers));
  discern(folder, 'tournament', '--pairs', '2', '--depth', '1',
    '--player', 'name=one,model=rev', '--player', 'name=two,model=rev-edges', '-o', 'runs/small.games');
  library(folder, random);
}

const PLAYERS = ['Anna Ek', 'Bert', 'Clara', 'Dora'];

/**
 * A folder of 140 games, 20 to a year, by players in turn; Dora's are short, so that
 * reviewing them takes no time.
 * @param {string} folder
 * @param {() => number} random
 */
function library(folder, random) {
  const games = join(folder, 'library');
  mkdirSync(games);
  const start = '8 ---------------------------O*------*O--------------------------- *';
  const lines = Array.from({ length: 140 }, (_, number) => {
    const black = PLAYERS[number % 4];
    const white = PLAYERS[(number + 1 + Math.floor(number / 4) % 3) % 4];
    const short = [black, white].includes('Dora');
    const moves = withoutPass(random).slice(0, short ? 6 : 60);
    const played = moves.map((square, ply) => `${ply % 2 ? 'W' : 'B'}[${rules.squareName(square)}]`).join('');
    const year = 1990 + Math.floor(number / 20);
    return `(;GM[Othello]PC[${year % 2 ? 'Lund Open' : 'Malmö Cup'}]DT[${year}]PB[${black}]PW[${white}]RE[?]TI[5:00]TY[8]BO[${start}]${played};)`;
  });
  writeFileSync(join(games, 'games.ggf'), `${lines.join('\n')}\n`);
}

/** A random game in which nobody passes. @param {() => number} random */
function withoutPass(random) {
  for (;;) {
    const game = randomGame(random);
    let position = rules.START;
    const turns = game.every((move) => {
      const next = rules.play(position, move);
      if (next) position = next;
      return next;
    });
    if (turns) return game;
  }
}
