//! Small symmetric matrices and their Cholesky factors.
//!
//! A fit has a dozen to a few hundred coefficients; factoring such a matrix
//! takes microseconds next to a pass over the data, so forty plain lines do
//! the work of a linear algebra library.

use std::ops::{Index, IndexMut};

use serde::{Deserialize, Serialize};

/// A square matrix, stored row by row.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(into = "Vec<Vec<f64>>", try_from = "Vec<Vec<f64>>")]
#[must_use]
pub struct Matrix {
    order: usize,
    values: Vec<f64>,
}

impl Matrix {
    /// The zero matrix.
    pub fn zeros(order: usize) -> Self {
        Self { order, values: vec![0.0; order * order] }
    }

    /// The matrix with these entries, from row and column.
    pub fn from_fn(order: usize, mut entry: impl FnMut(usize, usize) -> f64) -> Self {
        let mut matrix = Self::zeros(order);
        for row in 0..order {
            for column in 0..order {
                matrix[(row, column)] = entry(row, column);
            }
        }
        matrix
    }

    /// Number of rows and of columns.
    pub fn order(&self) -> usize {
        self.order
    }

    /// One row.
    pub fn row(&self, row: usize) -> &[f64] {
        &self.values[row * self.order..(row + 1) * self.order]
    }

    /// The diagonal.
    pub fn diagonal(&self) -> Vec<f64> {
        (0..self.order).map(|i| self[(i, i)]).collect()
    }

    /// `self += factor · other`
    pub fn add_scaled(&mut self, factor: f64, other: &Self) {
        for (value, other) in self.values.iter_mut().zip(&other.values) {
            *value += factor * other;
        }
    }

    /// `self += factor · a a′`
    pub fn add_outer(&mut self, factor: f64, a: &[f64]) {
        for (row, &left) in a.iter().enumerate() {
            let values = &mut self.values[row * self.order..(row + 1) * self.order];
            for (value, &right) in values.iter_mut().zip(a) {
                *value += factor * left * right;
            }
        }
    }

    /// As [`add_outer`](Self::add_outer), for the upper triangle only.
    pub(crate) fn add_upper_outer(&mut self, factor: f64, a: &[f64]) {
        for (row, &left) in a.iter().enumerate() {
            let values = &mut self.values[row * self.order + row..(row + 1) * self.order];
            for (value, &right) in values.iter_mut().zip(&a[row..]) {
                *value += factor * left * right;
            }
        }
    }

    /// `factor · self`
    pub fn scaled(&self, factor: f64) -> Self {
        Self { order: self.order, values: self.values.iter().map(|v| factor * v).collect() }
    }

    /// `self · vector`
    pub fn times(&self, vector: &[f64]) -> Vec<f64> {
        (0..self.order).map(|row| dot(self.row(row), vector)).collect()
    }

    /// `self · other`
    pub fn product(&self, other: &Self) -> Self {
        let mut product = Self::zeros(self.order);
        for row in 0..self.order {
            for inner in 0..self.order {
                let left = self[(row, inner)];
                for column in 0..self.order {
                    product[(row, column)] += left * other[(inner, column)];
                }
            }
        }
        product
    }

    /// `a′ · self · a`
    pub fn quadratic_form(&self, a: &[f64]) -> f64 {
        dot(a, &self.times(a))
    }

    /// Square root of the sum of squares of all entries.
    pub fn frobenius(&self) -> f64 {
        dot(&self.values, &self.values).sqrt()
    }

    /// The principal submatrix of these rows and columns.
    pub fn submatrix(&self, indices: &[usize]) -> Self {
        Self::from_fn(indices.len(), |row, column| self[(indices[row], indices[column])])
    }

    /// Whether every entry is a finite number.
    pub fn is_finite(&self) -> bool {
        self.values.iter().all(|value| value.is_finite())
    }
}

impl Index<(usize, usize)> for Matrix {
    type Output = f64;

    #[inline]
    fn index(&self, (row, column): (usize, usize)) -> &f64 {
        &self.values[row * self.order + column]
    }
}

impl IndexMut<(usize, usize)> for Matrix {
    #[inline]
    fn index_mut(&mut self, (row, column): (usize, usize)) -> &mut f64 {
        &mut self.values[row * self.order + column]
    }
}

