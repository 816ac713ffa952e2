//! Steps 1 and 2: games to classified positions, tables and models, and how
//! good these are on games they have not seen.

use std::ops::RangeInclusive;

use anyhow::{Context, Result};
use discern_board::{Color, Position};
use discern_eval::{Evaluator, FIRST_PHASE, Feature, LAST_PHASE, LinearModel, Weights};
use discern_learn::{
    ClassifiedPosition, FitSettings, Fitted, GameTree, Split, TreeCounts, deal, discordance_gap,
    fit, prediction, quality,
};
use discern_report::reproduction::{
    CalibrationBin, Covariances, Database, Densities, Estimate, Measured, ModelQuality, PhaseCount,
    PhaseFit, PhaseQuality, Quality, QualityGap, WinningCurve,
};
use discern_search::Model;
use discern_stats::{Bins, calibration, compare_covariances};
use serde::{Deserialize, Serialize};

use super::figures;
use super::folder::{Folder, write_whole};
use super::source::{Source, file_fact};
use super::steps::Steps;

/// What steps 1 and 2 have found, apart from the weights.
#[derive(Serialize, Deserialize)]
pub struct Learned {
    pub database: Database,
    pub densities: Densities,
    pub winning_curve: WinningCurve,
    pub fits: Vec<PhaseFit>,
    pub quality: Quality,
    /// Positions to measure the speed of the search on.
    pub probes: Vec<String>,
    /// BLAKE3 of the weight file.
    pub weights: String,
}

const LEARNED: &str = "learned.json";
pub const WEIGHTS: &str = "fitted.weights";

/// Share of the groups of games kept apart for the test.
const TEST_SHARE: f64 = 0.2;
/// Disc counts in a range of the held-out comparison.
const RANGE: usize = 4;
const CONFIDENCE: f64 = 0.95;
const CALIBRATION_BINS: usize = 20;

/// Positions to measure the speed on, and their disc counts: midgame, before
/// any ending is solved.
const PROBES: usize = 48;
const PROBE_DISCS: RangeInclusive<u32> = 16..=38;

/// Games after which their number is told again.
const TOLD_GAMES: usize = 1000;

/// Learns from the games, or takes what was learned before.
pub fn learn(
    games: &Source,
    seed: u64,
    folder: &mut Folder,
    steps: &mut Steps,
) -> Result<(Learned, Weights)> {
    if let Some(done) = load(folder)? {
        steps.was_done("games to classified positions");
        steps.was_done("tables, models, held-out test");
        return Ok(done);
    }
    steps.begin("games to classified positions");
    let (positions, counts) = classify(games, steps)?;
    let database = database(&counts);
    steps.done(&format!("{} games, {} positions", database.games, database.positions));

    steps.begin("tables, models, held-out test");
    let settings = FitSettings::default();
    let command = format!("discern reproduce --seed {seed}");
    steps.doing("tables and models of all games");
    let fitted = fit(&positions, &settings, &command).context("while fitting the games")?;
    let probes = probes(&positions, seed);
    let fits = phase_fits(&fitted);
    let weights = fitted.weights;
    let split = Split::by_group(&positions, TEST_SHARE, seed);
    drop(positions);
    steps.doing("tables and models of four fifths of the games");
    let trained = fit(&split.training, &settings, &command).context("while fitting four fifths")?;
    steps.doing("the models on the other fifth");
    let quality = held_out(&trained.weights, &split)?;
    steps.doing("Figures 1 and 2");
    let points = figures::points(&trained.weights.tables, &split.test);
    let learned = Learned {
        database,
        densities: figures::densities(&points)?,
        winning_curve: figures::winning_curve(&points)?,
        fits,
        quality,
        probes,
        weights: file_fact("", &weights.to_bytes()).blake3,
    };
    // The weights first: what is learned counts once both are there.
    write_whole(&folder.work(WEIGHTS), &weights.to_bytes())?;
    folder.save(LEARNED, &learned)?;
    folder.save_time()?;
    steps.done(&format!("{} test positions", learned.quality.test_positions));
    Ok((learned, weights))
}

