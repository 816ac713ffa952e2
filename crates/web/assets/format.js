// Numbers as people read them.

import { text } from './text.js';

/** Half of a 95 % interval in standard errors. */
export const Z = 1.96;

/** @param {number} probability */
export const percent = (probability) => `${wholePercent(probability)} %`;

/**
 * Never 0 or 100 unless it is exactly that: an estimate is no proof.
 * @param {number} probability
 */
export function wholePercent(probability) {
  if (probability === 0 || probability === 1) return String(100 * probability);
  return String(Math.min(99, Math.max(1, Math.round(100 * probability))));
}

/**
 * With a real minus sign, and a plus where the sign matters.
 * @param {number} value
 * @param {number} [digits]
 */
export function signed(value, digits = 0) {
  const rounded = Number(value.toFixed(digits));
  const sign = rounded > 0 ? '+' : rounded < 0 ? '−' : '';
  return sign + Math.abs(rounded).toFixed(digits);
}

/**
 * @param {number | null | undefined} value
 * @param {number} digits
 */
export function fixed(value, digits) {
  if (value === null || value === undefined || !Number.isFinite(value)) return '–';
  return value.toFixed(digits).replace('-', '−');
}

const compact = new Intl.NumberFormat('en', { notation: 'compact', maximumFractionDigits: 1 });
const grouped = new Intl.NumberFormat('en');

/** 1234567 as `1.2M`. @param {number} value */
export const short = (value) => compact.format(value);

/** 1234567 as `1,234,567`. @param {number} value */
export const whole = (value) => grouped.format(Math.round(value));

/** @param {number} seconds */
export function duration(seconds) {
  if (seconds < 1) return text.seconds(String(Number(seconds.toPrecision(2))));
  if (seconds < 10) return text.seconds(seconds.toFixed(1));
  if (seconds < 120) return text.seconds(String(Math.round(seconds)));
  if (seconds < 7200) return `${Math.round(seconds / 60)} min`;
  return `${(seconds / 3600).toFixed(1)} h`;
}

/** Seconds on a clock: `4:05`, tenths at the end. @param {number} seconds */
export function clockTime(seconds) {
  const left = Math.max(0, seconds);
  if (left < 10) return left.toFixed(1);
  const rounded = Math.ceil(left);
  return `${Math.floor(rounded / 60)}:${String(rounded % 60).padStart(2, '0')}`;
}

/**
 * A p-value without a row of meaningless digits.
 * @param {number | null} p
 */
export const pValue = (p) => (p === null ? '–' : p < 0.001 ? '< 0.001' : p.toFixed(3));

/**
 * @param {number | null} value
 * @param {number | null} error
 * @param {number} digits
 */
export const plusMinus = (value, error, digits) =>
  value === null ? '–' : `${fixed(value, digits)} ± ${fixed(error, digits)}`;

/** Won–drawn–lost. @param {import('./api.js').Tally} results */
export const tally = ({ wins, draws, losses }) => [wins, draws, losses].map(whole).join('–');

/** Wins and half the draws of the decided games. @param {import('./api.js').Tally} results */
export function points({ wins, draws, losses }) {
  const decided = wins + draws + losses;
  return decided ? `${Math.round((100 * (wins + draws / 2)) / decided)} %` : '–';
}
