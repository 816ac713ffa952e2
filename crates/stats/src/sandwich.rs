//! Robust and clustered covariances: A⁻¹ B A⁻¹ with B from the data.
//!
//! B is Σ w·u u′ over rows (Huber, White) or Σ u_g u_g′ over groups with
//! u_g = Σ w·u (Liang & Zeger 1986), u being the contribution of one row to
//! the estimating equations. Weights are frequencies: weight 2 is the row
//! twice. The sums by group are the only thing in this crate whose memory
//! grows with the data: one vector of coefficients per group and fit.

use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};

use crate::block::{Block, Column};
use crate::error::{DataError, FitError};
use crate::examples::Examples;
use crate::pass::{Threads, ordered};
use crate::phases::PhaseRange;
use crate::tile::Standard;
use crate::uncertainty::{Covariance, ErrorKind, Uncertainty};

/// A fit whose covariance is A⁻¹ B A⁻¹.
pub(crate) trait Sandwich {
    /// Its contributions of rows.
    type Scores: Scores;

    /// The rows of the fit, and what each contributes.
    fn scores(&self) -> (PhaseRange, Self::Scores);

    /// A⁻¹ B A⁻¹ of the estimates as they are printed.
    fn sandwich(&self, meat: Covariance) -> Covariance {
        meat
    }

    /// What the covariance is multiplied by in small samples: of rows, or of
    /// this many groups.
    fn factor(&self, groups: Option<f64>) -> f64 {
        groups.map_or(1.0, |groups| groups / (groups - 1.0))
    }

    /// Where it goes.
    fn uncertainty_mut(&mut self) -> &mut Uncertainty;
}

/// One more pass for the robust and clustered errors of every fit, if that
/// kind is asked for.
pub(crate) fn add_sandwiches<F: Sandwich>(
    examples: &dyn Examples,
    threads: Threads,
    errors: ErrorKind,
    fits: &mut [Result<F, FitError>],
) -> Result<(), FitError> {
    if errors < ErrorKind::Robust {
        return Ok(());
    }
    let scores: Vec<_> = fits.iter().flatten().map(Sandwich::scores).collect();
    let meats = meat(examples, threads, errors == ErrorKind::Clustered, &scores)?;
    for (fit, meat) in fits.iter_mut().flatten().zip(meats) {
        let Some(Sums { rows, groups }) = meat else { continue };
        let robust = fit.sandwich(rows.mirrored()).scaled(fit.factor(None));
        fit.uncertainty_mut().robust = Some(robust);
        if let Some(groups) = groups.filter(|groups| groups.places.len() > 1) {
            let count = groups.places.len();
            let clustered = fit.sandwich(groups.meat()).scaled(fit.factor(Some(count as f64)));
            fit.uncertainty_mut().clustered = Some((clustered, count));
        }
    }
    Ok(())
}

/// Contributions of rows: what [`meat`] asks for every row of a fit.
pub(crate) trait Scores: Sync {
    /// The features as the fit wants to see them.
    fn standard(&self) -> &Standard;

    /// B of no rows, which says how many contributions a row makes.
    fn nothing(&self) -> Covariance;

    /// Writes the contributions of one row of weight 1, given its standardised
    /// features with the constant 1 first.
    fn score(&self, block: &Block, row: usize, x: &[f64], out: &mut [f64]);
}

/// Numbers by group that are held at the same time, and fits at most. More
/// would need fewer passes over the data, and memory for numbers × groups.
const NUMBERS_AT_ONCE: usize = 128;
const FITS_AT_ONCE: usize = 8;

/// Sums B for several fits.
fn meat<S: Scores>(
    examples: &dyn Examples,
    threads: Threads,
    by_group: bool,
    fits: &[(PhaseRange, S)],
) -> Result<Vec<Option<Sums>>, DataError> {
    let widest = fits.iter().map(|(_, scores)| scores.nothing().variances().len()).max();
    let at_once = (NUMBERS_AT_ONCE / widest.unwrap_or(1)).clamp(1, FITS_AT_ONCE);
    let mut meats = Vec::with_capacity(fits.len());
    for fits in fits.chunks(at_once) {
        let mut sums: Vec<Option<Sums>> = fits.iter().map(|_| None).collect();
        ordered(
            examples,
            threads,
            || Scratch { rows: Vec::new(), score: Vec::new() },
            |block, scratch, out| {
                for (index, (range, scores)) in fits.iter().enumerate() {
                    if range.contains(block.phase) {
                        out.push((index, scratch.sums(block, by_group, scores)));
                    }
                }
            },
            |index, block| {
                let nothing = || Sums::new(fits[index].1.nothing(), by_group);
                sums[index].get_or_insert_with(nothing).add(block);
            },
        )?;
        meats.extend(sums);
    }
    Ok(meats)
}

