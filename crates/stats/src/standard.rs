//! From the units of the data to standardised features and back.

use crate::matrix::{Matrix, dot};
use crate::moments::Scatter;
use crate::tile::Standard;

/// Centre and scale of all rows; a constant feature keeps its scale.
pub(crate) fn standard_of(all: &Scatter) -> Standard {
    let scale: Vec<f64> = all
        .covariance()
        .diagonal()
        .into_iter()
        .map(|variance| if variance > 0.0 { 1.0 / variance.sqrt() } else { 1.0 })
        .collect();
    let shift = all.mean.iter().zip(&scale).map(|(mean, scale)| mean * scale).collect();
    Standard { scale, shift }
}

impl Standard {
    /// Coefficients in the units of the data, the constant first:
    /// βⱼ = γⱼ·scaleⱼ and β₀ = γ₀ − Σ γⱼ·shiftⱼ.
    pub(crate) fn to_data_units(&self, gamma: &[f64]) -> Vec<f64> {
        let mut beta = gamma.to_vec();
        beta[0] -= dot(&gamma[1..], &self.shift);
        for (beta, scale) in beta[1..].iter_mut().zip(&self.scale) {
            *beta *= scale;
        }
        beta
    }

    /// The covariance of such coefficients, T·C·T′ with β = Tγ.
    pub(crate) fn covariance_to_data_units(&self, covariance: &Matrix) -> Matrix {
        let order = covariance.order();
        let columns: Vec<Vec<f64>> =
            (0..order).map(|j| self.to_data_units(covariance.row(j))).collect();
        // `columns[j]` is T·(column j of C); the rows of that are transformed next.
        let rows: Vec<Vec<f64>> = (0..order)
            .map(|i| {
                let row: Vec<f64> = columns.iter().map(|column| column[i]).collect();
                self.to_data_units(&row)
            })
            .collect();
        Matrix::from_fn(order, |i, j| 0.5 * (rows[i][j] + rows[j][i]))
    }
}
