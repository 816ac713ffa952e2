use std::sync::Arc;

use discern_board::{Bitboard, Board, Square};

use super::counts::CountTables;
use super::dense::{Terms, WithTerms};
use super::lookup::Entries;
use crate::evaluator::score_of;
use crate::patterns::{
    ENTRIES, GROUPS, Group, LANES, Lanes, NARROW, PAPER_ENTRIES, PATTERNS, WIDE_START,
    mobility_table,
};
use crate::phases::Phases;
use crate::spread::Spread;
use crate::tables::expanded;
use crate::{
    AnyEvaluator, Basis, DirectModel, DirectPhase, DirectSet, Evaluator, Feature, Features,
    LinearModel, ScoreModel, TableSet, TableValue, Value,
};

/// A linear model at full speed: everything, mobility included, is folded
/// into one pre-weighted table per line or corner, so that an evaluation is
/// 42 lookups and their sum, or 60 with the patterns beyond the paper's.
#[derive(Debug, Clone)]
pub struct LinearEvaluator<const START: usize = 0, const WIDTH: usize = NARROW>(FoldedModel);

/// A linear model folded into tables.
#[derive(Debug, Clone)]
pub(crate) struct FoldedModel {
    phases: Phases<FoldedPhase>,
    scores: Option<FoldedScores>,
    /// Has it patterns beyond the paper's?
    pub(super) wide: bool,
}

/// The expected score from some disc count on.
#[derive(Debug, Clone)]
struct FoldedScores {
    first: u32,
    phases: Phases<FoldedPhase>,
    /// The score in hundredths of a disc of every fourth thousandth of a sum,
    /// from [`FoldedScores::LEAST`] on.
    curve: Arc<[i16; FoldedScores::LEN]>,
}

/// Folded tables, in thousandths of a logit times 2^shift.
#[derive(Debug, Clone)]
struct Folded {
    /// Binary places after the thousandths; as many as the entries allow.
    shift: u32,
    entries: Arc<Entries<i16>>,
    /// What counts of the board add to the sum of the entries.
    counts: Option<Arc<CountTables>>,
    /// What is in every sum and means nothing.
    filling: i32,
}

/// A phase: f = intercept + scale · Σ entries. Phases that differ in no more
/// than these share their entries, so that fewer of them crowd the cache.
#[derive(Debug, Clone)]
struct FoldedPhase {
    folded: Folded,
    /// The intercept less the filling, and half a step to round the sum.
    start: i32,
    /// In 65,536ths.
    scale: i64,
    /// In thousandths of a logit, as [`DirectPhase`] has them.
    spread: i32,
    half_score: i32,
}

impl FoldedModel {
    /// Folds a model with its tables; scalars that are no sums over lines are
    /// left to [`with_terms`](FoldedModel::with_terms).
    pub(crate) fn new(basis: &Basis, model: &LinearModel) -> FoldedModel {
        let (features, tables) = (basis.features(), basis.tables());
        let (lines, wide) = (line_values(features), features.is_wide());
        let every_configuration = |set: &TableSet| -> Vec<Vec<i16>> {
            (0..PATTERNS.len()).map(|pattern| expanded(pattern, set.classes(pattern))).collect()
        };
        let sets: Vec<_> = tables.sets().iter().map(every_configuration).collect();
        let phases = model.phases.map(|discs, phase| {
            let set = &sets[tables.stages().at(discs)];
            let weight = |feature| features.place(feature).map_or(0.0, |j| phase.weights[j]);
            let folded = Folded::new(wide, |part| {
                let own = Feature::of_pattern(part).map_or(0.0, weight) / TableValue::STEPS;
                weighted(&set[part], own as f32, &lines[part], |j| phase.weights[j] as f32)
            })
            .with_counts(features, |j, n| phase.weights[j] * n as f64);
            let phase = DirectPhase::new(discs, phase.intercept, 1.0);
            FoldedPhase::new(folded, &phase, Spread::FEATURES.at(discs as u32))
        });
        FoldedModel { phases, scores: None, wide }
    }

