//! A made-up reproduction with the shapes of a real one, the same every time.

use discern_arena::stats::{
    EqualStrength, Estimate, Interval, Margin, Pentanomial, Summary, Tally,
};
use discern_experiment::paper::Conclusion;
use discern_experiment::*;
use discern_learn::{Agreement, ModelQuality, PhaseCounts, PhaseQuality, TreeCounts};
use discern_stats::{
    BoxTest, CalibrationBin, CovarianceComparison, Discordance, Measured, Metrics, StopReason,
};

const FEATURES: [&str; 13] =
    ["MOB", "PMOB", "R1", "R2", "R3", "R4", "D8", "D7", "D6", "D5", "C2x4", "C2x5", "E2X"];

/// Numbers that look random: a linear congruential generator after Knuth.
struct Noise(u64);

impl Noise {
    /// Between −1 and 1.
    fn next(&mut self) -> f64 {
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (self.0 >> 11) as f64 / (1u64 << 52) as f64 - 1.0
    }
}

fn logistic(x: f64) -> f64 {
    1.0 / (1.0 + (-x).exp())
}

/// A whole run as `discern reproduce` might end.
pub fn reproduction() -> Reproduction {
    let mut noise = Noise(1995);
    Reproduction {
        format: FORMAT,
        run: run(),
        database: database(&mut noise),
        densities: densities(&mut noise),
        winning_curve: winning_curve(&mut noise),
        fits: (8..=60).map(|discs| fit(&mut noise, discs)).collect(),
        quality: quality(&mut noise),
        speed: [("LOG", 1.0), ("FISHER", 0.998), ("QUAD", 0.712)]
            .map(|(model, relative)| Speed {
                model: model.into(),
                nodes_per_second: 3_412_907.0 * relative,
                relative,
                relative_interval: [relative - 0.013, relative + 0.011],
            })
            .to_vec(),
        table: table(),
        balanced_openings: 5,
        equal_strength: equal_strength(),
        findings: findings(),
    }
}

fn run() -> Run {
    Run {
        command: "discern reproduce --preset quick --output report".into(),
        program: "discern 0.1.0 (697c798)".into(),
        preset: Preset::Quick,
        thirty_minutes: Allowance::Seconds(6.0),
        openings: 100,
        started: "2026-11-16T01:02:03Z".into(),
        finished: "2026-11-16T01:11:44Z".into(),
        seconds: 581.3,
        machine: "AMD EPYC 7B13, 2 cores".into(),
        load: Some(2.1),
        concurrency: 2,
        seed: 1995,
        files: [("shipped games", 3_812_004), ("even openings", 4_102), ("weights", 1_934_880)]
            .iter()
            .map(|&(role, bytes)| FileFact {
                role: role.into(),
                bytes,
                blake3: format!("{bytes:016x}").repeat(4),
            })
            .collect(),
    }
}

fn database(noise: &mut Noise) -> TreeCounts {
    let phases: Vec<PhaseCounts> = (4..=64)
        .map(|discs| {
            let total =
                52_000.0 * logistic((discs as f64 - 13.0) / 1.6) * (1.0 - 0.003 * discs as f64);
            let won = total * (0.48 + 0.05 * noise.next());
            let drawn = total * (0.05 + 0.01 * noise.next());
            let (wins, draws) = (won.ceil() as u64, drawn as u64);
            let losses = (total - won - drawn).max(0.0) as u64;
            let positions = wins + draws + losses;
            let counts = PhaseCounts::default();
            PhaseCounts { discs: Some(discs), positions, wins, draws, losses, ..counts }
        })
        .collect();
    let total = |part: fn(&PhaseCounts) -> u64| phases.iter().map(part).sum::<u64>();
    let positions = total(|phase| phase.positions);
    TreeCounts {
        games: 60_412,
        nodes: positions + 61_733,
        transpositions: 182_511,
        all: PhaseCounts {
            positions,
            draws: total(|phase| phase.draws),
            changed_by_solving: 211_404,
            changed_by_correction: 18_230,
            changed_by_propagation: 304_118,
            ..PhaseCounts::default()
        },
        phases,
        ..TreeCounts::default()
    }
}

