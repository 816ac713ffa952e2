// Runs every test in one browser against one server:
//   npm test              all of them
//   npm test -- review    those whose name has the word
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
await import('./tests/train.js');
await import('./tests/library.js');
await import('./tests/offline.js');
await import('./tests/comfort.js');
await import('./tests/experiments.js');
await import('./tests/keyboard.js');
await import('./tests/look.js');

await run(process.argv[2] ?? '');
