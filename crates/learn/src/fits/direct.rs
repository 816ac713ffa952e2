//! Direct: logistic regression on all configurations at once, an extension of
//! the paper. One weight per class of configurations and stage, with a ridge
//! that keeps the weights of rare configurations near 0, by the sparse
//! regression of `discern-stats`.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use discern_board::Board;
use discern_eval::patterns::{AllIndices, Indices, Occurrence, Orbits, PATTERNS};
use discern_eval::{
    DirectModel, DirectPhase, DirectSet, FIRST_PHASE, Feature, Features, LAST_PHASE, Phases, Stages,
};
use discern_stats::sparse::{
    Intercepts, SparseDataset, SparseDatasetBuilder, SparseExample, SparseFit, SparseLogistic,
    SparsePhases, WeightPrior,
};
use discern_stats::{Threads, Trials};
use serde_json::json;

use super::{Fit, FittedModel, calibrate_odds};
use crate::split::deal;
use crate::{JudgedPosition, LearnError, Training};

pub(super) const FIT: Fit = Fit {
    name: "direct",
    title: "DIRECT",
    description: "logistic regression on all configurations",
    usual: false,
    fit,
};

fn fit(training: &Training) -> Result<FittedModel, LearnError> {
    let settings =
        DirectSettings { threads: training.settings().threads, ..DirectSettings::default() };
    let usable = training.positions().iter().filter(|p| !p.shared && !p.board.is_over());
    let examples: Vec<JudgedPosition> = usable.map(JudgedPosition::from).collect();
    fit_direct(&examples, training.features(), &settings)
}

/// How the direct model is fitted. The defaults are what held-out games
/// preferred.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct DirectSettings {
    /// The stages with a set of weights each.
    pub stages: Stages,
    /// Disc counts beyond a stage on either side whose positions it also sees,
    /// the less the further away.
    pub margin: usize,
    /// Does it also learn what configurations are worth to whoever is to move?
    pub tempo: bool,
    /// Penalty τ in Σ loss + τ/2 Σ weight².
    pub ridge: f64,
    /// The fit of a stage ends when no weight is further from its best value,
    /// given the others, than this many of its standard errors. The default is
    /// what stochastic steps alone mostly reach; the log loss of held-out
    /// positions is then within 10⁻⁴ of that of the optimum.
    pub tolerance: f64,
    /// Share of the groups kept apart to find intercept and scale of each
    /// phase.
    pub calibration_share: f64,
    /// Threads; the result does not depend on it.
    pub threads: Threads,
}

impl Default for DirectSettings {
    fn default() -> DirectSettings {
        DirectSettings {
            stages: Stages::default(),
            margin: 12,
            tempo: true,
            ridge: 1.0,
            tolerance: 5.0,
            calibration_share: 0.05,
            threads: Threads::default(),
        }
    }
}

impl DirectSettings {
    /// What the flagship looks at. Lines are parts of larger patterns; moves are
    /// counted, since patterns see only those of their own squares.
    pub const FEATURES: &str =
        "MOVES,REPLIES,R1,C2x4,C2x5,E2X,TRI,C3x3D,E2x4,I3x3C,M2x4,R2C,R3X,R4I,D8C,D7C,D6X,D5B";
}

/// Deals the groups to fit and calibration.
const CALIBRATION_SEED: u64 = 0xca1b;

/// A stage has been fitted.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct StageDone {
    /// Its number, from 0.
    pub stage: usize,
    /// Positions it learned from.
    pub positions: usize,
    /// Passes over them.
    pub passes: f64,
    /// Share of the work on all stages that is done.
    pub done: f64,
}

/// Fits the direct model to these features.
///
/// # Errors
/// If the positions have only one outcome.
pub fn fit_direct(
    examples: &[JudgedPosition],
    features: &Features,
    settings: &DirectSettings,
) -> Result<FittedModel, LearnError> {
    fit_direct_watched(examples, features, settings, &|_| ())
}

