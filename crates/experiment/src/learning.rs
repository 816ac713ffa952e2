//! Steps 1 and 2: games to classified positions, tables and models, and how
//! good these are on games they have not seen.

use std::ops::RangeInclusive;

use discern_board::{Color, Position};
use discern_eval::{AnyEvaluator, FIRST_PHASE, LAST_PHASE, Phases};
use discern_learn::{
    ClassifiedPosition, GameTree, LabelledPosition, Split, TreeCounts, deal, discordance_gap,
    prediction, quality,
};
use discern_stats::{Bins, Prediction, calibration};
use serde::{Deserialize, Serialize};

use crate::diagonal::diagonal;
use crate::error::{Doing, ExperimentError};
use crate::event::{Event, Facts, Step};
use crate::folder::Folder;
use crate::models::{Models, title};
use crate::paper::PLAYERS;
use crate::{
    Densities, HeldOut, JudgedModel, PhaseFit, QualityGap, SingleDiscs, Source, WinningCurve,
    figures, hash,
};

type Result<T> = std::result::Result<T, ExperimentError>;

/// What steps 1 and 2 have found, apart from the weights.
#[derive(Serialize, Deserialize)]
pub struct Learned {
    pub database: TreeCounts,
    pub densities: Densities,
    pub winning_curve: WinningCurve,
    pub fits: Vec<PhaseFit>,
    pub quality: HeldOut,
    /// Positions to measure the speed of the search on.
    pub probes: Vec<String>,
    /// BLAKE3 of the weight file.
    pub weights: String,
}

const LEARNED: &str = "learned.json";
pub const WEIGHTS: &str = "fitted.weights";

/// Share of the groups of games kept apart for the test.
pub(crate) const TEST_SHARE: f64 = 0.2;
/// Disc counts in a range of the held-out comparison.
const RANGE: usize = 4;
const CONFIDENCE: f64 = 0.95;
const CALIBRATION_BINS: usize = 20;

/// Positions to measure the speed on, and their disc counts: midgame, before
/// any ending is solved.
const PROBES: usize = 48;
const PROBE_DISCS: RangeInclusive<u32> = 16..=38;

/// Games after which their number is reported again.
const REPORTED_GAMES: usize = 1000;

/// Learns from the games, or takes what was learned before.
pub fn learn(
    games: &Source,
    seed: u64,
    folder: &mut Folder,
    watch: &mut dyn FnMut(Event),
) -> Result<(Learned, Models)> {
    if let Some(done) = load(folder)? {
        watch(Event::Kept(Step::Positions));
        watch(Event::Kept(Step::Models));
        return Ok(done);
    }
    watch(Event::Begun(Step::Positions));
    let (labelled, database) = classify(games, watch)?;
    let positions: Vec<ClassifiedPosition> = labelled.iter().map(|l| l.position).collect();
    drop(labelled);
    let (games, all) = (database.games, database.all.positions);
    watch(Event::Done(Facts::Positions { games, positions: all }));

    watch(Event::Begun(Step::Models));
    let command = format!("discern reproduce --seed {seed}");
    watch(Event::Doing("tables and models of all games"));
    let (models, fits) = Models::fit(&positions, &command, "while fitting the games")?;
    let probes = probes(positions.iter(), seed);
    let split = Split::by_group(&positions, TEST_SHARE, seed);
    drop(positions);
    watch(Event::Doing("tables and models of four fifths of the games"));
    let (trained, _) = Models::fit(&split.training, &command, "while fitting four fifths")?;
    watch(Event::Doing("the models on the other fifth"));
    let quality = held_out(&trained, &split)?;
    watch(Event::Doing("Figures 1 and 2"));
    let basis = trained.basis();
    let points = figures::points(basis, &split.test);
    let bytes = models.to_bytes();
    let learned = Learned {
        database,
        densities: figures::densities(basis.features(), &points)?,
        winning_curve: figures::winning_curve(basis.features(), &points)?,
        fits,
        quality,
        probes,
        weights: hash(&bytes),
    };
    // The weights first: what is learned counts once both are there.
    let path = folder.work(WEIGHTS);
    discern_files::write(&path, &bytes, true).to_file(&path)?;
    folder.save(LEARNED, &learned)?;
    folder.save_time()?;
    watch(Event::Done(Facts::Models(learned.quality.test_positions)));
    Ok((learned, models))
}