fn densities(noise: &mut Noise) -> Densities {
    let normal = |x: f64, mean: f64, deviation: f64| {
        (-0.5 * ((x - mean) / deviation).powi(2)).exp() / (deviation * 2.506_628)
    };
    let bins = (0..48).map(|index| {
        let x = -11.75 + 0.5 * index as f64;
        let mut wobble = || 1.0 + 0.05 * noise.next();
        let won = normal(x, 1.8, 3.1) * wobble();
        let lost = normal(x, -1.7, 3.0) * wobble();
        let empty = !(2..46).contains(&index);
        DensityBin {
            x,
            won: if empty { 0.0 } else { won },
            lost: if empty { 0.0 } else { lost },
            probability: (!empty).then(|| won / (won + lost)),
        }
    });
    Densities { feature: "MOB".into(), discs: [30, 34], bins: bins.collect() }
}

fn winning_curve(noise: &mut Noise) -> WinningCurve {
    let bins = (0..19).map(|index| {
        let x = -9.0 + index as f64;
        let positions = (40_000.0 * (-0.5 * (x / 3.4).powi(2)).exp()).round();
        let half = 1.0 / positions.sqrt();
        let observed = (logistic(0.42 * x) + half * noise.next()).clamp(0.0, 1.0);
        ShareBin {
            x,
            observed,
            interval: [(observed - half).max(0.0), (observed + half).min(1.0)],
            positions,
        }
    });
    let curve = (0..=90).map(|index| {
        let x = -9.0 + 0.2 * index as f64;
        [x, logistic(0.42 * x)]
    });
    WinningCurve {
        feature: "MOB".into(),
        discs: [30, 34],
        bins: bins.collect(),
        curve: curve.collect(),
    }
}

fn fit(noise: &mut Noise, discs: usize) -> PhaseFit {
    let late = (discs as f64 - 8.0) / 52.0;
    let mut weights = |scale: f64| -> Vec<Weight> {
        let constant = Weight {
            feature: "(intercept)".into(),
            value: 0.08 * noise.next(),
            standard_error: Some(0.02),
        };
        let rest = FEATURES.iter().enumerate().map(|(index, feature)| {
            let small = if index < 2 { 0.08 } else { 1.0 };
            let shape =
                (1.0 + 2.0 * late - 2.2 * late * late * (1.0 + 0.1 * index as f64)).max(0.1);
            let error = small * (0.04 + 0.35 * (-8.0 * late).exp());
            Weight {
                feature: (*feature).into(),
                value: scale * small * shape + 0.8 * error * noise.next(),
                standard_error: Some(error),
            }
        });
        [constant].into_iter().chain(rest).collect()
    };
    let (log, fisher) = (weights(1.0), weights(1.15));
    let difference = 0.05 + 0.09 * late * late + 0.006 * noise.next();
    let verdict = if difference < 0.1 {
        discern_stats::Verdict::AlmostEqual
    } else {
        discern_stats::Verdict::LittleToGain
    };
    let iteration = Iteration { stop: StopReason::Converged, steps: 6 };
    PhaseFit {
        discs,
        positions: 120_000.0 + 900.0 * discs as f64,
        won: 0.478,
        drawn: 0.049,
        models: vec![
            FittedModel { model: "LOG".into(), weights: log, iteration: Some(iteration) },
            FittedModel { model: "FISHER".into(), weights: fisher, iteration: None },
        ],
        covariances: (discs > 9).then_some(CovarianceComparison {
            relative_difference: difference,
            covariance_share: 0.5 * difference,
            box_test: BoxTest {
                m: 1800.0 + 8000.0 * late,
                chi_squared: 1790.0 + 7900.0 * late,
                degrees_of_freedom: 91.0,
                p_value: 0.0,
            },
            verdict,
        }),
        correlations: (discs == 36).then(|| ClassCorrelations {
            features: vec!["MOB".into(), "R1".into()],
            won: vec![vec![1.0, 0.4], vec![0.4, 1.0]],
            lost: vec![vec![1.0, -0.3], vec![-0.3, 1.0]],
            quadratic: vec![vec![0.12, -0.05], vec![-0.05, 0.03]],
        }),
    }
}