impl From<Matrix> for Vec<Vec<f64>> {
    fn from(matrix: Matrix) -> Self {
        (0..matrix.order).map(|row| matrix.row(row).to_vec()).collect()
    }
}

impl TryFrom<Vec<Vec<f64>>> for Matrix {
    type Error = String;

    fn try_from(rows: Vec<Vec<f64>>) -> Result<Self, String> {
        let order = rows.len();
        if let Some(row) = rows.iter().find(|row| row.len() != order) {
            return Err(format!("a matrix of {order} rows has a row of {} entries", row.len()));
        }
        Ok(Self { order, values: rows.concat() })
    }
}

/// `Σ aᵢ bᵢ`
pub(crate) fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

/// A = L L′ of a symmetric positive definite matrix.
#[derive(Clone, Debug)]
pub struct Cholesky {
    lower: Matrix,
}

/// A column that is (nearly) a combination of the columns before it.
#[derive(Clone, Debug, PartialEq)]
pub struct Dependent {
    /// Index of the column.
    pub column: usize,
    /// Column ≈ Σ coefficient · earlier column, in the metric of the matrix.
    pub combination: Vec<f64>,
}

impl Cholesky {
    /// Factors `matrix`; only its lower triangle is read.
    ///
    /// A column counts as dependent when less than `tolerance` of its diagonal
    /// entry is left once the earlier columns are taken out: in a covariance
    /// matrix that is 1 − R², so the test does not depend on units.
    ///
    /// # Errors
    /// The first dependent column.
    pub fn new(matrix: &Matrix, tolerance: f64) -> Result<Self, Dependent> {
        let order = matrix.order();
        let mut lower = Matrix::zeros(order);
        for column in 0..order {
            for row in column..order {
                let sum = matrix[(row, column)]
                    - dot(&lower.row(row)[..column], &lower.row(column)[..column]);
                if row > column {
                    lower[(row, column)] = sum / lower[(column, column)];
                } else if sum > tolerance * matrix[(column, column)] && sum.is_finite() {
                    lower[(column, column)] = sum.sqrt();
                } else {
                    // L₁ y = a gives the earlier part; L₁′ c = y the combination.
                    let mut combination = lower.row(column)[..column].to_vec();
                    solve_transposed(&lower, &mut combination);
                    return Err(Dependent { column, combination });
                }
            }
        }
        Ok(Self { lower })
    }

    /// x with A x = b.
    pub fn solve(&self, b: &[f64]) -> Vec<f64> {
        let mut x = self.solve_lower(b);
        solve_transposed(&self.lower, &mut x);
        x
    }

    /// y with L y = b, so that y′y = b′A⁻¹b.
    pub fn solve_lower(&self, b: &[f64]) -> Vec<f64> {
        let mut y = b.to_vec();
        for row in 0..y.len() {
            let sum = y[row] - dot(&self.lower.row(row)[..row], &y[..row]);
            y[row] = sum / self.lower[(row, row)];
        }
        y
    }

    /// A⁻¹, where the inverse itself is asked for (covariances of estimates).
    pub fn inverse(&self) -> Matrix {
        let order = self.lower.order();
        let mut inverse = Matrix::zeros(order);
        for column in 0..order {
            let mut unit = vec![0.0; order];
            unit[column] = 1.0;
            for (row, value) in self.solve(&unit).into_iter().enumerate() {
                inverse[(row, column)] = value;
            }
        }
        // Solving column by column leaves asymmetry in the last bit.
        Matrix::from_fn(order, |i, j| 0.5 * (inverse[(i, j)] + inverse[(j, i)]))
    }

    /// log |A|
    pub fn log_determinant(&self) -> f64 {
        2.0 * self.lower.diagonal().iter().map(|value| value.ln()).sum::<f64>()
    }
}

/// Solves L₁′ x = b in place, with L₁ the leading block of `lower`.
fn solve_transposed(lower: &Matrix, b: &mut [f64]) {
    for row in (0..b.len()).rev() {
        let mut sum = b[row];
        for later in row + 1..b.len() {
            sum -= lower[(later, row)] * b[later];
        }
        b[row] = sum / lower[(row, row)];
    }
}
