use std::sync::Arc;

use discern_board::{Bitboard, Board, Square};

use super::dense::{Terms, WithTerms};
use super::lookup::Entries;
use crate::evaluator::score_of;
use crate::patterns::{ENTRIES, GROUPS, Lanes, NARROW, PATTERNS, mobility_table};
use crate::phases::Phases;
use crate::spread::Spread;
use crate::tables::expanded;
use crate::{
    AnyEvaluator, Basis, DirectModel, DirectPhase, DirectSet, Evaluator, Feature, Features,
    LinearModel, TableSet, TableValue, Value,
};

/// A linear model at full speed: everything, mobility included, is folded
/// into one pre-weighted table per line or corner, so that an evaluation is
/// 42 lookups and their sum, or 58 with the patterns beyond the paper's.
#[derive(Debug, Clone)]
pub struct LinearEvaluator<const WIDTH: usize = NARROW>(FoldedModel);

/// A linear model folded into tables.
#[derive(Debug, Clone)]
pub(crate) struct FoldedModel {
    phases: Phases<FoldedPhase>,
    /// Has it patterns beyond the paper's?
    pub(super) wide: bool,
}

/// Folded tables, in thousandths of a logit times 2^shift.
#[derive(Debug, Clone)]
struct Folded {
    /// Binary places after the thousandths; as many as the entries allow.
    shift: u32,
    entries: Arc<Entries<i16>>,
}

