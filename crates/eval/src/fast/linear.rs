use discern_board::{Bitboard, Board, Square};

use super::lookup;
use crate::patterns::{ENTRIES, GROUPS, Indices, PATTERNS, mobility_table};
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

/// The folded tables of one phase, in thousandths of a logit times 2^shift.
#[derive(Debug, Clone)]
struct FoldedPhase {
    /// Binary places after the thousandths; as many as the entries allow.
    shift: u32,
    /// The intercept, and half a step to round the sum.
    start: i32,
    entries: Box<[i16; ENTRIES]>,
}

impl LinearEvaluator {
    /// Folds the models of all phases with their tables.
    pub fn new(tables: &Tables, models: &Phases<LinearModel>) -> LinearEvaluator {
        let expanded: Vec<Expanded> = tables.sets().iter().map(Expanded::new).collect();
        let phases = models.map(|discs, model| {
            let set = &expanded[tables.stages().at(discs)];
            FoldedPhase::fold(model.intercept, &folded(|part| set.weighted(part, model)))
        });
        LinearEvaluator { phases, spread: Spread::FEATURES }
    }

    /// Folds the direct model.
    pub fn direct(model: &DirectModel) -> LinearEvaluator {
        let expanded: Vec<Vec<Vec<i16>>> = model
            .sets()
            .iter()
            .map(|set| (0..PATTERNS.len()).map(|pattern| set.expanded(pattern)).collect())
            .collect();
        let phases = model.phases.map(|discs, phase| {
            let stage = model.stages().at(discs);
            let (set, steps) = (&model.sets()[stage], &expanded[stage]);
            let weight = |weight: f64| (phase.scale * weight) as f32;
            let step = weight(1.0 / DirectSet::STEPS);
            let (mobility, potential) = (weight(set.mobility), weight(set.potential));
            let weighted = |part: usize| {
                let lines = steps[part].iter().zip(mobility_table(part));
                lines
                    .map(|(&steps, line)| {
                        step * f32::from(steps)
                            + mobility * line.moves as f32
                            + potential * line.potential as f32
                    })
                    .collect()
            };
            FoldedPhase::fold(phase.intercept, &folded(weighted))
        });
        LinearEvaluator { phases, spread: Spread::DIRECT }
    }
}

/// The contribution of every entry of the tables in a row, in logits;
/// `weighted(pattern)` gives that of every configuration of a pattern.
fn folded(weighted: impl Fn(usize) -> Vec<f32>) -> Vec<f32> {
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

impl FoldedPhase {
    fn fold(intercept: f64, entries: &[f32]) -> FoldedPhase {
        let largest = entries.iter().fold(0f32, |largest, entry| largest.max(entry.abs()));
        let fits = |shift: &u32| largest * 1000.0 * (1 << shift) as f32 <= f32::from(i16::MAX);
        // At 0, entries beyond ±32 logits saturate; no estimate is that sure.
        let shift = (0..=6).rev().find(fits).unwrap_or(0);
        let scale = 1000.0 * f64::from(1 << shift);
        let entries: Box<[i16]> =
            entries.iter().map(|entry| (entry * scale as f32).round() as i16).collect();
        FoldedPhase {
            shift,
            start: (intercept * scale).round() as i32 + (1 << shift >> 1),
            entries: entries.try_into().expect("all entries"),
        }
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
        let phase = self.phases.at(board.discs() as usize);
        Value::estimate((phase.start + lookup::sum(&phase.entries, state)) >> phase.shift)
    }
}
