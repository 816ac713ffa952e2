//! The kernel of every fit: sums of weighted outer products, X′ΔX.
//!
//! Per pass over N rows this is N·k²/2 multiply-adds, most of all the work.
//! The strips of a tile are taken four (weighted) by three at a time, so that
//! twelve sums live in registers while seven strips stream through them from
//! the first-level cache; the sums of a block are kept per lane and added up
//! once per block.

use crate::matrix::Matrix;
use crate::simd::Lanes;
use crate::tile::{Strip, VECTORS};

const LEFT: usize = 4;
const RIGHT: usize = 3;

/// Running sums X′ΔX, upper triangle, one sum per lane.
pub(crate) struct Gram<L> {
    order: usize,
    sums: Vec<[[L; RIGHT]; LEFT]>,
}

impl<L: Lanes> Gram<L> {
    /// Sums of 0 for matrices of this order.
    pub(crate) fn new(order: usize) -> Self {
        let panels = panels(order).count();
        Self { order, sums: vec![[[L::splat(0.0); RIGHT]; LEFT]; panels] }
    }

    /// Starts again from 0.
    pub(crate) fn clear(&mut self) {
        self.sums.fill([[L::splat(0.0); RIGHT]; LEFT]);
    }

    /// Adds Σ weighted · strips′ over the rows of a tile.
    #[inline(always)]
    pub(crate) fn add(&mut self, weighted: &[Strip<L>], strips: &[Strip<L>]) {
        let order = self.order;
        let (weighted, strips) = (&weighted[..order], &strips[..order]);
        for ((row, column), sums) in panels(order).zip(&mut self.sums) {
            let left = &weighted[row..order.min(row + LEFT)];
            let right = &strips[column..order.min(column + RIGHT)];
            match (left.len(), right.len()) {
                (4, 3) => panel::<L, 4, 3>(left, right, sums),
                (4, 2) => panel::<L, 4, 2>(left, right, sums),
                (4, 1) => panel::<L, 4, 1>(left, right, sums),
                (3, 3) => panel::<L, 3, 3>(left, right, sums),
                (2, 2) => panel::<L, 2, 2>(left, right, sums),
                (1, 1) => panel::<L, 1, 1>(left, right, sums),
                // At the end of the triangle both sides run out together:
                // no other pair of lengths occurs.
                (rows, columns) => unreachable!("panel of {rows} by {columns}"),
            }
        }
    }

    /// The sums over all lanes, as a full symmetric matrix.
    pub(crate) fn matrix(&self) -> Matrix {
        let mut matrix = Matrix::zeros(self.order);
        for ((row, column), sums) in panels(self.order).zip(&self.sums) {
            for (i, sums) in sums.iter().enumerate() {
                for (j, sum) in sums.iter().enumerate() {
                    let (i, j) = (row + i, column + j);
                    if i < self.order && j < self.order && j >= i {
                        matrix[(i, j)] = sum.sum();
                        matrix[(j, i)] = matrix[(i, j)];
                    }
                }
            }
        }
        matrix
    }
}

/// First row and column of each panel of the upper triangle.
fn panels(order: usize) -> impl Iterator<Item = (usize, usize)> {
    (0..order)
        .step_by(LEFT)
        .flat_map(move |row| (row..order).step_by(RIGHT).map(move |column| (row, column)))
}

/// I × J sums over the rows of a tile.
#[inline(always)]
fn panel<L: Lanes, const I: usize, const J: usize>(
    left: &[Strip<L>],
    right: &[Strip<L>],
    sums: &mut [[L; RIGHT]; LEFT],
) {
    let left: [&Strip<L>; I] = std::array::from_fn(|i| &left[i]);
    let right: [&Strip<L>; J] = std::array::from_fn(|j| &right[j]);
    let mut running: [[L; J]; I] = std::array::from_fn(|i| std::array::from_fn(|j| sums[i][j]));
    for vector in 0..VECTORS {
        let right: [L; J] = std::array::from_fn(|j| right[j][vector]);
        for i in 0..I {
            let left = left[i][vector];
            for j in 0..J {
                running[i][j] = left.mul_add(right[j], running[i][j]);
            }
        }
    }
    for i in 0..I {
        for j in 0..J {
            sums[i][j] = running[i][j];
        }
    }
}

#[cfg(test)]
mod tests {
    use rand::{RngExt, SeedableRng};
    use rand_xoshiro::Xoshiro256PlusPlus;

    use super::*;
    use crate::simd::{Native, Portable, WIDTH};

    fn tile<L: Lanes>(columns: usize, seed: u64) -> Vec<Strip<L>> {
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(seed);
        (0..columns)
            .map(|_| {
                std::array::from_fn(|_| {
                    L::from_array(std::array::from_fn(|_| rng.random_range(-1.0..1.0)))
                })
            })
            .collect()
    }

    fn naive<L: Lanes>(weighted: &[Strip<L>], strips: &[Strip<L>], i: usize, j: usize) -> f64 {
        let rows = weighted[i].iter().zip(&strips[j]);
        rows.map(|(a, b)| {
            let (a, b) = (a.to_array(), b.to_array());
            (0..WIDTH).map(|lane| a[lane] * b[lane]).sum::<f64>()
        })
        .sum()
    }

    fn gram_matches_the_naive_sum<L: Lanes>() {
        for order in 1..=18 {
            let strips = tile::<L>(order, 1);
            let mut gram = Gram::new(order);
            gram.add(&strips, &strips);
            gram.add(&strips, &strips);
            let matrix = gram.matrix();
            for i in 0..order {
                for j in 0..order {
                    let expected = 2.0 * naive(&strips, &strips, i, j);
                    assert!((matrix[(i, j)] - expected).abs() < 1e-12, "order {order} ({i},{j})");
                }
            }
            gram.clear();
            assert_eq!(gram.matrix(), Matrix::zeros(order));
        }
    }

    #[test]
    fn native_and_portable_kernels_match_the_naive_sum() {
        gram_matches_the_naive_sum::<Native>();
        gram_matches_the_naive_sum::<Portable>();
    }
}