fn quality(noise: &mut Noise) -> HeldOut {
    let ranges = [[14, 17], [18, 25], [26, 30], [31, 38], [39, 45], [46, 53], [54, 60]];
    let models = [("LOG", 0.0, 1.0), ("FISHER", 0.004, 0.93), ("QUAD", 0.008, 0.85)].map(
        |(model, worse, slope)| {
            let mut bins = |positions: f64| -> Vec<CalibrationBin> {
                (0..10)
                    .map(|bin| {
                        let predicted = 0.05 + 0.1 * bin as f64;
                        let odds: f64 = (predicted / (1.0 - predicted)).ln();
                        let half = 1.0 / positions.sqrt();
                        let observed =
                            (logistic(slope * odds) + 0.7 * half * noise.next()).clamp(0.0, 1.0);
                        CalibrationBin {
                            range: (predicted - 0.05, predicted + 0.05),
                            weight: positions,
                            predicted,
                            observed,
                            interval: ((observed - half).max(0.0), (observed + half).min(1.0)),
                        }
                    })
                    .collect()
            };
            let calibration = bins(42_000.0);
            let phases = ranges.map(|discs| {
                let late = (discs[0] as f64 - 14.0) / 46.0;
                let discordance = 0.26 - 0.19 * late + worse;
                let measured = |value: f64| Measured { value, standard_error: 0.0021 };
                PhaseQuality {
                    discs: discs[0]..=discs[1],
                    metrics: Metrics {
                        rows: 41_230.0 - 100.0 * discs[0] as f64,
                        discordance: Some(Discordance {
                            value: discordance,
                            standard_error: 0.0021,
                            pairs: 4e8,
                        }),
                        log_loss: measured(0.56 - 0.3 * late + worse),
                        brier: measured(0.19 - 0.11 * late + 0.5 * worse),
                        accuracy: measured(0.72 + 0.17 * late - worse),
                    },
                    calibration: bins(if discs[0] == 14 { 120.0 } else { 2_300.0 }),
                    agreement: Agreement {
                        positions: 40_000,
                        mean: 0.012 * (3.0 * late).sin() - worse,
                        root_mean_square: 0.09 - 0.05 * late + worse,
                    },
                }
            });
            let quality = ModelQuality { name: model.into(), phases: phases.to_vec() };
            JudgedModel { quality, calibration }
        },
    );
    HeldOut {
        training_positions: 2_011_340,
        test_positions: 288_415,
        duplicates: 91_022,
        evidence: "table values leave out the position they are asked about".into(),
        models: models.to_vec(),
        gaps: [("LOG", "FISHER", 0.0042), ("LOG", "QUAD", 0.0081), ("FISHER", "QUAD", 0.0039)]
            .map(|(better, other, value)| QualityGap {
                models: [better.into(), other.into()],
                discordance: Measured { value, standard_error: 0.0004 },
            })
            .to_vec(),
        singles: [("LOG", 0.02), ("FISHER", 0.025), ("QUAD", 0.03)]
            .map(|(model, jump)| SingleDiscs {
                model: model.into(),
                pooled: diagonal(noise, 47, jump),
                own: diagonal(noise, 3, 0.0),
            })
            .to_vec(),
    }
}

/// Differences that jump by so much between even and odd disc counts.
fn diagonal(noise: &mut Noise, off: usize, jump: f64) -> Diagonal {
    let counts = (11..=63).map(|discs| DiscCount {
        discs,
        positions: 12_000.0 + discs as f64,
        difference: if discs % 2 == 0 { jump } else { -jump } + 0.004 * noise.next(),
    });
    Diagonal {
        off,
        bins: 1024,
        worst: 0.03 + jump,
        worst_discs: 60,
        mean: 0.002 + jump,
        counts: counts.collect(),
    }
}