    /// Folds a direct model, likewise.
    pub(crate) fn direct(model: &DirectModel) -> FoldedModel {
        let scalars: Features = model.features().scalars().collect();
        let (lines, wide) = (line_values(&scalars), model.features().is_wide());
        let fold = |set: &DirectSet| {
            let step = (1.0 / DirectSet::STEPS) as f32;
            Folded::new(wide, |part| {
                let steps = set.expanded(part);
                weighted(&steps, step, &lines[part], |j| set.scalars[j][0] as f32)
            })
            .with_counts(&scalars, |j, n| set.scalars[j][n])
        };
        let sets: Vec<Folded> = model.sets().iter().map(fold).collect();
        let phases = model.phases.map(|discs, phase| {
            let folded = sets[model.stages().at(discs)].clone();
            FoldedPhase::new(folded, phase, (1000.0 * phase.spread).round() as i32)
        });
        let scores = model.scores().map(|scores| {
            let known = model.stages().at(scores.first());
            // Boards with fewer discs are never asked for.
            let sets: Vec<Folded> = scores.sets()[known..].iter().map(fold).collect();
            let phases = scores.phases.map(|discs, phase| {
                let set = model.stages().at(discs).saturating_sub(known);
                let phase = DirectPhase::new(discs, phase.intercept, 1.0);
                FoldedPhase::new(sets[set].clone(), &phase, 0)
            });
            FoldedScores { first: scores.first() as u32, phases, curve: FoldedScores::curve() }
        });
        FoldedModel { phases, scores, wide }
    }

    /// Adds terms that fold into no table, if there are any: of the odds, and of
    /// the expected score.
    pub(crate) fn with_terms(
        self,
        terms: Phases<Terms>,
        score_terms: Phases<Terms>,
    ) -> AnyEvaluator {
        if [&terms, &score_terms].iter().any(|all| all.iter().any(|(_, one)| !one.is_empty())) {
            AnyEvaluator::Other(Arc::new(WithTerms { folded: self, terms, score_terms }))
        } else if self.wide {
            AnyEvaluator::Wide(Arc::new(LinearEvaluator(self)))
        } else {
            AnyEvaluator::Linear(Arc::new(LinearEvaluator(self)))
        }
    }

    /// In thousandths of a logit, whatever the range of estimates.
    #[inline(always)]
    pub(super) fn thousandths<const START: usize, const WIDTH: usize>(
        &self,
        state: &Lanes<START, WIDTH>,
        board: &Board,
    ) -> i32 {
        self.phases.at(board.discs() as usize).value(state, board)
    }

    /// In hundredths of a disc; `more` is what terms add to the odds and to the
    /// score, in thousandths.
    #[inline(always)]
    pub(super) fn expected_score<const START: usize, const WIDTH: usize>(
        &self,
        state: &Lanes<START, WIDTH>,
        board: &Board,
        [more, more_score]: [i32; 2],
    ) -> i32 {
        let discs = board.discs();
        if let Some(scores) = &self.scores
            && discs >= scores.first
        {
            return scores.value(state, board, more_score);
        }
        let phase = self.phases.at(discs as usize);
        score_of(Value::estimate(phase.value(state, board) + more), phase.half_score)
    }

    pub(super) fn spread(&self, discs: u32) -> i32 {
        self.phases.at(discs as usize).spread
    }
}

impl FoldedScores {
    /// Thousandths of a sum between two entries of the curve.
    const STEP: i32 = 4;
    const LEN: usize = 4096;
    /// The sum of the first entry: −63.96 discs.
    const LEAST: i32 = -FoldedScores::STEP * FoldedScores::LEN as i32 / 2;

    fn curve() -> Arc<[i16; FoldedScores::LEN]> {
        let entry = |at| {
            let sum = FoldedScores::LEAST + FoldedScores::STEP * at as i32;
            (100.0 * ScoreModel::score_of(f64::from(sum) / 1000.0)).round() as i16
        };
        Arc::new(std::array::from_fn(entry))
    }

    #[inline(always)]
    fn value<const START: usize, const WIDTH: usize>(
        &self,
        state: &Lanes<START, WIDTH>,
        board: &Board,
        more: i32,
    ) -> i32 {
        let sum = self.phases.at(board.discs() as usize).value(state, board) + more;
        let at = (sum - FoldedScores::LEAST + FoldedScores::STEP / 2) / FoldedScores::STEP;
        self.curve[at.clamp(0, FoldedScores::LEN as i32 - 1) as usize].into()
    }
}

/// For each pattern the scalars that count on its lines, by their place among
/// the features, with the value of every configuration.
pub(super) type LineValues = Vec<Vec<(usize, Vec<f32>)>>;

pub(super) fn line_values(features: &Features) -> LineValues {
    let of_pattern = |pattern: usize| {
        let table = mobility_table(pattern);
        let counts = |(place, feature): (usize, &Feature)| {
            let value = feature.of_line()?;
            Some((place, table.iter().map(|line| value(line) as f32).collect()))
        };
        features.iter().enumerate().filter_map(counts).collect()
    };
    (0..PATTERNS.len()).map(of_pattern).collect()
}

