// A picture of a position: SVG as text, or PNG.

import { squareNumber } from './rules.js';

/** @typedef {import('./studio.js').Studio} Studio */

const [CELL, EDGE] = [64, 34];
const SIZE = 8 * CELL + 2 * EDGE;

/** @param {string} text */
const escape = (text) =>
  text.replace(/[<>&"]/g, (c) => /** @type {Record<string, string>} */ ({ '<': '&lt;', '>': '&gt;', '&': '&amp;', '"': '&quot;' })[c]);

/**
 * @param {string} cells
 * @param {{ last?: number, labels?: ReadonlyMap<number, import('./studio.js').Label>, caption?: string, legal?: number[] }} [notes]
 */
export function positionSvg(cells, { last = -1, labels = new Map(), caption = '', legal = [] } = {}) {
  const height = SIZE + (caption ? 34 : 0);
  /** @param {number} square @returns {[number, number]} */
  const center = (square) => [EDGE + CELL * (square % 8) + CELL / 2, EDGE + CELL * Math.floor(square / 8) + CELL / 2];
  const parts = [`<rect width="${SIZE}" height="${height}" fill="#1a221e"/>`,
    `<rect x="${EDGE}" y="${EDGE}" width="${8 * CELL}" height="${8 * CELL}" fill="#21694a"/>`];
  for (let i = 0; i <= 8; i++) {
    const at = EDGE + CELL * i;
    parts.push(`<path d="M${EDGE} ${at}H${EDGE + 8 * CELL}M${at} ${EDGE}V${EDGE + 8 * CELL}" stroke="#124330" stroke-width="2"/>`);
  }
  for (let i = 0; i < 8; i++) {
    const at = EDGE + CELL * i + CELL / 2;
    parts.push(`<text x="${at}" y="${EDGE - 11}">${'abcdefgh'[i]}</text><text x="${EDGE / 2}" y="${at + 5}">${i + 1}</text>`);
  }
  for (const name of ['c3', 'g3', 'c7', 'g7']) {
    const [x, y] = center(squareNumber(name));
    parts.push(`<circle cx="${x - CELL / 2}" cy="${y - CELL / 2}" r="4" fill="#124330"/>`);
  }
  for (let square = 0; square < 64; square++) {
    const [x, y] = center(square);
    const color = { X: '#15191a', O: '#f6f3ea' }[cells[square]];
    if (color) parts.push(`<circle cx="${x}" cy="${y}" r="${0.41 * CELL}" fill="${color}" stroke="#0006"/>`);
    if (square === last) parts.push(`<circle cx="${x}" cy="${y}" r="5" fill="#e2564a"/>`);
    if (legal.includes(square)) parts.push(`<circle cx="${x}" cy="${y}" r="6" fill="#0d3324"/>`);
    const label = color ? undefined : labels.get(square);
    if (label) {
      const best = label.rank === 'best';
      parts.push(
        `<circle cx="${x}" cy="${y}" r="${0.38 * CELL}" fill="none" stroke="${best ? '#ffd469' : '#ffffff40'}" stroke-width="${best ? 3 : 1.5}"/>`,
        `<text x="${x}" y="${y + 7}" font-size="20" font-weight="600" fill="${best ? '#ffdf8f' : '#fff'}">${escape(label.text)}</text>`);
    }
  }
  if (caption) parts.push(`<text x="${SIZE / 2}" y="${SIZE + 12}" font-size="18">${escape(caption)}</text>`);
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${SIZE} ${height}" width="${SIZE}" height="${height}" ` +
    `font-family="system-ui, sans-serif" font-size="15" text-anchor="middle" fill="#c8d2cb">${parts.join('')}</svg>`;
}

/**
 * The same as pixels.
 * @param {string} drawing
 * @returns {Promise<Blob>}
 */
export async function asPng(drawing) {
  const image = new Image();
  image.src = `data:image/svg+xml,${encodeURIComponent(drawing)}`;
  await image.decode();
  const canvas = document.createElement('canvas');
  [canvas.width, canvas.height] = [image.width * 2, image.height * 2];
  canvas.getContext('2d')?.drawImage(image, 0, 0, canvas.width, canvas.height);
  return new Promise((done, fail) => {
    canvas.toBlob((blob) => (blob ? done(blob) : fail(new Error('no picture'))), 'image/png');
  });
}