/// Working memory of a thread.
struct Scratch {
    /// The standardised rows of a block, one after the other.
    rows: Vec<f64>,
    score: Vec<f64>,
}

/// What one block contributes.
struct BlockSums {
    /// Σ w·u u′
    rows: Covariance,
    /// Σ w·u over runs of rows of the same group, in order.
    runs: Option<Vec<(u32, Vec<f64>)>>,
}

impl Scratch {
    fn sums<S: Scores>(&mut self, block: &Block, by_group: bool, scores: &S) -> BlockSums {
        let order = block.features.len() + 1;
        self.load(block, scores.standard());
        let mut rows = scores.nothing();
        self.score.resize(rows.variances().len(), 0.0);
        let mut runs: Vec<(u32, Vec<f64>)> = Vec::new();
        let group = block.group.as_ref().filter(|_| by_group);
        for (row, x) in self.rows.chunks_exact(order).enumerate() {
            let weight = block.weight_of(row);
            if weight <= 0.0 {
                continue;
            }
            scores.score(block, row, x, &mut self.score);
            rows.add_square(weight, &self.score);
            if let Some(group) = group {
                match runs.last_mut().filter(|run| run.0 == group[row]) {
                    Some((_, sum)) => add_scaled(sum, weight, &self.score),
                    None => {
                        runs.push((group[row], self.score.iter().map(|u| weight * u).collect()));
                    }
                }
            }
        }
        BlockSums { rows, runs: group.map(|_| runs) }
    }

    /// Column by column, which reads each column once and in order.
    fn load(&mut self, block: &Block, standard: &Standard) {
        let order = block.features.len() + 1;
        self.rows.clear();
        self.rows.resize(block.rows() * order, 1.0);
        let columns = block.features.iter().zip(standard.scale.iter().zip(&standard.shift));
        for (j, (column, (scale, shift))) in columns.enumerate() {
            let targets = self.rows[j + 1..].iter_mut().step_by(order);
            match column {
                Column::F32(values) => {
                    for (target, &value) in targets.zip(values.iter()) {
                        *target = f64::from(value) * scale - shift;
                    }
                }
                Column::F64(values) => {
                    for (target, &value) in targets.zip(values.iter()) {
                        *target = value * scale - shift;
                    }
                }
                rows => {
                    for (target, value) in targets.zip(rows.values()) {
                        *target = value * scale - shift;
                    }
                }
            }
        }
    }
}

fn add_scaled(sum: &mut [f64], factor: f64, values: &[f64]) {
    for (sum, value) in sum.iter_mut().zip(values) {
        *sum += factor * value;
    }
}

/// The sums of one fit.
struct Sums {
    rows: Covariance,
    groups: Option<GroupSums>,
}

impl Sums {
    fn new(nothing: Covariance, by_group: bool) -> Self {
        let places = HashMap::default();
        let groups = GroupSums { nothing: nothing.clone(), places, sums: Vec::new() };
        Self { rows: nothing, groups: by_group.then_some(groups) }
    }

    fn add(&mut self, block: BlockSums) {
        self.rows.add(&block.rows);
        match (&mut self.groups, block.runs) {
            (Some(groups), Some(runs)) => {
                for (group, sum) in runs {
                    groups.add(group, &sum);
                }
            }
            // Data where only some blocks have groups has none.
            (groups, _) => *groups = None,
        }
    }
}

/// u_g of every group seen, in one long vector.
struct GroupSums {
    nothing: Covariance,
    places: HashMap<u32, u32, BuildHasherDefault<Multiply>>,
    sums: Vec<f64>,
}

impl GroupSums {
    fn add(&mut self, group: u32, sum: &[f64]) {
        let next = self.places.len() as u32;
        let place = *self.places.entry(group).or_insert(next);
        if place == next {
            self.sums.extend_from_slice(sum);
        } else {
            add_scaled(&mut self.sums[place as usize * sum.len()..][..sum.len()], 1.0, sum);
        }
    }

    /// Σ u_g u_g′
    fn meat(self) -> Covariance {
        // In the order of first appearance, which is that of the data.
        let mut sum = self.nothing;
        for group in self.sums.chunks_exact(self.sums.len() / self.places.len()) {
            sum.add_square(1.0, group);
        }
        sum.mirrored()
    }
}

/// Hashing of small integers: one multiplication, top bits first.
#[derive(Default)]
struct Multiply(u64);

impl Hasher for Multiply {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        for &byte in bytes {
            self.write_u32(u32::from(byte));
        }
    }

    fn write_u32(&mut self, value: u32) {
        let mixed = (self.0 ^ u64::from(value)).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        self.0 = mixed ^ (mixed >> 32);
    }
}
