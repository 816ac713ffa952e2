// Line icons, drawn here so that nothing has to be fetched.

import { svg } from './dom.js';

const PATHS = {
  first: 'M6 5v14M19 6l-8 6 8 6z',
  back: 'M16 6l-8 6 8 6z',
  forward: 'M8 6l8 6-8 6z',
  last: 'M18 5v14M5 6l8 6-8 6z',
  fresh: 'M12 5v14M5 12h14',
  setup: 'M4 20h4L19 9l-4-4L4 16zM13 7l4 4',
  open: 'M12 15V4M8 8l4-4 4 4M4 15v5h16v-5',
  link: 'M10 14a4 4 0 0 0 6 0l3-3a4 4 0 0 0-6-6l-1 1M14 10a4 4 0 0 0-6 0l-3 3a4 4 0 0 0 6 6l1-1',
  help: 'M9 9a3 3 0 1 1 4.5 2.6c-1 .6-1.5 1.2-1.5 2.4M12 17.6v.2',
  close: 'M6 6l12 12M18 6L6 18',
  undo: 'M9 14L4 9l5-5M4 9h10a6 6 0 0 1 0 12h-3',
  redo: 'M15 14l5-5-5-5M20 9H10a6 6 0 0 0 0 12h3',
  play: 'M12 21a9 9 0 1 0 0-18a9 9 0 0 0 0 18zM10 8.5l5.5 3.5-5.5 3.5z',
  book: 'M12 6c-2-1.5-5-2-8-2v14c3 0 6 .5 8 2c2-1.5 5-2 8-2V4c-3 0-6 .5-8 2zM12 6v14',
  gear: 'M12 15.2a3.2 3.2 0 1 0 0-6.4a3.2 3.2 0 0 0 0 6.4zM12 3v3M12 18v3M3 12h3M18 12h3M5.6 5.6l2.1 2.1M16.3 16.3l2.1 2.1M5.6 18.4l2.1-2.1M16.3 7.7l2.1-2.1',
  games: 'M4 6h16M4 12h16M4 18h10',
  theme: 'M12 4a8 8 0 1 0 8 8a6 6 0 0 1-8-8z',
};

/** @param {keyof typeof PATHS} name */
export const icon = (name) =>
  svg('svg', { class: 'icon', viewBox: '0 0 24 24', 'aria-hidden': 'true' }, svg('path', { d: PATHS[name] }));