/// As [`fit_direct`], and says which stages are done.
///
/// # Errors
/// As [`fit_direct`].
pub fn fit_direct_watched(
    examples: &[JudgedPosition],
    features: &Features,
    settings: &DirectSettings,
    watch: &(dyn Fn(StageDone) + Sync),
) -> Result<FittedModel, LearnError> {
    let apart = |p: &&JudgedPosition| deal(p.group, CALIBRATION_SEED) < settings.calibration_share;
    let places = Places::new(features, settings.tempo);
    let mine: Vec<&JudgedPosition> = examples.iter().filter(|p| !apart(p)).collect();
    let rows = places.rows(&mine, settings.threads, None);
    drop(mine);
    let course = Course::new(&rows, settings, watch);
    let fits = course.run()?;
    drop(rows);
    let sets: Vec<DirectSet> = fits.iter().map(|fit| places.set(fit)).collect();
    let held: Vec<JudgedPosition> = examples.iter().filter(apart).copied().collect();
    let bare = Phases::from_fn(|discs| DirectPhase::new(discs, 0.0, 1.0));
    let mut model = DirectModel::new(features.clone(), settings.stages, sets, bare);
    model.phases = calibrate_odds(&model, &held, settings.threads)?;
    let settings = json!({
        "discs_per_set": settings.stages.discs(),
        "margin": settings.margin,
        "tempo": settings.tempo,
        "ridge": settings.ridge,
        "tolerance": settings.tolerance,
        "calibration_share": settings.calibration_share,
        "features": features.to_string(),
        "stages": fits.iter().map(|fit| json!({
            "rows": fit.rows.round(), "stop": fit.stop.word(), "steps": fit.steps,
            "passes": (10.0 * fit.passes).round() / 10.0,
        })).collect::<Vec<_>>(),
    });
    Ok(FittedModel { model: Arc::new(model), settings, ends: Vec::new(), levels: None })
}

/// The fits of all stages to the same rows.
///
/// The middle stage comes first. From there two chains lead to the first and
/// the last stage, each fit beginning where its neighbour, which shares most
/// of its rows, has ended. The chains may run at the same time.
struct Course<'a> {
    settings: &'a DirectSettings,
    stages: Vec<SparsePhases<'a>>,
    /// Rows of each stage.
    rows: Vec<usize>,
    /// Rows of all stages done.
    done: AtomicUsize,
    watch: &'a (dyn Fn(StageDone) + Sync),
}

impl<'a> Course<'a> {
    fn new(
        rows: &'a SparseDataset,
        settings: &'a DirectSettings,
        watch: &'a (dyn Fn(StageDone) + Sync),
    ) -> Course<'a> {
        let stage = |stage| {
            let near = nearness(settings.stages, stage, settings.margin);
            SparsePhases::new(rows, |discs| near[(discs as usize).max(FIRST_PHASE) - FIRST_PHASE])
        };
        let stages: Vec<_> = (0..settings.stages.count()).map(stage).collect();
        let rows = stages.iter().map(SparsePhases::rows).collect();
        Course { settings, stages, rows, done: AtomicUsize::new(0), watch }
    }

    fn run(&self) -> Result<Vec<SparseFit>, LearnError> {
        let (middle, all) = (self.stages.len() / 2, self.settings.threads);
        let first = self.fit(middle, None, all)?;
        let (down, up) = ((0..middle).rev(), middle + 1..self.stages.len());
        let (below, above) = if all.count() == 1 {
            (self.chain(down, &first, all), self.chain(up, &first, all))
        } else {
            let each = Threads::new(all.count().div_ceil(2));
            std::thread::scope(|scope| {
                let below = scope.spawn(|| self.chain(down, &first, each));
                let above = self.chain(up, &first, each);
                match below.join() {
                    Ok(below) => (below, above),
                    // A panic there is a bug of ours: it continues as that panic.
                    Err(panic) => std::panic::resume_unwind(panic),
                }
            })
        };
        let mut fits = below?;
        fits.reverse();
        fits.push(first);
        fits.extend(above?);
        Ok(fits)
    }

    /// Fits stages one after the other.
    fn chain(
        &self,
        stages: impl Iterator<Item = usize>,
        first: &SparseFit,
        threads: Threads,
    ) -> Result<Vec<SparseFit>, LearnError> {
        let mut fits: Vec<SparseFit> = Vec::new();
        for stage in stages {
            let fit = self.fit(stage, Some(fits.last().unwrap_or(first)), threads)?;
            fits.push(fit);
        }
        Ok(fits)
    }

    fn fit(
        &self,
        stage: usize,
        start: Option<&SparseFit>,
        threads: Threads,
    ) -> Result<SparseFit, LearnError> {
        let DirectSettings { ridge, tolerance, .. } = *self.settings;
        let fit = SparseLogistic {
            trials: Trials::One,
            prior: WeightPrior::ridge(ridge),
            intercepts: Intercepts::PerPhase { smoothing: 1.0 },
            tolerance,
            threads,
            ..SparseLogistic::default()
        }
        .fit_from(start, &self.stages[stage], &mut |_| ())
        .map_err(LearnError::TooFew)?;
        let positions = self.rows[stage];
        let done = self.done.fetch_add(positions, Ordering::Relaxed) + positions;
        let done = done as f64 / self.rows.iter().sum::<usize>().max(1) as f64;
        (self.watch)(StageDone { stage, positions, passes: fit.passes, done });
        Ok(fit)
    }
}

