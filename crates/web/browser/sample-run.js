// A made-up reproduction in the layout of numbers.json, to see that the page
// shows one: the numbers mean nothing.

const FEATURES = ['MOB', 'PMOB', 'R1', 'R2', 'R3', 'R4', 'D8', 'D7', 'D6', 'D5', 'C2x4', 'C2x5', 'E2X'];
const MODELS = ['LOG', 'FISHER', 'QUAD'];

/** @param {number} value */
const measured = (value) => ({ value, standard_error: 0.004 });

const bins = Array.from({ length: 10 }, (_, i) => ({
  predicted: 0.05 + 0.1 * i,
  observed: 0.06 + 0.098 * i,
  interval: [0.03 + 0.098 * i, 0.09 + 0.098 * i],
  positions: 500,
}));

/** @param {number} wins @param {number} draws @param {number} losses */
const tally = (wins, draws, losses) => ({
  wins, draws, losses, percentage: (100 * (wins + draws / 2)) / (wins + draws + losses),
});

/** @param {[string, string]} players @param {[number, number]} minutes */
const row = (players, minutes) => ({
  players,
  minutes,
  seconds: [10, 10],
  paper: tally(116, 15, 69),
  ours: tally(104, 20, 76),
  interval: [51.2, 62.8],
  p_conservative: 0.09,
  p_paired: 0.021,
  pentanomial: [10, 20, 36, 22, 12],
  balanced_pairs: 36,
  elo: 49,
  elo_error: 21,
  margin: 3.4,
  nodes_per_game: [1.2e6, 9.8e5],
  depth: [9.1, 8.7],
  time_losses: [0, 0],
});

const phases = Array.from({ length: 7 }, (_, i) => [10 + 8 * i, 17 + 8 * i]);

export const sampleRun = {
  format: 1,
  run: {
    command: 'discern reproduce', program: 'discern 0.1.0', preset: 'quick',
    seconds_for_thirty_minutes: 10, openings: 100, started: '2026-01-31T10:00:00Z',
    finished: '2026-01-31T12:00:00Z', seconds: 7200, machine: 'test machine, 2 cores',
    concurrency: 2, seed: 1, files: [],
  },
  database: {
    games: 60000, tree_nodes: 2400000, transpositions: 31000, positions: 2300000, draws: 115000,
    changed_by_solving: 5300, changed_by_correction: 210, changed_by_propagation: 43000, phases: [],
  },
  densities: {
    feature: 'MOB',
    discs: [36, 36],
    bins: Array.from({ length: 21 }, (_, i) => ({
      x: i - 10,
      won: Math.exp(-((i - 12) ** 2) / 18) / 7.5,
      lost: Math.exp(-((i - 8) ** 2) / 18) / 7.5,
      probability: i / 20,
    })),
  },
  winning_curve: {
    feature: 'MOB',
    discs: [36, 36],
    bins: Array.from({ length: 11 }, (_, i) => {
      const observed = 1 / (1 + Math.exp(5 - i));
      return { x: i - 5, observed, interval: [observed - 0.03, observed + 0.03], positions: 100 };
    }),
    curve: Array.from({ length: 41 }, (_, i) => [i / 4 - 5, 1 / (1 + Math.exp(5 - i / 4))]),
  },
  fits: Array.from({ length: 15 }, (_, phase) => ({
    discs: 8 + 4 * phase,
    positions: 40000,
    won: 0.48,
    drawn: 0.05,
    log: ['(intercept)', ...FEATURES].map((feature, i) => ({
      feature, value: Math.sin(i + phase / 5), standard_error: 0.08,
    })),
    fisher: ['(intercept)', ...FEATURES].map((feature, i) => ({
      feature, value: 0.9 * Math.sin(i + phase / 5), standard_error: null,
    })),
    stop: 'converged',
    iterations: 7,
    covariances: { relative_difference: 0.06, box_m: 812.5, p_value: 0.0001, verdict: 'They hardly differ.' },
  })),
  quality: {
    training_positions: 1800000,
    test_positions: 210000,
    duplicates: 41000,
    evidence: 'separate games',
    gaps: [
      { models: ['LOG', 'FISHER'], discordance: measured(0.006) },
      { models: ['LOG', 'QUAD'], discordance: measured(0.012) },
      { models: ['FISHER', 'QUAD'], discordance: measured(0.006) },
    ],
    models: MODELS.map((model, m) => ({
      model,
      calibration: bins,
      phases: phases.map((discs, i) => ({
        discs,
        positions: 30000,
        discordance: measured(0.36 - 0.045 * i + 0.006 * m),
        log_loss: measured(0.6 - 0.05 * i),
        brier: measured(0.21 - 0.02 * i),
        accuracy: measured(0.65 + 0.04 * i),
        calibration: bins,
        agreement_mean: 0.004,
        agreement_rms: 0.06,
      })),
    })),
  },
  speed: MODELS.map((model, m) => ({
    model, nodes_per_second: 1.4e6 - 2e5 * m, relative: 1 - 0.14 * m,
    relative_interval: [0.98 - 0.14 * m, 1.02 - 0.14 * m],
  })),
  table: [
    row(['LOG', 'QUAD'], [30, 30]),
    row(['FISHER', 'QUAD'], [30, 30]),
    row(['LOG', 'FISHER'], [30, 30]),
    row(['LOG', 'FISHER'], [30, 36]),
  ],
  balanced_openings: 6,
  equal_strength: [
    {
      stronger: 'LOG', weaker: 'FISHER', paper: 1.2, factor: 1.17, interval: [1.02, null],
      points: [
        { factor: 1, percentage: 55, interval: [49, 61] },
        { factor: 1.2, percentage: 49.5, interval: [44, 55] },
      ],
      curve: [[1, 55], [1.1, 52], [1.2, 49.5]],
    },
  ],
  findings: [
    { claim: 'LOG beats QUAD', paper: '61.8 %', ours: '57.0 ± 2.9 %', verdict: 'agrees' },
    { claim: 'QUAD searches fewer nodes', paper: '20 % fewer', ours: '28 % fewer', verdict: 'differs' },
    { claim: 'FISHER needs 20 % more time', paper: '1.20', ours: '1.17, at least 1.02', verdict: 'open' },
  ],
};
