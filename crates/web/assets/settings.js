// What the user chose, kept for the next visit.

const KEY = 'discern.settings';

const DEFAULTS = {
  model: '',
  threads: 'auto',
  lines: '64',
  seconds: '60',
  reviewSeconds: '0.5',
  reviewCounts: 'both',
  opponent: '',
  level: '',
  rival: '',
  limit: 'depth',
  depth: '6',
  moveSeconds: '2',
  minutes: '0',
  increment: '2',
  color: 'black',
  boardTheme: 'green',
  sounds: 'off',
};

/** @type {typeof DEFAULTS} */
export const settings = { ...DEFAULTS, ...stored() };

/** @param {Partial<typeof DEFAULTS>} changes */
export function remember(changes) {
  Object.assign(settings, changes);
  localStorage.setItem(KEY, JSON.stringify(settings));
}

function stored() {
  try {
    return JSON.parse(localStorage.getItem(KEY) ?? '{}');
  } catch {
    return {};
  }
}

/**
 * The model to use: the one chosen if the server still has it.
 * @param {import('./api.js').Info | null} info
 * @param {'model' | 'opponent'} which
 */
export function chosenModel(info, which) {
  const models = info?.models ?? [];
  return (models.find(({ name }) => name === settings[which]) ?? models[0])?.name ?? '';
}

/**
 * Names and labels of all models.
 * @param {import('./api.js').Info | null} info
 * @returns {[string, string][]}
 */
export const modelOptions = (info) => (info?.models ?? []).map(({ name, label }) => [name, label]);