/// Where the weights of the features are among all: the classes of each
/// pattern, then the scalars.
///
/// With the tempo a class and its opposite have a weight each, in neighbouring
/// places: half their difference is what the class is worth to its owner, half
/// their sum what it is worth to whoever is to move. Fitting these two instead
/// would find the same model with twice the entries.
pub(super) struct Places<'a> {
    features: &'a Features,
    offsets: [Option<usize>; PATTERNS.len()],
    tempo: bool,
    scalars: usize,
    count: usize,
}

impl<'a> Places<'a> {
    pub(super) fn new(features: &'a Features, tempo: bool) -> Places<'a> {
        let mut offsets = [None; PATTERNS.len()];
        let mut places = 0;
        for pattern in features.patterns() {
            offsets[pattern] = Some(places);
            let orbits = Orbits::of(pattern);
            places += if tempo { 2 * orbits.even_classes() } else { orbits.classes() };
        }
        let count = places + features.scalars().map(Feature::levels).sum::<usize>();
        Places { features, offsets, tempo, scalars: places, count }
    }

    /// The weights of a board, and what each is multiplied with.
    fn entries(&self, board: &Board, entries: &mut Vec<(u32, f64)>) {
        entries.clear();
        let add = |Occurrence { pattern, configuration }| {
            let Some(offset) = self.offsets[pattern] else { return };
            let orbits = Orbits::of(pattern);
            let signed = orbits.class(configuration);
            if self.tempo {
                let swapped = signed.is_some_and(|signed| signed.swapped);
                let place = offset + 2 * orbits.even_class(configuration) + usize::from(swapped);
                entries.push((place as u32, 1.0));
            } else if let Some(signed) = signed {
                let sign = if signed.swapped { -1.0 } else { 1.0 };
                entries.push(((offset + signed.class) as u32, sign));
            }
        };
        match self.features.is_wide() {
            true => AllIndices::of(board).occurrences(add),
            false => Indices::of(board).occurrences(add),
        }
        if self.scalars < self.count {
            let lines = Indices::of(board).mobility();
            let mut place = self.scalars;
            for scalar in self.features.scalars() {
                // About as large as the other inputs, for one ridge for all.
                let value = || scalar.value(board, &lines).unwrap_or(0.0) / scalar.typical();
                entries.push(match scalar.level(board) {
                    Some(level) => ((place + level) as u32, 1.0),
                    None => (place as u32, value()),
                });
                place += scalar.levels();
            }
        }
    }

    /// All positions as rows. Each thread makes those of some disc counts, so
    /// that their order does not depend on the threads.
    pub(super) fn rows(
        &self,
        examples: &[&JudgedPosition],
        threads: Threads,
        offset: Option<&(dyn Fn(&Board) -> f64 + Sync)>,
    ) -> SparseDataset {
        let threads = threads.count();
        let make = |part: usize| {
            let mut rows = SparseDataset::builder(self.count);
            let mut entries = Vec::new();
            let mine = |p: &&&JudgedPosition| p.board.discs() as usize % threads == part;
            for example in examples.iter().filter(mine) {
                self.entries(&example.board, &mut entries);
                push(&mut rows, example, &entries, offset.map(|offset| offset(&example.board)));
            }
            rows.finish().into_blocks()
        };
        let mut blocks: Vec<_> = std::thread::scope(|scope| {
            let make = &make;
            let parts: Vec<_> = (1..threads).map(|part| scope.spawn(move || make(part))).collect();
            let first = make(0);
            let others = parts.into_iter().flat_map(|part| match part.join() {
                Ok(blocks) => blocks,
                Err(panic) => std::panic::resume_unwind(panic),
            });
            first.into_iter().chain(others).collect()
        });
        blocks.sort_by_key(discern_stats::sparse::SparseBlock::phase);
        SparseDataset::from_blocks(self.count, blocks).expect("weights that exist")
    }

    pub(super) fn set(&self, fitted: &SparseFit) -> DirectSet {
        let mut place = self.scalars;
        let scalar = |scalar: Feature| {
            let levels = place..place + scalar.levels();
            place = levels.end;
            match levels.len() {
                1 => vec![fitted.weights[levels.start] / scalar.typical()],
                _ => filled(&fitted.weights[levels.clone()], &fitted.counts[levels]),
            }
        };
        let scalars = self.features.scalars().map(scalar).collect();
        let own = |pattern: usize| {
            let offset = self.offsets[pattern].expect("one of the features");
            &fitted.weights[offset..]
        };
        if !self.tempo {
            return DirectSet::new(self.features, scalars, |pattern, class| own(pattern)[class]);
        }
        // A class and its opposite.
        let both = |pattern, even: usize| (own(pattern)[2 * even], own(pattern)[2 * even + 1]);
        DirectSet::new(self.features, scalars, |pattern, class| {
            let orbits = Orbits::of(pattern);
            let (own, opposite) = both(pattern, orbits.even_class(orbits.member(class)));
            (own - opposite) / 2.0
        })
        .with_tempo(self.features, |pattern, even| {
            let (own, opposite) = both(pattern, even);
            if Orbits::of(pattern).is_own_opposite(even) { own } else { (own + opposite) / 2.0 }
        })
    }
}

/// The weights of a count's numbers. One that hardly occurred has that of the
/// nearest that did: what so many moves are worth, one more is worth, too.
fn filled(weights: &[f64], times: &[f64]) -> Vec<f64> {
    const SELDOM: f64 = 100.0;
    let known: Vec<usize> = (0..times.len()).filter(|&at| times[at] >= SELDOM).collect();
    let of = |at: usize| known.iter().min_by_key(|&&other| other.abs_diff(at));
    (0..weights.len()).map(|at| of(at).map_or(0.0, |&known| weights[known])).collect()
}

fn push(
    rows: &mut SparseDatasetBuilder,
    example: &JudgedPosition,
    entries: &[(u32, f64)],
    offset: Option<f64>,
) {
    let row = SparseExample {
        offset,
        phase: example.board.discs() as i32,
        ..SparseExample::new(entries, example.probability.into())
    };
    rows.push(&row).expect("finite numbers and weights that exist");
}

/// How much a position of each disc count counts in a stage: less and less
/// beyond its ends, and nothing beyond the margin.
fn nearness(stages: Stages, stage: usize, margin: usize) -> Vec<f64> {
    let own: Vec<usize> = (FIRST_PHASE..=LAST_PHASE).filter(|&d| stages.at(d) == stage).collect();
    let share = |discs: usize| {
        let distance = own.iter().map(|&other| other.abs_diff(discs)).min().unwrap_or(usize::MAX);
        (1.0 - distance as f64 / (margin + 1) as f64).max(0.0)
    };
    (FIRST_PHASE..=LAST_PHASE).map(share).collect()
}

#[cfg(test)]
mod tests {
    use discern_board::Bitboard;

