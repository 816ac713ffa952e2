//! The kernel of every fit: sums of weighted outer products, X′ΔX.
//!
//! Per pass over N rows this is N·k²/2 multiply-adds, most of all the work.
//! The strips of a tile are taken four by three (weighted) at a time, so that
//! twelve sums live in registers while seven strips stream through them from
//! the first-level cache; the sums of a block are kept per lane and added up
//! once per block. A further column beside the weighted ones, the residuals,
//! makes the gradient X′r on the way.

use crate::matrix::Matrix;
use crate::simd::Lanes;
use crate::tile::{Ahead, Strip, VECTORS};

const LEFT: usize = 4;
const RIGHT: usize = 3;

/// Running sums X′(ΔX, r), upper triangle, one sum per lane.
pub(crate) struct Gram<L> {
    /// Strips on the left.
    rows: usize,
    /// Strips on the right: the weighted ones, and perhaps more.
    columns: usize,
    sums: Vec<[[L; RIGHT]; LEFT]>,
}

impl<L: Lanes> Gram<L> {
    /// Sums of 0 for matrices of this order.
    pub(crate) fn new(order: usize) -> Self {
        Self::with_columns(order, order)
    }

    /// Sums of 0 for a matrix of this order and another column beside it.
    pub(crate) fn with_gradient(order: usize) -> Self {
        Self::with_columns(order, order + 1)
    }

    fn with_columns(rows: usize, columns: usize) -> Self {
        let panels = panels(rows, columns).count();
        Self { rows, columns, sums: vec![[[L::splat(0.0); RIGHT]; LEFT]; panels] }
    }

    /// Starts again from 0.
    #[inline(always)]
    pub(crate) fn clear(&mut self) {
        self.sums.fill([[L::splat(0.0); RIGHT]; LEFT]);
    }

    /// How many parts of [`Ahead`] are asked for while a tile is added.
    pub(crate) fn parts(&self) -> usize {
        self.sums.len()
    }

    /// Adds Σ strips · weighted′ over the rows of a tile; asks for the next one
    /// on the way.
    #[inline(always)]
    pub(crate) fn add(&mut self, strips: &[Strip<L>], weighted: &[Strip<L>], ahead: &mut Ahead) {
        let (rows, columns) = (self.rows, self.columns);
        let (strips, weighted) = (&strips[..rows], &weighted[..columns]);
        for ((row, column), sums) in panels(rows, columns).zip(&mut self.sums) {
            ahead.ask::<L>(1);
            let left = &strips[row..rows.min(row + LEFT)];
            let right = &weighted[column..columns.min(column + RIGHT)];
            match (left.len(), right.len()) {
                (4, 3) => panel::<L, 4, 3>(left, right, sums),
                (4, 2) => panel::<L, 4, 2>(left, right, sums),
                (4, 1) => panel::<L, 4, 1>(left, right, sums),
                (3, 3) => panel::<L, 3, 3>(left, right, sums),
                (3, 1) => panel::<L, 3, 1>(left, right, sums),
                (2, 3) => panel::<L, 2, 3>(left, right, sums),
                (2, 2) => panel::<L, 2, 2>(left, right, sums),
                (1, 2) => panel::<L, 1, 2>(left, right, sums),
                (1, 1) => panel::<L, 1, 1>(left, right, sums),
                // At the end of the triangle the left runs out together with
                // the right or one before it: no other pair occurs.
                (rows, columns) => unreachable!("panel of {rows} by {columns}"),
            }
        }
    }

    /// The sums over all lanes, as a full symmetric matrix.
    pub(crate) fn matrix(&self) -> Matrix {
        let mut matrix = Matrix::zeros(self.rows);
        for (i, j, sum) in self.entries().filter(|&(i, j, _)| i <= j && j < self.rows) {
            matrix[(i, j)] = sum;
            matrix[(j, i)] = sum;
        }
        matrix
    }

    /// The sums with the column beside the matrix.
    pub(crate) fn gradient(&self) -> Vec<f64> {
        let mut gradient = vec![0.0; self.rows];
        for (i, _, sum) in self.entries().filter(|&(_, j, _)| j == self.rows) {
            gradient[i] = sum;
        }
        gradient
    }

    /// Row, column and sum of everything that was computed.
    fn entries(&self) -> impl Iterator<Item = (usize, usize, f64)> {
        panels(self.rows, self.columns).zip(&self.sums).flat_map(move |((row, column), sums)| {
            let rows = sums.iter().take(self.rows - row).enumerate();
            rows.flat_map(move |(i, sums)| {
                let columns = sums.iter().take(self.columns - column).enumerate();
                columns.map(move |(j, sum)| (row + i, column + j, sum.sum()))
            })
        })
    }
}

/// First row and column of each panel of the upper triangle.
fn panels(rows: usize, columns: usize) -> impl Iterator<Item = (usize, usize)> {
    (0..rows)
        .step_by(LEFT)
        .flat_map(move |row| (row..columns).step_by(RIGHT).map(move |column| (row, column)))
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
    use crate::block::Block;
    use crate::simd::{Avx2, Portable, WIDTH, has_avx2};

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

    fn naive<L: Lanes>(left: &Strip<L>, right: &Strip<L>) -> f64 {
        let rows = left.iter().zip(right);
        rows.map(|(a, b)| {
            let (a, b) = (a.to_array(), b.to_array());
            (0..WIDTH).map(|lane| a[lane] * b[lane]).sum::<f64>()
        })
        .sum()
    }

    fn gram_matches_the_naive_sum<L: Lanes>() {
        for order in 1..=18 {
            let strips = tile::<L>(order, 1);
            let mut right = strips.clone();
            right.extend(tile::<L>(1, 2));
            for mut gram in [Gram::new(order), Gram::with_gradient(order)] {
                let nothing = Block::default();
                for _ in 0..2 {
                    gram.add(&strips, &right, &mut Ahead::new(&nothing, 0, 1));
                }
                let (matrix, gradient) = (gram.matrix(), gram.gradient());
                for i in 0..order {
                    for j in 0..order {
                        let expected = 2.0 * naive(&strips[i], &strips[j]);
                        assert!((matrix[(i, j)] - expected).abs() < 1e-12, "{order}: ({i},{j})");
                    }
                    let beside = gram.columns > order;
                    let expected =
                        if beside { 2.0 * naive(&strips[i], &right[order]) } else { 0.0 };
                    assert!((gradient[i] - expected).abs() < 1e-12, "{order}: {i}");
                }
                gram.clear();
                assert_eq!(gram.matrix(), Matrix::zeros(order));
            }
        }
    }

    #[test]
    fn both_kernels_match_the_naive_sum() {
        if has_avx2() {
            gram_matches_the_naive_sum::<Avx2>();
        }
        gram_matches_the_naive_sum::<Portable>();
    }
}