/// What was learned before, if its weights are there and whole.
fn load(folder: &Folder) -> Result<Option<(Learned, Weights)>> {
    let Some(learned) = folder.load::<Learned>(LEARNED)? else { return Ok(None) };
    let Ok(bytes) = std::fs::read(folder.work(WEIGHTS)) else { return Ok(None) };
    if file_fact("", &bytes).blake3 != learned.weights {
        return Ok(None);
    }
    let weights = Weights::from_bytes(&bytes).context("the weights of a former part")?;
    Ok(Some((learned, weights)))
}

fn classify(games: &Source, steps: &mut Steps) -> Result<(Vec<ClassifiedPosition>, TreeCounts)> {
    let mut tree = GameTree::default();
    for (number, record) in games.games()?.enumerate() {
        if number % TOLD_GAMES == 0 {
            steps.doing(format!("{number} games read"));
        }
        // Contradicting proofs prove nothing; the counts tell how many there are.
        tree.add(&record?);
    }
    steps.doing("results up the tree of all games");
    let (labelled, counts) = tree.classify();
    drop(tree);
    Ok((labelled.into_iter().map(|labelled| labelled.position).collect(), counts))
}

fn database(counts: &TreeCounts) -> Database {
    let all = &counts.all;
    let phase = |phase: &discern_learn::PhaseCounts| PhaseCount {
        discs: phase.discs.unwrap_or(0) as usize,
        won: phase.wins as usize,
        drawn: phase.draws as usize,
        lost: phase.losses as usize,
    };
    Database {
        games: counts.games as usize,
        tree_nodes: counts.nodes as usize,
        transpositions: counts.transpositions as usize,
        positions: all.positions as usize,
        draws: all.draws as usize,
        changed_by_solving: all.changed_by_solving as usize,
        changed_by_correction: all.changed_by_correction as usize,
        changed_by_propagation: all.changed_by_propagation as usize,
        phases: counts.phases.iter().map(phase).collect(),
    }
}

/// Some positions of different games, spread over the midgame.
fn probes(positions: &[ClassifiedPosition], seed: u64) -> Vec<String> {
    let mut groups: Vec<(f64, &ClassifiedPosition)> = Vec::new();
    let midgame = |p: &&ClassifiedPosition| PROBE_DISCS.contains(&p.board.discs());
    for (number, position) in (0..).zip(positions.iter().filter(midgame)) {
        if !position.board.must_pass() && !position.board.is_over() {
            groups.push((deal(number, seed), position));
        }
    }
    groups.sort_by(|a, b| a.0.total_cmp(&b.0));
    let text = |board| Position { board, mover: Color::Black }.to_string();
    groups.iter().take(PROBES).map(|(_, position)| text(position.board)).collect()
}

fn phase_fits(fitted: &Fitted) -> Vec<PhaseFit> {
    let phase = |phase: &discern_learn::PhaseFit| {
        let moments = &phase.moments;
        PhaseFit {
            discs: phase.discs,
            positions: moments.rows,
            // A draw is half a win in the moments.
            won: (moments.won.weight - moments.undecided / 2.0) / moments.rows,
            drawn: moments.undecided / moments.rows,
            log: estimates(phase, fitted.weights.log.at(phase.discs)),
            fisher: estimates(phase, fitted.weights.fisher.at(phase.discs)),
            stop: phase.log.stop.word().to_owned(),
            iterations: (phase.log.steps + phase.log.sample_steps) as usize,
            covariances: compare_covariances(moments).ok().map(|compared| Covariances {
                relative_difference: compared.relative_difference,
                box_m: compared.box_test.m,
                p_value: compared.box_test.p_value,
                verdict: compared.verdict.sentence().to_owned(),
            }),
        }
    };
    fitted.phases.iter().map(phase).collect()
}

fn estimates(phase: &discern_learn::PhaseFit, model: &LinearModel) -> Vec<Estimate> {
    let errors = model.errors.as_ref();
    let intercept = Estimate {
        feature: "(intercept)".to_owned(),
        value: model.intercept,
        standard_error: errors.map(|errors| errors.intercept),
    };
    let weight = |feature: Feature| Estimate {
        feature: feature.name().to_owned(),
        value: model.weights[feature.index()],
        standard_error: errors.map(|errors| errors.weights[feature.index()]),
    };
    std::iter::once(intercept).chain(phase.features.features().map(weight)).collect()
}