    use super::*;
    use crate::testing::classified_random_games;
    use crate::{FitSettings, Split, fit, fit_named, quality};

    fn judged(seed: u64, games: usize) -> Vec<JudgedPosition> {
        classified_random_games(seed, games).iter().map(JudgedPosition::from).collect()
    }

    #[test]
    fn weights_of_configurations_tell_won_from_lost_in_games_not_seen() {
        let positions = classified_random_games(51, 3000);
        let split = Split::by_group(&positions, 0.3, 1);
        let models = vec![fit_named("direct").unwrap()];
        let settings = FitSettings { models, ..FitSettings::default() };
        let fitted = fit(&split.training, &settings, "test").unwrap();
        let evaluator = fitted.weights.model("direct").unwrap().evaluator();
        let quality = quality("DIRECT", &evaluator, &split.test, &[54..=58]);
        let late = &quality.phases[0];
        let discordance = late.metrics.discordance.as_ref().unwrap().value;
        assert!(discordance < 0.21, "{discordance}");
        assert!(late.worst_calibration(0.02) < 0.1, "{}", late.worst_calibration(0.02));
    }

    /// Corners are worth something to their owner, and taken corners something
    /// to the mover, whoever took them.
    #[test]
    fn the_tempo_is_learned_apart_from_what_discs_are_worth() {
        let features: Features = "R1".parse().unwrap();
        let mut positions = judged(53, 400);
        for position in &mut positions {
            let board = &position.board;
            let corners = |set: Bitboard| (set & Bitboard::CORNERS).count() as f64;
            let f = 2.0 * corners(board.mover()) - 1.0;
            position.probability = (1.0 / (1.0 + (-f).exp())) as f32;
        }
        let loss = |tempo: bool| {
            let settings = DirectSettings { tempo, ..DirectSettings::default() };
            let fitted = fit_direct(&positions, &features, &settings).unwrap().model;
            let model = (&*fitted as &dyn std::any::Any).downcast_ref::<DirectModel>().unwrap();
            assert_eq!(model.sets()[10].knows_tempo(), tempo);
            let loss = |p: &JudgedPosition| {
                let own = 1.0 / (1.0 + (-model.value(&p.board)).exp());
                (own - f64::from(p.probability)).powi(2)
            };
            positions.iter().map(loss).sum::<f64>()
        };
        assert!(loss(true) < 0.5 * loss(false), "{} and {}", loss(true), loss(false));
    }

