import assert from 'node:assert/strict';

import { test } from '../harness.js';
import { rules } from '../rules.js';

test('rules: the tree of games has the known number of leaves', async () => {
  const leaves = [1, 2, 3, 4, 5, 6].map((depth) => rules.perft(rules.START, depth));
  assert.deepEqual(leaves, [4, 12, 56, 244, 1396, 8200]);
});

test('rules: a side without a move passes, and two such sides end the game', async () => {
  const stuck = rules.parsePosition(`XO${'-'.repeat(62)} O`);
  assert.ok(stuck);
  const { position, passed } = rules.settle(stuck);
  assert.equal(passed, true);
  assert.equal(position.mover, 'X');
  const won = rules.play(position, rules.squareNumber('c1'));
  assert.ok(won);
  assert.equal(rules.isOver(won), true);
  assert.equal(rules.finalScore(won), 64);
});
