//! Robust and clustered covariances: A⁻¹ B A⁻¹ with B from the data.
//!
//! B is Σ w·u u′ over rows (Huber, White) or Σ u_g u_g′ over groups with
//! u_g = Σ w·u (Liang & Zeger 1986), u being the contribution of one row to
//! the estimating equations. Weights are frequencies: weight 2 is the row
//! twice. The sums by group are the only thing in this crate whose memory
//! grows with the data: one vector of coefficients per group and fit.

use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};

use serde::{Deserialize, Serialize};

use crate::block::{Block, Column};
use crate::error::DataError;
use crate::examples::Examples;
use crate::matrix::Matrix;
use crate::pass::{Threads, ordered};
use crate::phases::PhaseRange;
use crate::tile::Standard;

/// A covariance clustered by group.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Clustered {
    /// Covariance of the coefficients, with the factor G/(G−1) for G groups.
    pub covariance: Matrix,
    /// Number of groups.
    pub groups: usize,
}

/// B over rows and, if rows have groups, over groups.
pub(crate) struct Meat {
    pub(crate) rows: Matrix,
    pub(crate) groups: Option<GroupMeat>,
}

pub(crate) struct GroupMeat {
    pub(crate) sum: Matrix,
    pub(crate) count: usize,
}

/// Contributions of rows: what [`meat`] asks for every row of a fit.
pub(crate) trait Scores: Sync {
    /// The features as the fit wants to see them.
    fn standard(&self) -> &Standard;

    /// Writes the contribution of one row of weight 1, given its standardised
    /// features with the constant 1 first; both are of the same length.
    fn score(&self, block: &Block, row: usize, x: &[f64], out: &mut [f64]);
}

/// Fits whose sums by group are held at the same time. More would need fewer
/// passes over the data, and memory for fits × groups × coefficients.
const FITS_AT_ONCE: usize = 8;

/// Sums B for several fits.
pub(crate) fn meat<S: Scores>(
    examples: &dyn Examples,
    threads: Threads,
    fits: &[(PhaseRange, S)],
) -> Result<Vec<Option<Meat>>, DataError> {
    let order = examples.features().len() + 1;
    let mut meats = Vec::with_capacity(fits.len());
    for fits in fits.chunks(FITS_AT_ONCE) {
        let mut sums: Vec<Option<Sums>> = fits.iter().map(|_| None).collect();
        ordered(
            examples,
            threads,
            || Scratch::new(order),
            |block, scratch, out| {
                for (index, (range, scores)) in fits.iter().enumerate() {
                    if range.contains(block.phase) {
                        out.push((index, scratch.sums(block, scores)));
                    }
                }
            },
            |index, block| sums[index].get_or_insert_with(|| Sums::new(order)).add(block),
        )?;
        meats.extend(sums.into_iter().map(|sums| sums.map(Sums::finish)));
    }
    Ok(meats)
}

/// Working memory of a thread.
struct Scratch {
    order: usize,
    /// The standardised rows of a block, one after the other.
    rows: Vec<f64>,
    score: Vec<f64>,
}

/// What one block contributes.
struct BlockSums {
    /// Upper triangle of Σ w·u u′.
    rows: Matrix,
    /// Σ w·u over runs of rows of the same group, in order.
    runs: Option<Vec<(u32, Vec<f64>)>>,
}

impl Scratch {
    fn new(order: usize) -> Self {
        Self { order, rows: Vec::new(), score: vec![0.0; order] }
    }

    fn sums<S: Scores>(&mut self, block: &Block, scores: &S) -> BlockSums {
        let order = self.order;
        self.load(block, scores.standard());
        let mut rows = Matrix::zeros(order);
        let mut runs: Vec<(u32, Vec<f64>)> = Vec::new();
        for (row, x) in self.rows.chunks_exact(order).enumerate() {
            let weight = block.weight_of(row);
            if weight <= 0.0 {
                continue;
            }
            scores.score(block, row, x, &mut self.score);
            rows.add_upper_outer(weight, &self.score);
            if let Some(group) = &block.group {
                match runs.last_mut().filter(|run| run.0 == group[row]) {
                    Some((_, sum)) => add_scaled(sum, weight, &self.score),
                    None => {
                        runs.push((group[row], self.score.iter().map(|u| weight * u).collect()));
                    }
                }
            }
        }
        BlockSums { rows, runs: block.group.is_some().then_some(runs) }
    }

    /// Column by column, which reads each column once and in order.
    fn load(&mut self, block: &Block, standard: &Standard) {
        let order = self.order;
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
    rows: Matrix,
    groups: Option<GroupSums>,
}

impl Sums {
    fn new(order: usize) -> Self {
        Self { rows: Matrix::zeros(order), groups: Some(GroupSums::new(order)) }
    }

    fn add(&mut self, block: BlockSums) {
        self.rows.add_scaled(1.0, &block.rows);
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

    fn finish(self) -> Meat {
        let order = self.rows.order();
        let rows = Matrix::from_fn(order, |i, j| self.rows[(i.min(j), i.max(j))]);
        Meat { rows, groups: self.groups.map(GroupSums::finish) }
    }
}

/// u_g of every group seen, in one long vector.
struct GroupSums {
    order: usize,
    places: HashMap<u32, u32, BuildHasherDefault<Multiply>>,
    sums: Vec<f64>,
}

impl GroupSums {
    fn new(order: usize) -> Self {
        Self { order, places: HashMap::default(), sums: Vec::new() }
    }

    fn add(&mut self, group: u32, sum: &[f64]) {
        let next = self.places.len() as u32;
        let place = *self.places.entry(group).or_insert(next);
        if place == next {
            self.sums.extend_from_slice(sum);
        } else {
            add_scaled(&mut self.sums[place as usize * self.order..][..self.order], 1.0, sum);
        }
    }

    fn finish(self) -> GroupMeat {
        // In the order of first appearance, which is that of the data.
        let mut sum = Matrix::zeros(self.order);
        for group in self.sums.chunks_exact(self.order) {
            sum.add_outer(1.0, group);
        }
        GroupMeat { sum, count: self.places.len() }
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