    /// Whoever has eight moves has lost, any other number is worth the same: no
    /// multiple of the number says so.
    #[test]
    fn a_count_has_a_weight_for_each_number() {
        let mut positions = judged(54, 400);
        for position in &mut positions {
            position.probability = if position.board.moves().count() == 8 { 0.1 } else { 0.6 };
        }
        let features: Features = "MOVES,R1".parse().unwrap();
        let settings = DirectSettings { tolerance: 0.05, ..DirectSettings::default() };
        let fitted = fit_direct(&positions, &features, &settings).unwrap().model;
        let model = (&*fitted as &dyn std::any::Any).downcast_ref::<DirectModel>().unwrap();
        let weights = &model.sets()[8].scalars[0];
        let near = |n: usize| (weights[n] - weights[6]).abs() < 0.2;
        assert!([7, 9, 10, 11].into_iter().all(near), "{weights:?}");
        assert!(weights[8] < weights[6] - 1.5, "{weights:?}");
    }

    #[test]
    fn numbers_that_hardly_occur_have_the_weight_of_the_nearest_that_does() {
        let found = filled(&[9.0, 1.0, 2.0, 9.0, 9.0], &[0.0, 100.0, 5e6, 99.0, 0.0]);
        assert_eq!(found, [1.0, 1.0, 2.0, 2.0, 2.0]);
        assert_eq!(filled(&[3.0, 4.0], &[1.0, 2.0]), [0.0, 0.0]);
    }

    #[test]
    fn the_number_of_threads_changes_nothing() {
        let positions = judged(52, 200);
        let with = |threads| {
            let settings =
                DirectSettings { threads: Threads::new(threads), ..DirectSettings::default() };
            let features = "MOB,MOVES,R2,D8,TRI".parse().unwrap();
            let model = fit_direct(&positions, &features, &settings).unwrap().model;
            (&*model as &dyn std::any::Any).downcast_ref::<DirectModel>().unwrap().clone()
        };
        assert_eq!(with(1), with(3));
    }

    #[test]
    fn without_positions_there_is_no_model() {
        assert!(fit_direct(&[], &Features::default(), &DirectSettings::default()).is_err());
    }

    #[test]
    fn a_stage_listens_to_its_neighbours_the_less_the_further_away() {
        let near = nearness(Stages::default(), 5, 3);
        let at = |discs: usize| near[discs - FIRST_PHASE];
        assert_eq!([24, 27].map(at), [1.0, 1.0]);
        assert_eq!([23, 22, 21, 20, 28, 31].map(at), [0.75, 0.5, 0.25, 0.0, 0.75, 0.0]);
    }
}