/// The three models on games they have not seen.
fn held_out(weights: &Weights, split: &Split) -> Result<Quality> {
    let ranges: Vec<RangeInclusive<usize>> = (FIRST_PHASE..=LAST_PHASE)
        .step_by(RANGE)
        .map(|first| first..=(first + RANGE - 1).min(LAST_PHASE))
        .collect();
    let (log, fisher, quad) = (weights.log(), weights.fisher(), weights.quad());
    let (test, ranges) = (&split.test[..], &ranges[..]);
    let models = std::thread::scope(|scope| {
        let log = scope.spawn(|| judge(Model::Log, &log, test, ranges));
        let fisher = scope.spawn(|| judge(Model::Fisher, &fisher, test, ranges));
        let quad = judge(Model::Quad, &quad, test, ranges);
        let join = "judging does not panic";
        vec![log.join().expect(join), fisher.join().expect(join), quad]
    });
    let gaps = [
        ([Model::Log, Model::Fisher], discordance_gap(&log, &fisher, test, ranges)),
        ([Model::Log, Model::Quad], discordance_gap(&log, &quad, test, ranges)),
        ([Model::Fisher, Model::Quad], discordance_gap(&fisher, &quad, test, ranges)),
    ];
    let gap = |(models, gap): ([Model; 2], Option<discern_stats::Measured>)| {
        Some(QualityGap {
            models: models.map(|model| model.title().to_owned()),
            discordance: measured(&gap?),
        })
    };
    let gaps: Option<Vec<QualityGap>> = gaps.map(gap).into_iter().collect();
    Ok(Quality {
        training_positions: split.training.len(),
        test_positions: test.len(),
        duplicates: split.duplicates,
        evidence: "the features of a position leave out what its own game added to the tables"
            .to_owned(),
        models,
        gaps: gaps.context("the games are too few: no held-out position is won, or none lost")?,
    })
}

fn judge<E: Evaluator>(
    model: Model,
    evaluator: &E,
    test: &[ClassifiedPosition],
    ranges: &[RangeInclusive<usize>],
) -> ModelQuality {
    let predictions: Vec<_> = test
        .iter()
        .filter(|position| !position.board.is_over())
        .map(|position| prediction(evaluator, position))
        .collect();
    let overall = calibration(&predictions, Bins::EqualWidth(CALIBRATION_BINS), CONFIDENCE);
    let judged = quality(model.title(), evaluator, test, ranges);
    ModelQuality {
        model: model.title().to_owned(),
        calibration: bins(&overall),
        phases: judged.phases.iter().filter_map(phase_quality).collect(),
    }
}

fn phase_quality(phase: &discern_learn::PhaseQuality) -> Option<PhaseQuality> {
    let metrics = &phase.metrics;
    let discordance = metrics.discordance.as_ref()?;
    Some(PhaseQuality {
        discs: [*phase.discs.start(), *phase.discs.end()],
        positions: metrics.rows as usize,
        discordance: Measured {
            value: discordance.value,
            standard_error: discordance.standard_error,
        },
        log_loss: measured(&metrics.log_loss),
        brier: measured(&metrics.brier),
        accuracy: measured(&metrics.accuracy),
        calibration: bins(&phase.calibration),
        agreement_mean: phase.agreement.mean,
        agreement_rms: phase.agreement.root_mean_square,
    })
}

fn measured(value: &discern_stats::Measured) -> Measured {
    Measured { value: value.value, standard_error: value.standard_error }
}

fn bins(bins: &[discern_stats::CalibrationBin]) -> Vec<CalibrationBin> {
    let bin = |bin: &discern_stats::CalibrationBin| CalibrationBin {
        predicted: bin.predicted,
        observed: bin.observed,
        interval: [bin.interval.0, bin.interval.1],
        positions: bin.weight,
    };
    bins.iter().map(bin).collect()
}
