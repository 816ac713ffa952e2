use std::ops::Add;

use discern_board::Board;

use super::linear::line_values;
use super::lookup::Entries;
use crate::models::network::{Dense, FIRST, LANES, NetworkModel, NetworkSet, ODD, SECOND};
use crate::patterns::{GROUPS, Indices, LineMobility, Orbits, PAPER_ENTRIES, PAPER_GROUPS};
use crate::spread::Spread;
use crate::{AnyEvaluator, Basis, Estimate, Feature, Phases, Value};

/// The numbers of a configuration, side by side: one vector addition a lookup.
#[derive(Debug, Clone, Copy, Default)]
#[repr(align(16))]
struct Numbers([i16; LANES]);

impl Add for Numbers {
    type Output = Numbers;

    #[inline(always)]
    fn add(self, other: Numbers) -> Numbers {
        Numbers(std::array::from_fn(|lane| self.0[lane].wrapping_add(other.0[lane])))
    }
}

/// Functions of the board, each with its weights in steps.
type Terms = Vec<(Feature, [f32; LANES])>;

/// A network at full speed: everything that is a sum over patterns or lines is
/// folded into one table, as for the linear models, but with [`LANES`] numbers
/// of 16 bits an entry; the dense layers are computed from their sums.
#[derive(Debug)]
struct Fast {
    sets: Vec<Set>,
    /// The number of the set, and the bias.
    phases: Phases<(usize, f32)>,
}

#[derive(Debug)]
struct Set {
    entries: Entries<Numbers>,
    /// Scalars that fold into no table.
    terms: Terms,
    dense: Columns,
}

/// The dense layers with the units of a layer side by side.
#[derive(Debug)]
#[repr(align(32))]
struct Columns {
    first: [[f32; FIRST]; LANES],
    first_constants: [f32; FIRST],
    second: [[f32; SECOND]; FIRST],
    second_constants: [f32; SECOND],
    third: [f32; SECOND],
    straight: f32,
}

impl Columns {
    fn new(dense: &Dense) -> Columns {
        let step = NetworkSet::STEPS as f32;
        Columns {
            first: std::array::from_fn(|lane| {
                std::array::from_fn(|unit| dense.first[unit][lane] / step)
            }),
            first_constants: dense.first_constants,
            second: std::array::from_fn(|x| std::array::from_fn(|unit| dense.second[unit][x])),
            second_constants: dense.second_constants,
            third: dense.third,
            straight: dense.straight / step,
        }
    }

    /// The value of sums in steps.
    #[inline(always)]
    fn value(&self, sums: &[f32; LANES]) -> f32 {
        let mut first = self.first_constants;
        for (sum, row) in sums.iter().zip(&self.first) {
            first.iter_mut().zip(row).for_each(|(unit, weight)| *unit += sum * weight);
        }
        let mut second = self.second_constants;
        for (unit, row) in first.iter().zip(&self.second) {
            let on = unit.max(0.0);
            second.iter_mut().zip(row).for_each(|(unit, weight)| *unit += on * weight);
        }
        let third = second.iter().zip(&self.third).map(|(unit, weight)| unit.max(0.0) * weight);
        self.straight * sums[0] + third.sum::<f32>()
    }
}

/// The fastest evaluator of a network.
pub(crate) fn network_evaluator(basis: &Basis, model: &NetworkModel) -> AnyEvaluator {
    let set = |set: &NetworkSet| Set {
        entries: Entries::new(&entries(basis, set)),
        terms: terms(basis, set),
        dense: Columns::new(&set.dense),
    };
    let phases = model.biases.map(|discs, bias| (model.stages().at(discs), *bias as f32));
    Fast { sets: model.sets().iter().map(set).collect(), phases }.into()
}

/// Every entry of the tables in a row.
fn entries(basis: &Basis, set: &NetworkSet) -> Vec<Numbers> {
    let scalars = basis.features().scalars().collect();
    let lines = line_values(&scalars);
    let mut entries = vec![Numbers::default(); PAPER_ENTRIES];
    for group in &GROUPS[..PAPER_GROUPS] {
        let table = &mut entries[group.offset..][..group.pattern().configurations()];
        for part in group.patterns() {
            let orbits = Orbits::of(part);
            let size = crate::patterns::PATTERNS[part].configurations();
            let numbers: Vec<Numbers> = (0..size)
                .map(|configuration| {
                    Numbers(std::array::from_fn(|lane| {
                        let mut number = 0.0;
                        if let Some(signed) = orbits.class(configuration)
                            && let Some(&steps) = set.classes(lane, part).get(signed.class)
                        {
                            let turned = signed.swapped && lane < ODD;
                            number = f32::from(if turned { -steps } else { steps });
                        }
                        for (place, line) in &lines[part] {
                            let weight = set.scalars[*place][lane] * NetworkSet::STEPS;
                            number += weight as f32 * line[configuration];
                        }
                        number.round() as i16
                    }))
                })
                .collect();
            for run in table.chunks_exact_mut(size) {
                run.iter_mut().zip(&numbers).for_each(|(entry, more)| *entry = *entry + *more);
            }
        }
    }
    entries
}

fn terms(basis: &Basis, set: &NetworkSet) -> Terms {
    let term = |(feature, weights): (Feature, &[f64; LANES])| {
        let steps = weights.map(|weight| (weight * NetworkSet::STEPS) as f32);
        feature.of_line().is_none().then_some((feature, steps))
    };
    basis.features().scalars().zip(&set.scalars).filter_map(term).collect()
}

impl Estimate for Fast {
    fn estimate(&self, indices: &Indices, board: &Board) -> Value {
        let (set, bias) = self.phases.at(board.discs() as usize);
        let set = &self.sets[*set];
        let quads = set.entries.sums::<Numbers, _, _>(indices);
        let sum = quads.into_iter().fold(Numbers::default(), Numbers::add);
        let mut sums = sum.0.map(f32::from);
        for (feature, weights) in &set.terms {
            // No sum over lines needs them.
            let value = feature.value(board, &LineMobility::default()).unwrap_or(0.0) as f32;
            sums.iter_mut().zip(weights).for_each(|(sum, weight)| *sum += value * weight);
        }
        Value::estimate((1000.0 * (bias + set.dense.value(&sums))).round() as i32)
    }

    fn spread(&self, discs: u32) -> Option<i32> {
        Some(Spread::NETWORK.at(discs))
    }
}