/// A phase: f = intercept + scale · Σ entries. Phases that differ in no more
/// than these share their entries, so that fewer of them crowd the cache.
#[derive(Debug, Clone)]
struct FoldedPhase {
    folded: Folded,
    /// The intercept, and half a step to round the sum.
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
        let lines = line_values(features);
        let every_configuration = |set: &TableSet| -> Vec<Vec<i16>> {
            (0..PATTERNS.len()).map(|pattern| expanded(pattern, set.classes(pattern))).collect()
        };
        let sets: Vec<_> = tables.sets().iter().map(every_configuration).collect();
        let phases = model.phases.map(|discs, phase| {
            let set = &sets[tables.stages().at(discs)];
            let weight = |feature| features.place(feature).map_or(0.0, |j| phase.weights[j]);
            let folded = Folded::new(|part| {
                let own = Feature::of_pattern(part).map_or(0.0, weight) / TableValue::STEPS;
                weighted(&set[part], own as f32, &lines[part], |j| phase.weights[j] as f32)
            });
            let phase = DirectPhase::new(discs, phase.intercept, 1.0);
            FoldedPhase::new(folded, &phase, Spread::FEATURES.at(discs as u32))
        });
        FoldedModel { phases, wide: features.is_wide() }
    }

    /// Folds a direct model, likewise.
    pub(crate) fn direct(model: &DirectModel) -> FoldedModel {
        let lines = line_values(&model.features().scalars().collect());
        let fold = |set: &DirectSet| {
            let step = (1.0 / DirectSet::STEPS) as f32;
            Folded::new(|part| {
                let steps = expanded(part, set.classes(part));
                weighted(&steps, step, &lines[part], |j| set.scalars[j] as f32)
            })
        };
        let sets: Vec<Folded> = model.sets().iter().map(fold).collect();
        let phases = model.phases.map(|discs, phase| {
            let folded = sets[model.stages().at(discs)].clone();
            FoldedPhase::new(folded, phase, (1000.0 * phase.spread).round() as i32)
        });
        FoldedModel { phases, wide: model.features().is_wide() }
    }

    /// Adds terms that fold into no table, if there are any.
    pub(crate) fn with_terms(self, terms: Phases<Terms>) -> AnyEvaluator {
        if terms.iter().any(|(_, terms)| !terms.is_empty()) {
            AnyEvaluator::Other(Arc::new(WithTerms { folded: self, terms }))
        } else if self.wide {
            AnyEvaluator::Wide(Arc::new(LinearEvaluator(self)))
        } else {
            AnyEvaluator::Linear(Arc::new(LinearEvaluator(self)))
        }
    }

    /// In thousandths of a logit, whatever the range of estimates.
    #[inline(always)]
    pub(super) fn thousandths<const WIDTH: usize>(&self, state: &Lanes<WIDTH>, discs: u32) -> i32 {
        self.phases.at(discs as usize).value(state)
    }

    pub(super) fn spread(&self, discs: u32) -> i32 {
        self.phases.at(discs as usize).spread
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
fn in_a_row(weighted: impl Fn(usize) -> Vec<f32>) -> Vec<f32> {
    let mut entries = vec![0f32; ENTRIES];
    for group in &GROUPS {
        let table = &mut entries[group.offset..][..group.pattern().configurations()];
        for part in group.patterns() {
            let weighted = weighted(part);
            // A pattern and the one it extends share the low digits, so the
            // smaller table repeats.
            for run in table.chunks_exact_mut(weighted.len()) {
                run.iter_mut().zip(&weighted).for_each(|(entry, value)| *entry += value);
            }
        }
    }
    entries
}

impl Folded {
    /// `weighted(pattern)` gives the contribution of every configuration of a
    /// pattern, in logits.
    fn new(weighted: impl Fn(usize) -> Vec<f32>) -> Folded {
        let entries = in_a_row(weighted);
        let largest = entries.iter().fold(0f32, |largest, entry| largest.max(entry.abs()));
        let fits = |shift: &u32| largest * 1000.0 * (1 << shift) as f32 <= f32::from(i16::MAX);
        // At 0, entries beyond ±32 logits saturate; no estimate is that sure.
        let shift = (0..=6).rev().find(fits).unwrap_or(0);
        let scale = 1000.0 * f64::from(1 << shift);
        let entries: Vec<i16> =
            entries.iter().map(|entry| (entry * scale as f32).round() as i16).collect();
        Folded { shift, entries: Arc::new(Entries::new(&entries)) }
    }
}

impl FoldedPhase {
    fn new(folded: Folded, phase: &DirectPhase, spread: i32) -> FoldedPhase {
        let shift = folded.shift;
        let unit = 1000.0 * f64::from(1 << shift);
        FoldedPhase {
            folded,
            start: (phase.intercept * unit).round() as i32 + (1 << shift >> 1),
            scale: (phase.scale * 65_536.0).round() as i64,
            spread,
            half_score: (1000.0 * phase.half_score).round().max(1.0) as i32,
        }
    }

    /// In thousandths of a logit.
    #[inline(always)]
    fn value<const WIDTH: usize>(&self, state: &Lanes<WIDTH>) -> i32 {
        let sum: i32 = self.folded.entries.sums::<i32, _>(state).iter().sum();
        (self.start + ((i64::from(sum) * self.scale) >> 16) as i32) >> self.folded.shift
    }
}

impl<const WIDTH: usize> Evaluator for LinearEvaluator<WIDTH> {
    type State = Lanes<WIDTH>;

    #[inline]
    fn state(&self, board: &Board) -> Lanes<WIDTH> {
        Lanes::of(board)
    }

    #[inline(always)]
    fn play(&self, state: &Lanes<WIDTH>, square: Square, flips: Bitboard) -> Lanes<WIDTH> {
        state.play(square, flips)
    }

    #[inline(always)]
    fn pass(&self, state: &Lanes<WIDTH>) -> Lanes<WIDTH> {
        state.pass()
    }

    #[inline(always)]
    fn spread(&self, discs: u32) -> Option<i32> {
        Some(self.0.spread(discs))
    }

    #[inline(always)]
    fn value(&self, state: &Lanes<WIDTH>, board: &Board) -> Value {
        Value::estimate(self.0.thousandths(state, board.discs()))
    }

    #[inline(always)]
    fn expected_score(&self, state: &Lanes<WIDTH>, board: &Board) -> i32 {
        let phase = self.0.phases.at(board.discs() as usize);
        score_of(Value::estimate(phase.value(state)), phase.half_score)
    }
}
