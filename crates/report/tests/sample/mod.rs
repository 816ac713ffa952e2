//! A made-up reproduction with the shapes of a real one, the same every time.

use discern_report::reproduction::*;

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

fn round(value: f64, places: i32) -> f64 {
    (value * 10f64.powi(places)).round() / 10f64.powi(places)
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
        preset: "quick".into(),
        seconds_for_thirty_minutes: 6.0,
        openings: 100,
        started: "2026-11-16T01:02:03Z".into(),
        finished: "2026-11-16T01:11:44Z".into(),
        seconds: 581.3,
        machine: "AMD EPYC 7B13, 2 cores".into(),
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

fn database(noise: &mut Noise) -> Database {
    let phases: Vec<PhaseCount> = (4..=64)
        .map(|discs| {
            let total =
                52_000.0 * logistic((discs as f64 - 13.0) / 1.6) * (1.0 - 0.003 * discs as f64);
            let won = total * (0.48 + 0.05 * noise.next());
            let drawn = total * (0.05 + 0.01 * noise.next());
            PhaseCount {
                discs,
                won: won.ceil() as usize,
                drawn: drawn as usize,
                lost: (total - won - drawn).max(0.0) as usize,
            }
        })
        .collect();
    let total = |part: fn(&PhaseCount) -> usize| phases.iter().map(part).sum::<usize>();
    let positions = total(|phase| phase.won + phase.drawn + phase.lost);
    Database {
        games: 60_412,
        tree_nodes: positions + 61_733,
        transpositions: 182_511,
        positions,
        draws: total(|phase| phase.drawn),
        changed_by_solving: 211_404,
        changed_by_correction: 18_230,
        changed_by_propagation: 304_118,
        phases,
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
    let mut weights = |scale: f64| -> Vec<Estimate> {
        let constant = Estimate {
            feature: "(intercept)".into(),
            value: 0.08 * noise.next(),
            standard_error: Some(0.02),
        };
        let rest = FEATURES.iter().enumerate().map(|(index, feature)| {
            let small = if index < 2 { 0.08 } else { 1.0 };
            let shape =
                (1.0 + 2.0 * late - 2.2 * late * late * (1.0 + 0.1 * index as f64)).max(0.1);
            let error = small * (0.04 + 0.35 * (-8.0 * late).exp());
            Estimate {
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
        "the class covariances are almost equal: quadratic terms can be omitted"
    } else {
        "the class covariances differ a little: quadratic terms can gain little and cost speed"
    };
    PhaseFit {
        discs,
        positions: 120_000.0 + 900.0 * discs as f64,
        won: 0.478,
        drawn: 0.049,
        log,
        fisher,
        stop: "converged".into(),
        iterations: 6,
        covariances: (discs > 9).then(|| Covariances {
            relative_difference: difference,
            box_m: 1800.0 + 8000.0 * late,
            p_value: 0.0,
            verdict: verdict.into(),
        }),
    }
}

fn quality(noise: &mut Noise) -> Quality {
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
                            predicted,
                            observed,
                            interval: [(observed - half).max(0.0), (observed + half).min(1.0)],
                            positions,
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
                    discs,
                    positions: 41_230 - 100 * discs[0],
                    discordance: measured(discordance),
                    log_loss: measured(0.56 - 0.3 * late + worse),
                    brier: measured(0.19 - 0.11 * late + 0.5 * worse),
                    accuracy: measured(0.72 + 0.17 * late - worse),
                    calibration: bins(if discs[0] == 14 { 120.0 } else { 2_300.0 }),
                    agreement_mean: 0.012 * (3.0 * late).sin() - worse,
                    agreement_rms: 0.09 - 0.05 * late + worse,
                }
            });
            ModelQuality { model: model.into(), calibration, phases: phases.to_vec() }
        },
    );
    Quality {
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
    let tally = |[wins, draws, losses]: [usize; 3]| Tally {
        wins,
        draws,
        losses,
        percentage: round(100.0 * (wins as f64 + 0.5 * draws as f64) / 200.0, 2),
    };
    rows.map(|(first, second, minutes, paper, ours, percentage)| MatchRow {
        players: [first.into(), second.into()],
        minutes: [30.0, minutes],
        seconds: [6.0, minutes / 5.0],
        paper: tally(paper),
        ours: tally(ours),
        interval: [percentage - 5.1, percentage + 4.9],
        p_conservative: (-(percentage - 50.0) / 3.1).exp().min(1.0),
        p_paired: (-(percentage - 50.0) / 2.2).exp().min(1.0),
        pentanomial: [9, 12, 38, 19, 22],
        balanced_pairs: 38,
        elo: 7.0 * (percentage - 50.0),
        elo_error: 17.4,
        margin: 0.31 * (percentage - 50.0),
        nodes_per_game: [17_204_113.0, 12_310_002.0 * minutes / 30.0],
        depth: [10.62, 10.07],
        time_losses: [0, usize::from(minutes == 38.0)],
    })
    .to_vec()
}

fn equal_strength() -> Vec<EqualStrength> {
    let curve = |start: f64, slope: f64| -> Vec<[f64; 2]> {
        (0..=24)
            .map(|index| {
                let factor = 0.9 + index as f64 / 30.0;
                [factor, 100.0 * logistic(start - slope * factor.ln())]
            })
            .collect()
    };
    let point = |factor: f64, percentage: f64| FactorPoint {
        factor,
        percentage,
        interval: [percentage - 5.2, percentage + 5.0],
    };
    vec![
        EqualStrength {
            stronger: "LOG".into(),
            weaker: "FISHER".into(),
            paper: 1.2,
            factor: Some(1.21),
            interval: [Some(1.02), Some(1.58)],
            points: vec![point(1.0, 54.5), point(1.2, 50.25)],
            curve: curve(0.19, 0.99),
        },
        EqualStrength {
            stronger: "LOG".into(),
            weaker: "QUAD".into(),
            paper: 1.5,
            factor: Some(1.63),
            interval: [Some(1.31), None],
            points: vec![point(1.0, 60.0), point(38.0 / 30.0, 57.75), point(1.5, 52.75)],
            curve: curve(0.44, 0.9),
        },
        EqualStrength {
            stronger: "FISHER".into(),
            weaker: "QUAD".into(),
            paper: 1.25,
            factor: None,
            interval: [None, None],
            points: vec![point(1.0, 57.75), point(38.0 / 30.0, 52.0)],
            curve: Vec::new(),
        },
    ]
}

fn findings() -> Vec<Finding> {
    [
        ("LOG beats QUAD at equal time", "61.8 %", "60.0 % (54.9 to 64.9)", Verdict::Agrees),
        ("FISHER beats QUAD at equal time", "59.8 %", "57.8 % (52.7 to 62.7)", Verdict::Agrees),
        ("LOG beats FISHER at equal time", "55.3 %", "54.5 % (49.4 to 59.4)", Verdict::Open),
        ("QUAD’s search is 20 % slower", "0.80", "0.71", Verdict::Differs),
        ("The class covariances are almost equal", "by eye", "5 to 14 % apart", Verdict::Agrees),
    ]
    .map(|(claim, paper, ours, verdict)| Finding {
        claim: claim.into(),
        paper: paper.into(),
        ours: ours.into(),
        verdict,
    })
    .to_vec()
}
