// What each feature adds in each model: numbers for one position,
// or the difference between two moves. No elements here.

import { explanationOf, titleOf } from './features.js';

/** @typedef {import('./api.js').Explanation} Explanation */
/** @typedef {import('./api.js').Instance} Instance */

/**
 * @typedef {object} FeatureRow
 * @property {string} name
 * @property {string} title
 * @property {string} explanation
 * @property {number} x the feature's value
 * @property {number[]} parts log-odds in each model
 * @property {Instance[]} instances
 */

/**
 * Log-odds from the view of one side, taken apart.
 * @typedef {object} Account
 * @property {string[]} models their labels
 * @property {FeatureRow[]} rows
 * @property {number[]} intercepts
 * @property {number[]} values
 * @property {number[]} probabilities
 */

/**
 * From the view of the side to move, or (`turned`) of the other side.
 * @param {Explanation} explanation
 * @param {boolean} [turned]
 * @returns {Account}
 */
export function account({ models, features }, turned = false) {
  const sign = turned ? -1 : 1;
  return {
    models: models.map(({ label }) => label),
    rows: features.map((feature, index) => ({
      name: feature.name,
      title: titleOf(feature.name),
      explanation: explanationOf(feature),
      x: sign * feature.x,
      parts: models.map(({ contributions }) => sign * contributions[index].contribution),
      instances: feature.instances.map((instance) => ({
        ...instance,
        table_value: sign * instance.table_value,
      })),
    })),
    intercepts: models.map(({ intercept }) => sign * intercept),
    values: models.map(({ value }) => sign * value),
    probabilities: models.map(({ probability }) => (turned ? 1 - probability : probability)),
  };
}

/**
 * What the first account has more than the second, feature by feature and
 * place by place.
 * @param {Account} first
 * @param {Account} second
 * @returns {Account}
 */
export function difference(first, second) {
  /** @param {number[]} a @param {number[]} b */
  const less = (a, b) => a.map((value, index) => value - b[index]);
  return {
    models: first.models,
    rows: first.rows.map((row, index) => {
      const rival = second.rows[index];
      const values = new Map(rival.instances.map((instance) => [place(instance), instance.table_value]));
      const instances = row.instances.map((instance) => ({
        ...instance,
        table_value: instance.table_value - (values.get(place(instance)) ?? 0),
      }));
      const known = new Set(row.instances.map(place));
      for (const instance of rival.instances) {
        if (!known.has(place(instance))) {
          instances.push({ ...instance, table_value: -instance.table_value });
        }
      }
      return { ...row, x: row.x - rival.x, parts: less(row.parts, rival.parts), instances };
    }),
    intercepts: less(first.intercepts, second.intercepts),
    values: less(first.values, second.values),
    probabilities: less(first.probabilities, second.probabilities),
  };
}

/** @param {Instance} instance */
const place = (instance) => instance.squares.join(' ');

/**
 * The features that say most in a model, largest first.
 * @param {Account} account
 * @param {number} model
 * @param {1 | -1} sign for or against
 */
export function strongest({ rows }, model, sign) {
  return rows
    .filter(({ parts }) => sign * parts[model] > 0.02)
    .sort((a, b) => sign * (b.parts[model] - a.parts[model]))
    .slice(0, 3);
}
