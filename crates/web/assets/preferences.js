// Language, board and sounds.

import { makeDialog } from './dialog.js';
import { h, replace } from './dom.js';
import { choice, select } from './fields.js';
import { clack } from './sound.js';
import { remember, settings } from './settings.js';
import { chooseLanguage, languages, text } from './text.js';

const BOARDS = /** @type {const} */ (['green', 'blue', 'wood', 'grey']);

export function preferences() {
  const body = h('div', { class: 'panel-body flush' });
  const dialog = makeDialog(text.preferences.title, body);
  const showBoard = () => {
    document.documentElement.dataset.board = settings.boardTheme;
  };
  showBoard();
  return {
    open() {
      replace(
        body,
        select(text.preferences.language, text.locale, languages.map(({ locale, language }) => [locale, language]), chooseLanguage),
        choice('board-theme', text.preferences.board, settings.boardTheme,
          BOARDS.map((name) => [name, text.preferences.boards[name]]), (boardTheme) => {
            remember({ boardTheme });
            showBoard();
          }),
        choice('sounds', text.preferences.sounds, settings.sounds, [['off', text.preferences.off], ['on', text.preferences.on]], (sounds) => {
          remember({ sounds });
          clack();
        }),
      );
      dialog.showModal();
    },
  };
}