/// What was learned before, if its weights are there and whole.
fn load(folder: &Folder) -> Result<Option<(Learned, Models)>> {
    let Some(learned) = folder.load::<Learned>(LEARNED)? else { return Ok(None) };
    match folder.kept(WEIGHTS, &learned.weights) {
        Some(bytes) => Ok(Some((learned, Models::from_bytes(&bytes)?))),
        None => Ok(None),
    }
}

/// The positions of the games with their labels.
pub(crate) fn classify(
    games: &Source,
    watch: &mut dyn FnMut(Event),
) -> Result<(Vec<LabelledPosition>, TreeCounts)> {
    let mut tree = GameTree::default();
    for (number, record) in games.games()?.enumerate() {
        if number % REPORTED_GAMES == 0 {
            watch(Event::Doing(&format!("{number} games read")));
        }
        // Contradicting proofs prove nothing; the counts say how many there are.
        tree.add(&record?);
    }
    watch(Event::Doing("results up the tree of all games"));
    Ok(tree.classify())
}

/// Some positions of different games, spread over the midgame.
pub(crate) fn probes<'a>(
    positions: impl Iterator<Item = &'a ClassifiedPosition>,
    seed: u64,
) -> Vec<String> {
    let mut groups: Vec<(f64, &ClassifiedPosition)> = Vec::new();
    let midgame = |p: &&ClassifiedPosition| PROBE_DISCS.contains(&p.board.discs());
    for (number, position) in (0..).zip(positions.filter(midgame)) {
        if !position.board.must_pass() && !position.board.is_over() {
            groups.push((deal(number, seed), position));
        }
    }
    groups.sort_by(|a, b| a.0.total_cmp(&b.0));
    let text = |board| Position { board, mover: Color::Black }.to_string();
    groups.iter().take(PROBES).map(|(_, position)| text(position.board)).collect()
}

/// All models on games they have not seen.
fn held_out(models: &Models, split: &Split) -> Result<HeldOut> {
    let ranges: Vec<RangeInclusive<usize>> = (FIRST_PHASE..=LAST_PHASE)
        .step_by(RANGE)
        .map(|first| first..=(first + RANGE - 1).min(LAST_PHASE))
        .collect();
    let (test, ranges) = (&split.test[..], &ranges[..]);
    let judges: Vec<(String, AnyEvaluator)> = PLAYERS
        .iter()
        .map(|model| Ok((title(model), models.evaluator(model)?)))
        .collect::<Result<_>>()?;
    let judged: Vec<(JudgedModel, SingleDiscs)> = std::thread::scope(|scope| {
        let threads: Vec<_> = judges
            .iter()
            .zip(PLAYERS)
            .map(|((name, judge), model)| {
                let levels = models.levels(model);
                scope.spawn(move || judged(name, judge, levels, test, ranges))
            })
            .collect();
        threads.into_iter().map(|thread| thread.join().expect("judging does not panic")).collect()
    });
    let (judged, singles) = judged.into_iter().unzip();
    let mut gaps = Vec::new();
    for (place, (first, judge)) in judges.iter().enumerate() {
        for (second, other) in &judges[place + 1..] {
            let discordance = discordance_gap(judge, other, test, ranges).ok_or_else(|| {
                let why = "no held-out position is won, or none lost";
                ExperimentError::TooFewGames(why.to_owned())
            })?;
            gaps.push(QualityGap { models: [first.clone(), second.clone()], discordance });
        }
    }
    Ok(HeldOut {
        training_positions: split.training.len(),
        test_positions: test.len(),
        duplicates: split.duplicates,
        evidence: "the features of a position leave out what its own game added to the tables"
            .to_owned(),
        models: judged,
        gaps,
        singles,
    })
}

fn judged(
    name: &str,
    judge: &AnyEvaluator,
    levels: Option<&Phases<f64>>,
    test: &[ClassifiedPosition],
    ranges: &[RangeInclusive<usize>],
) -> (JudgedModel, SingleDiscs) {
    let predictions: Vec<_> = test
        .iter()
        .filter(|position| !position.board.is_over())
        .map(|position| prediction(judge, position))
        .collect();
    let level = |p: &Prediction| levels.map_or(0.0, |levels| *levels.at(p.phase.max(0) as usize));
    let pooled = predictions.iter().map(|p| Prediction { log_odds: p.log_odds - level(p), ..*p });
    let singles = SingleDiscs {
        model: name.to_owned(),
        pooled: diagonal(pooled),
        own: diagonal(predictions.iter().cloned()),
    };
    let judged = JudgedModel {
        quality: quality(name, judge, test, ranges),
        calibration: calibration(&predictions, Bins::EqualWidth(CALIBRATION_BINS), CONFIDENCE),
    };
    (judged, singles)
}
