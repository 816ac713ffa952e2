// What the features are called. The server says it; until it has, a short
// name is its own title.

import { text } from './text.js';

/** @typedef {{ name: string, title: string, explanation: string }} Feature */

/** @type {Map<string, Feature>} */
const known = new Map();

/** @param {Feature[]} features */
export function nameFeatures(features) {
  for (const feature of features) known.set(feature.name, feature);
}

/** What a feature looks at. @param {Feature} feature */
export const explanationOf = ({ name, explanation }) => text.featureNotes[name] ?? explanation;

/** @param {string} name */
export const titleOf = (name) => text.features[name] ?? known.get(name)?.title ?? name;