/// What every configuration of a pattern adds to the value: its own weight and
/// those of its line, by the places of the scalars.
fn weighted(
    steps: &[i16],
    own: f32,
    lines: &[(usize, Vec<f32>)],
    weight: impl Fn(usize) -> f32,
) -> Vec<f32> {
    let mut values: Vec<f32> = steps.iter().map(|&steps| own * f32::from(steps)).collect();
    for (place, line) in lines {
        let weight = weight(*place);
        values.iter_mut().zip(line).for_each(|(value, count)| *value += weight * count);
    }
    values
}

/// The contribution of every entry of the tables in a row, in logits.
fn in_a_row(wide: bool, weighted: impl Fn(usize) -> Vec<f32>) -> Vec<f32> {
    let mut entries = vec![0f32; if wide { ENTRIES } else { PAPER_ENTRIES }];
    let looked_up = |group: &&Group| match wide {
        true => group.first_lane >= WIDE_START,
        false => group.offset < PAPER_ENTRIES,
    };
    for group in GROUPS.iter().filter(looked_up) {
        let table = &mut entries[group.offset..][..group.pattern().configurations()];
        for part in group.parts(wide) {
            part.add(group, &weighted(part.pattern), table);
        }
    }
    entries
}

impl Folded {
    /// `weighted(pattern)` gives the contribution of every configuration of a
    /// pattern, in logits.
    fn new(wide: bool, weighted: impl Fn(usize) -> Vec<f32>) -> Folded {
        let entries = in_a_row(wide, weighted);
        let largest = entries.iter().fold(0f32, |largest, entry| largest.max(entry.abs()));
        let fits = |shift: &u32| largest * 1000.0 * (1 << shift) as f32 <= f32::from(i16::MAX);
        // At 0, entries beyond ±32 logits saturate; no estimate is that sure.
        let shift = (0..=6).rev().find(fits).unwrap_or(0);
        let scale = 1000.0 * f64::from(1 << shift);
        let entries: Vec<i16> =
            entries.iter().map(|entry| (entry * scale as f32).round() as i16).collect();
        let entries = Entries::new(&entries);
        let (start, end) = if wide { (WIDE_START, LANES) } else { (0, NARROW) };
        let filling = entries.filling(start, end);
        Folded { shift, filling, entries: Arc::new(entries), counts: None }
    }

    /// The same with the features that are counts, whose numbers n add
    /// `weight(place, n)` each.
    fn with_counts(self, features: &Features, weight: impl Fn(usize, usize) -> f64) -> Folded {
        let unit = 1000.0 * f64::from(1 << self.shift);
        Folded { counts: CountTables::new(features, unit, weight).map(Arc::new), ..self }
    }
}

impl FoldedPhase {
    fn new(folded: Folded, phase: &DirectPhase, spread: i32) -> FoldedPhase {
        let shift = folded.shift;
        let unit = 1000.0 * f64::from(1 << shift);
        let intercept = phase.intercept * unit - phase.scale * f64::from(folded.filling);
        FoldedPhase {
            folded,
            start: intercept.round() as i32 + (1 << shift >> 1),
            scale: (phase.scale * 65_536.0).round() as i64,
            spread,
            half_score: (1000.0 * phase.half_score).round().max(1.0) as i32,
        }
    }

    /// In thousandths of a logit.
    #[inline(always)]
    fn value<const START: usize, const WIDTH: usize>(
        &self,
        state: &Lanes<START, WIDTH>,
        board: &Board,
    ) -> i32 {
        let mut sum: i32 = self.folded.entries.sums::<i32, _, _>(state).iter().sum();
        if let Some(counts) = &self.folded.counts {
            sum += counts.sum(board);
        }
        (self.start + ((i64::from(sum) * self.scale) >> 16) as i32) >> self.folded.shift
    }
}

impl<const START: usize, const WIDTH: usize> Evaluator for LinearEvaluator<START, WIDTH> {
    type State = Lanes<START, WIDTH>;

    #[inline]
    fn state(&self, board: &Board) -> Lanes<START, WIDTH> {
        Lanes::of(board)
    }

    #[inline(always)]
    fn play(
        &self,
        state: &Lanes<START, WIDTH>,
        square: Square,
        flips: Bitboard,
    ) -> Lanes<START, WIDTH> {
        state.play(square, flips)
    }

    #[inline(always)]
    fn pass(&self, state: &Lanes<START, WIDTH>) -> Lanes<START, WIDTH> {
        state.pass()
    }

    #[inline(always)]
    fn spread(&self, discs: u32) -> Option<i32> {
        Some(self.0.spread(discs))
    }

    #[inline(always)]
    fn value(&self, state: &Lanes<START, WIDTH>, board: &Board) -> Value {
        Value::estimate(self.0.thousandths(state, board))
    }

    #[inline(always)]
    fn expected_score(&self, state: &Lanes<START, WIDTH>, board: &Board) -> i32 {
        self.0.expected_score(state, board, [0, 0])
    }
}
