//! Standard errors from the whole information, for models small enough.

use super::block::SparseBlock;
use super::kernel::Distinct;
use super::objective::SparseObjective;
use super::space::Space;
use crate::error::DataError;
use crate::matrix::{Cholesky, Matrix};

/// Weights whose information is inverted.
const MOST_WEIGHTS: usize = 1000;
/// Products of entries to add up for it.
const MOST_PRODUCTS: f64 = 1e10;

/// X′ΔX of the free weights and intercepts, row by row.
pub(super) struct Information {
    matrix: Matrix,
    distinct: Distinct,
    row: Vec<(usize, f64)>,
}

impl Information {
    /// `None` where it would be too large or take too long.
    pub(super) fn new(space: &Space, rows: f64, longest: usize) -> Option<Self> {
        let products = rows * (longest as f64).powi(2);
        let size = space.len();
        (size <= MOST_WEIGHTS && products <= MOST_PRODUCTS).then(|| Self {
            matrix: Matrix::zeros(size),
            distinct: Distinct::new(space.weights()),
            row: Vec::new(),
        })
    }

    pub(super) fn add(&mut self, space: &Space, block: &SparseBlock, row: usize, curvature: f64) {
        self.row.clear();
        let entries = &mut self.row;
        self.distinct.visit(block, row, space, |weight, x| entries.push((weight, x)));
        let intercept = space.intercepts.of(block.phase());
        entries.extend(intercept.map(|number| (space.weights() + number, 1.0)));
        for &(a, x) in &self.row {
            for &(b, z) in &self.row {
                self.matrix[(a, b)] += curvature * x * z;
            }
        }
    }

    /// The roots of the diagonal of the inverse, with the penalty.
    pub(super) fn errors(mut self, space: &Space) -> Option<Vec<f64>> {
        let mut diagonal = vec![0.0; space.len()];
        space.add_diagonal(&mut diagonal);
        for (index, value) in diagonal.iter().enumerate() {
            self.matrix[(index, index)] += value;
        }
        space.add_off_diagonal(|a, b, value| {
            self.matrix[(a, b)] += value;
            self.matrix[(b, a)] += value;
        });
        let factor = Cholesky::new(&self.matrix, 1e-14).ok()?;
        Some(factor.inverse().diagonal().into_iter().map(f64::sqrt).collect())
    }
}

impl SparseObjective<'_> {
    /// Standard errors that allow for all other weights, at the last point;
    /// `None` where that is too much work or the information is singular.
    pub(super) fn joint_errors(&self) -> Result<Option<Vec<f64>>, DataError> {
        let (space, rows) = (self.space(), self.facts().rows as f64);
        let Some(mut information) = Information::new(space, rows, self.facts().longest) else {
            return Ok(None);
        };
        self.for_each_curvature(|block, row, curvature| {
            information.add(space, block, row, curvature);
        })?;
        Ok(information.errors(space))
    }
}