fn table() -> Vec<MatchRow> {
    let rows = [
        ("LOG", "QUAD", 30.0, [116, 15, 69], [109, 22, 69], 60.0),
        ("FISHER", "QUAD", 30.0, [112, 15, 73], [103, 25, 72], 57.75),
        ("LOG", "FISHER", 30.0, [93, 35, 72], [97, 24, 79], 54.5),
        ("LOG", "FISHER", 36.0, [86, 24, 90], [90, 21, 89], 50.25),
        ("LOG", "QUAD", 38.0, [93, 33, 74], [104, 23, 73], 57.75),
        ("FISHER", "QUAD", 38.0, [84, 30, 86], [91, 26, 83], 52.0),
        ("LOG", "QUAD", 45.0, [88, 26, 86], [96, 19, 85], 52.75),
    ];
    let tally = |[wins, draws, losses]: [u64; 3]| Tally { wins, draws, losses };
    rows.map(|(first, second, minutes, paper, ours, percentage): (_, _, f64, _, _, f64)| MatchRow {
        players: [first, second].map(String::from),
        minutes: [30.0, minutes],
        allowed: [6.0, minutes / 5.0].map(Allowance::Seconds),
        paper: tally(paper),
        ours: Summary {
            tally: tally(ours),
            pentanomial: Pentanomial([9, 12, 38, 19, 22]),
            elo: Estimate {
                value: 7.0 * (percentage - 50.0),
                error: 34.1,
                low: 7.0 * percentage - 384.1,
                high: 7.0 * percentage - 315.9,
            },
            conservative: (-(percentage - 50.0) / 3.1).exp().min(1.0),
            label_swap: (-(percentage - 50.0) / 2.2).exp().min(1.0),
            score_interval: Interval {
                low: (percentage - 5.1) / 100.0,
                high: (percentage + 4.9) / 100.0,
            },
            margin: Some(Margin {
                mean: 0.31 * (percentage - 50.0),
                test: None,
                interval: Interval { low: -64.0, high: 64.0 },
            }),
            ..Summary::new(&[], 1)
        },
        nodes_per_game: [17_204_113.0, 12_310_002.0 * minutes / 30.0],
        depth: [10.62, 10.07],
        time_losses: [0, u64::from(minutes == 38.0)],
    })
    .to_vec()
}

fn equal_strength() -> Vec<TimeFactor> {
    let factor = |stronger: &str, weaker: &str, paper, found: Option<(f64, [Option<f64>; 2])>| {
        let found = found.map(|(factor, interval)| EqualStrength {
            factor,
            interval,
            intercept: 0.99 * factor.ln(),
            slope: -0.99,
        });
        TimeFactor { stronger: stronger.into(), weaker: weaker.into(), paper, found }
    };
    vec![
        factor("LOG", "FISHER", 1.2, Some((1.21, [Some(1.02), Some(1.58)]))),
        factor("LOG", "QUAD", 1.5, Some((1.63, [Some(1.31), None]))),
        factor("FISHER", "QUAD", 1.25, None),
    ]
}

fn findings() -> Vec<Finding> {
    let strength = |first: &str, second: &str, [paper, ours]: [f64; 2]| Claim::Strength {
        players: [first.into(), second.into()],
        minutes: [30.0, 30.0],
        conclusion: Conclusion::Stronger,
        paper,
        ours,
        interval: [ours - 5.1, ours + 4.9],
    };
    let speed = Speed {
        model: "QUAD".into(),
        nodes_per_second: 2.4e6,
        relative: 0.71,
        relative_interval: [0.70, 0.72],
    };
    let discs = [14, 50];
    [
        (strength("LOG", "QUAD", [61.8, 60.0]), Verdict::Agrees),
        (strength("FISHER", "QUAD", [59.8, 57.75]), Verdict::Agrees),
        (strength("LOG", "FISHER", [55.3, 54.5]), Verdict::Open),
        (Claim::Slowdown { paper: 0.8, ours: speed }, Verdict::Differs),
        (Claim::EqualCovariances { discs, median: 0.08, least: 0.05, most: 0.14 }, Verdict::Agrees),
    ]
    .map(|(claim, verdict)| Finding { claim, verdict })
    .to_vec()
}
