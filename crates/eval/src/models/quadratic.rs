use std::sync::Arc;

use discern_board::Board;
use serde_json::{Value, json};

use super::{Kind, Model, Parts};
use crate::bytes::{Reader, put_f64s};
use crate::fast::quad_evaluator;
use crate::{AnyEvaluator, Basis, Phases, WeightsError};

pub(crate) const KIND: Kind = Kind { name: "quadratic", decode };

/// A quadratic model of every phase (QUAD): f(x) = x Q x′ + L x′ + c.
#[derive(Debug, Clone, PartialEq)]
pub struct QuadraticModel {
    /// The model of each phase.
    pub phases: Phases<QuadraticPhase>,
}

/// A quadratic model of one phase; its numbers are those of the features of
/// the basis, 0 for one left out.
#[derive(Debug, Clone, PartialEq)]
pub struct QuadraticPhase {
    /// The constant c.
    pub constant: f64,
    /// The linear part L.
    pub linear: Vec<f64>,
    /// The rows of the symmetric matrix Q.
    pub quadratic: Vec<Vec<f64>>,
}

impl QuadraticPhase {
    /// f(x), without taking it apart.
    pub fn value(&self, x: &[f64]) -> f64 {
        let mut sum = self.constant;
        for ((x_j, linear), row) in x.iter().zip(&self.linear).zip(&self.quadratic) {
            let row: f64 = row.iter().zip(x).map(|(q, x)| q * x).sum();
            sum += x_j * (linear + row);
        }
        sum
    }

    /// What each feature adds to f(x): its linear term, its square, and half
    /// of each product with another feature.
    pub fn parts(&self, x: &[f64]) -> Parts {
        let part = |((x_j, linear), row): ((&f64, &f64), &Vec<f64>)| {
            let row: f64 = row.iter().zip(x).map(|(q, x)| q * x).sum();
            x_j * (linear + row)
        };
        let contributions = x.iter().zip(&self.linear).zip(&self.quadratic).map(part).collect();
        Parts { intercept: self.constant, contributions }
    }
}

impl Model for QuadraticModel {
    fn kind(&self) -> &'static str {
        KIND.name
    }

    /// Of each phase the constant, the linear part and the lower triangle of
    /// the matrix row by row.
    fn encode(&self, _: &Basis) -> Vec<u8> {
        let mut out = Vec::new();
        for (_, phase) in self.phases.iter() {
            put_f64s(&mut out, &[phase.constant]);
            put_f64s(&mut out, &phase.linear);
            for (row, q) in phase.quadratic.iter().enumerate() {
                put_f64s(&mut out, &q[..=row]);
            }
        }
        out
    }

    fn evaluator(&self, basis: &Basis) -> AnyEvaluator {
        quad_evaluator(basis, self)
    }

    fn explain(&self, _: &Basis, board: &Board, x: &[f64]) -> Parts {
        self.phases.at(board.discs() as usize).parts(x)
    }

    fn describe(&self, basis: &Basis, discs: usize) -> Value {
        let QuadraticPhase { constant, linear, quadratic } = self.phases.at(discs);
        json!({
            "features": basis.features().names(),
            "quadratic": quadratic,
            "linear": linear,
            "constant": constant,
        })
    }
}

fn decode(basis: &Basis, content: &[u8]) -> Result<Arc<dyn Model>, WeightsError> {
    let mut reader = Reader(content);
    let count = basis.features().len();
    let phases = Phases::try_from_fn(|_| {
        let (constant, linear) = (reader.f64()?, reader.f64s(count)?);
        let mut quadratic = vec![vec![0.0; count]; count];
        for (row, column) in (0..count).flat_map(|row| (0..=row).map(move |c| (row, c))) {
            let q = reader.f64()?;
            quadratic[row][column] = q;
            quadratic[column][row] = q;
        }
        Ok(QuadraticPhase { constant, linear, quadratic })
    })?;
    reader.end()?;
    Ok(Arc::new(QuadraticModel { phases }))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn contributions_of_a_quadratic_form_add_up() {
        let model = QuadraticPhase {
            constant: 0.5,
            linear: vec![2.0, 0.0],
            quadratic: vec![vec![0.0, 1.5], vec![1.5, -1.0]],
        };
        let parts = model.parts(&[3.0, 2.0]);
        // 0.5 + 2·3 + 2·1.5·3·2 − 2²
        assert_eq!(parts.value(), 0.5 + 6.0 + 18.0 - 4.0);
        assert_eq!(parts.contributions, [6.0 + 9.0, 9.0 - 4.0]);
    }
}
