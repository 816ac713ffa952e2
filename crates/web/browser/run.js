// Runs the tests in two lanes, each with a browser and a server of its own:
//   npm test              all of them
//   npm test -- review    those whose name has the word, or one of several
// DISCERN names another binary than the debug build, CHROMIUM another browser.

import { run } from './harness.js';

await import('./tests/rules.js');
await import('./tests/board.js');
await import('./tests/desk.js');
await import('./tests/opening.js');
await import('./tests/analysis.js');
await import('./tests/review.js');
await import('./tests/explain.js');
await import('./tests/play.js');
await import('./tests/newcomer.js');
await import('./tests/train.js');
await import('./tests/library.js');
await import('./tests/offline.js');
await import('./tests/comfort.js');
await import('./tests/experiments.js');
await import('./tests/keyboard.js');
await import('./tests/look.js');

// Something may be left that would keep the process alive.
try {
  process.exit((await run(process.argv.slice(2))) ? 0 : 1);
} catch (error) {
  console.error(error);
  process.exit(1);
}
