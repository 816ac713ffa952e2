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
  theme: 'M12 4a8 8 0 1 0 8 8a6 6 0 0 1-8-8z',
};

/** @param {keyof typeof PATHS} name */
export const icon = (name) =>
  svg('svg', { class: 'icon', viewBox: '0 0 24 24', 'aria-hidden': 'true' }, svg('path', { d: PATHS[name] }));
