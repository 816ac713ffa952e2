use std::sync::Arc;

use discern_board::{Bitboard, Board, Square};

use super::lookup::Entries;
use crate::patterns::{ENTRIES, GROUPS, Indices, mobility_table};
use crate::phases::Phases;
use crate::spread::Spread;
use crate::weights::Expanded;
use crate::{DirectModel, DirectSet, Evaluator, LinearModel, Tables, Value};

/// A linear model at full speed: everything, mobility included, is folded
/// into one pre-weighted table per line or corner, so that an evaluation is
/// 42 lookups and their sum.
#[derive(Debug, Clone)]
pub struct LinearEvaluator {
    phases: Phases<FoldedPhase>,
    spread: Spread,
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
}

impl LinearEvaluator {
    /// Folds the models of all phases with their tables.
    pub fn new(tables: &Tables, models: &Phases<LinearModel>) -> LinearEvaluator {
        let expanded: Vec<Expanded> = tables.sets().iter().map(Expanded::new).collect();
        let phases = models.map(|discs, model| {
            let set = &expanded[tables.stages().at(discs)];
            let folded = Folded::new(|part| set.weighted(part, model));
            FoldedPhase::new(folded, model.intercept, 1.0)
        });
        LinearEvaluator { phases, spread: Spread::FEATURES }
    }

    /// Folds the direct model.
    pub fn direct(model: &DirectModel) -> LinearEvaluator {
        let fold = |set: &DirectSet| {
            let step = (1.0 / DirectSet::STEPS) as f32;
            let (mobility, potential) = (set.mobility as f32, set.potential as f32);
            Folded::new(|part| {
                let lines = set.expanded(part).into_iter().zip(mobility_table(part));
                lines
                    .map(|(steps, line)| {
                        step * f32::from(steps)
                            + mobility * line.moves as f32
                            + potential * line.potential as f32
                    })
                    .collect()
            })
        };
        let sets: Vec<Folded> = model.sets().iter().map(fold).collect();
        let phases = model.phases.map(|discs, phase| {
            let folded = sets[model.stages().at(discs)].clone();
            FoldedPhase::new(folded, phase.intercept, phase.scale)
        });
        LinearEvaluator { phases, spread: Spread::DIRECT }
    }
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
    fn new(folded: Folded, intercept: f64, scale: f64) -> FoldedPhase {
        let shift = folded.shift;
        let unit = 1000.0 * f64::from(1 << shift);
        FoldedPhase {
            folded,
            start: (intercept * unit).round() as i32 + (1 << shift >> 1),
            scale: (scale * 65_536.0).round() as i64,
        }
    }

    /// In thousandths of a logit.
    #[inline(always)]
    fn value(&self, state: &Indices) -> i32 {
        let sum: i32 = self.folded.entries.sums::<i32>(state).iter().sum();
        (self.start + ((i64::from(sum) * self.scale) >> 16) as i32) >> self.folded.shift
    }
}

impl Evaluator for LinearEvaluator {
    type State = Indices;

    #[inline]
    fn state(&self, board: &Board) -> Indices {
        Indices::of(board)
    }

    #[inline(always)]
    fn play(&self, state: &Indices, square: Square, flips: Bitboard) -> Indices {
        state.play(square, flips)
    }

    #[inline(always)]
    fn pass(&self, state: &Indices) -> Indices {
        state.pass()
    }

    #[inline(always)]
    fn spread(&self, discs: u32) -> Option<i32> {
        Some(self.spread.at(discs))
    }

    #[inline(always)]
    fn value(&self, state: &Indices, board: &Board) -> Value {
        Value::estimate(self.phases.at(board.discs() as usize).value(state))
    }
}
