// Taking a game along: a link, other programs' formats, a picture.

import { makeDialog } from './dialog.js';
import { h, replace } from './dom.js';
import { download } from './download.js';
import { asGgf, asObf, asSgf, asTranscript } from './formats.js';
import { gamePage } from './game-page.js';
import { shareLink } from './link.js';
import { toast } from './notice.js';
import { asPng, positionSvg } from './picture.js';
import { text } from './text.js';

/** @typedef {import('./studio.js').Studio} Studio */

/** @param {Studio} studio */
export function shareDialog(studio) {
  const { tree, desk } = studio;
  const link = h('input', { type: 'text', readonly: true, class: 'link', 'aria-label': text.share.link, onfocus: () => link.select() });
  const formats = h('div', { class: 'row' });
  const dialog = makeDialog(
    text.share.title,
    h('p', { class: 'hint' }, text.share.pageHow),
    h('div', { class: 'row' }, button(text.share.page, () => savePage(), 'primary'), canSend() && button(text.share.send, () => send())),
    h('h3', {}, text.share.link),
    h('p', { class: 'hint' }, text.share.how),
    h('div', { class: 'row nowrap' }, link, button(text.share.copyLink, () => copyLink())),
    h('h3', {}, text.share.formats),
    formats,
    h('h3', {}, text.share.picture),
    h('div', { class: 'row' },
      button(text.share.svg, () => download('position.svg', 'image/svg+xml', drawing())),
      button(text.share.png, async () => download('position.png', 'image/png', await asPng(drawing())))),
  );

  const drawing = () => {
    const { position, move } = tree.current;
    const { black, white } = desk.about;
    const caption = black || white ? text.importer.players(black || text.sides.black, white || text.sides.white) : '';
    return positionSvg(position.cells, { last: move, labels: studio.labels, caption });
  };

  const fileName = () => `othello-${desk.about.date ?? new Date().toISOString().slice(0, 10)}.html`;

  const savePage = () => {
    download(fileName(), 'text/html', gamePage(studio));
    toast(text.share.saved(fileName()));
  };

  /** Hands the page to a messenger or a mail program, where the system can. */
  const send = () => {
    const file = new File([gamePage(studio)], fileName(), { type: 'text/html' });
    // Whoever changes his mind is no error.
    navigator.share({ files: [file], title: text.share.title }).catch(() => {});
  };

  const copyLink = async () => copy(await shareLink(tree, desk.about), text.share.copied);

  return {
    copyLink,
    async open() {
      const line = tree.line();
      /** @type {[string, string][]} */
      const ways = [
        [text.share.transcript, asTranscript(line)],
        ['GGF', asGgf(tree.root, line, desk.about)],
        ['SGF', asSgf(tree.root, desk.about)],
        [text.share.obf, asObf(tree.current)],
      ];
      replace(formats, ways.map(([name, content]) => button(name, () => copy(content, text.share.copiedAs(name)))));
      link.value = await shareLink(tree, desk.about);
      dialog.showModal();
    },
  };
}

/** Can this browser hand a file to other programs? */
const canSend = () =>
  Boolean(navigator.canShare?.({ files: [new File([''], 'game.html', { type: 'text/html' })] }));

/**
 * @param {string} label
 * @param {() => void} onclick
 * @param {string} [kind]
 */
const button = (label, onclick, kind) => h('button', { type: 'button', class: kind, onclick }, label);

/**
 * @param {string} content
 * @param {string} done
 */
async function copy(content, done) {
  try {
    await navigator.clipboard.writeText(content);
    toast(done);
  } catch {
    toast(text.share.refused);
  }
}
