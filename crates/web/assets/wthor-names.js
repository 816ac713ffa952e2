// The names that go with WTHOR games: `.jou` has the players, `.trn` the
// tournaments. The server reads the games themselves and writes `#number`.

/** @typedef {import('./api.js').ImportedGame} ImportedGame */

const HEADER = 16;
const SIZES = /** @type {const} */ ({ jou: 20, trn: 26 });

/**
 * @typedef {{ jou: string[], trn: string[] }} WthorNames
 */

/** The end of a file's name that says what it is. @param {File} file */
export const kindOf = (file) => file.name.toLowerCase().split('.').at(-1) ?? '';

/**
 * @param {File[]} files
 * @returns {Promise<WthorNames>}
 */
export async function readNames(files) {
  /** @type {WthorNames} */
  const names = { jou: [], trn: [] };
  for (const file of files) {
    const kind = kindOf(file);
    if (kind !== 'jou' && kind !== 'trn') continue;
    const bytes = new Uint8Array(await file.arrayBuffer());
    const latin = new TextDecoder('latin1');
    for (let at = HEADER; at + SIZES[kind] <= bytes.length; at += SIZES[kind]) {
      names[kind].push(latin.decode(bytes.subarray(at, at + SIZES[kind])).split('\0')[0].trim());
    }
  }
  return names;
}

/**
 * @param {ImportedGame} game
 * @param {WthorNames} names
 * @returns {ImportedGame}
 */
export const named = (game, { jou, trn }) => ({
  ...game,
  black: lookUp(game.black, jou),
  white: lookUp(game.white, jou),
  event: game.event && lookUp(game.event, trn),
});

/** @param {string} name @param {string[]} names */
const lookUp = (name, names) => (/^#\d+$/.test(name) ? names[Number(name.slice(1))] ?? name : name);
