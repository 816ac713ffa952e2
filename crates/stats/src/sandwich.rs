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

use crate::block::Block;
use crate::error::DataError;
use crate::examples::Examples;
use crate::matrix::Matrix;
use crate::pass::{Merge, Threads, pass};
use crate::phases::PhaseRange;

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

/// Contributions of rows: what [`meat`] calls for every row of a fit.
pub(crate) trait Scores: Sync {
    /// Length of a contribution.
    fn len(&self) -> usize;
    /// Writes the contribution of one row of weight 1.
    fn score(&self, block: &Block, row: usize, scratch: &mut [f64], out: &mut [f64]);
}

/// Sums B for several fits in one pass.
pub(crate) fn meat<E: Examples + ?Sized, S: Scores>(
    examples: &E,
    threads: Threads,
    fits: &[(PhaseRange, S)],
) -> Result<Vec<Option<Meat>>, DataError> {
    let mut sums = pass(
        examples,
        threads,
        || (),
        |block, (), out| {
            for (index, (range, scores)) in fits.iter().enumerate() {
                if range.contains(block.phase) {
                    out.push((index, Sums::of(block, scores)));
                }
            }
        },
    )?;
    Ok((0..fits.len()).map(|index| sums.remove(&index).map(Sums::finish)).collect())
}

struct Sums {
    rows: Matrix,
    groups: Option<GroupSums>,
}

impl Sums {
    fn of<S: Scores>(block: &Block, scores: &S) -> Self {
        let order = scores.len();
        let mut rows = Matrix::zeros(order);
        let mut groups = block.group.as_ref().map(|_| GroupSums::new(order));
        let (mut scratch, mut score) = (vec![0.0; order], vec![0.0; order]);
        for row in 0..block.rows() {
            let weight = block.weight_of(row);
            if weight <= 0.0 {
                continue;
            }
            scores.score(block, row, &mut scratch, &mut score);
            rows.add_outer(weight, &score);
            if let (Some(sums), Some(group)) = (&mut groups, &block.group) {
                sums.add(group[row], weight, &score);
            }
        }
        Self { rows, groups }
    }

    fn finish(self) -> Meat {
        Meat { rows: self.rows, groups: self.groups.map(GroupSums::finish) }
    }
}

impl Merge for Sums {
    fn merge(&mut self, later: Self) {
        self.rows.add_scaled(1.0, &later.rows);
        match (&mut self.groups, later.groups) {
            (Some(groups), Some(later)) => groups.merge(later),
            // Data where only some blocks have groups has none.
            (groups, _) => *groups = None,
        }
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

    fn add(&mut self, group: u32, factor: f64, score: &[f64]) {
        let next = self.places.len() as u32;
        let place = *self.places.entry(group).or_insert(next);
        if place == next {
            self.sums.resize(self.sums.len() + self.order, 0.0);
        }
        let sum = &mut self.sums[place as usize * self.order..][..self.order];
        for (sum, score) in sum.iter_mut().zip(score) {
            *sum += factor * score;
        }
    }

    fn merge(&mut self, mut later: Self) {
        // x + y = y + x: which side is added to which changes no bit.
        if later.places.len() > self.places.len() {
            std::mem::swap(self, &mut later);
        }
        for (&group, &place) in &later.places {
            let sum = &later.sums[place as usize * self.order..][..self.order];
            self.add(group, 1.0, sum);
        }
    }

    fn finish(self) -> GroupMeat {
        // In the order of the groups, for hash maps have none of their own.
        let mut places: Vec<(u32, u32)> = self.places.into_iter().collect();
        places.sort_unstable();
        let mut sum = Matrix::zeros(self.order);
        for &(_, place) in &places {
            sum.add_outer(1.0, &self.sums[place as usize * self.order..][..self.order]);
        }
        GroupMeat { sum, count: places.len() }
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
