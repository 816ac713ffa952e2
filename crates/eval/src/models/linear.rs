use std::sync::Arc;

use discern_board::Board;
use serde_json::{Value, json};

use super::{Kind, Model, Parts};
use crate::bytes::{Reader, put_f64s};
use crate::fast::{FoldedModel, board_terms};
use crate::{AnyEvaluator, Basis, Phases, WeightsError};

pub(crate) const KIND: Kind = Kind { name: "linear", decode };

/// A linear model of every phase (LOG and FISHER): f(x) = intercept +
/// Σ weightⱼ xⱼ.
#[derive(Debug, Clone, PartialEq)]
pub struct LinearModel {
    /// The model of each phase.
    pub phases: Phases<LinearPhase>,
}

/// A linear model of one phase.
#[derive(Debug, Clone, PartialEq)]
pub struct LinearPhase {
    /// The value of a board without any feature, from the mover's view.
    pub intercept: f64,
    /// The weight of each feature of the basis; 0 for one left out.
    pub weights: Vec<f64>,
    /// Standard errors of the intercept and the weights, where known.
    pub errors: Option<LinearErrors>,
}

/// Standard errors of a [`LinearPhase`].
#[derive(Debug, Clone, PartialEq)]
pub struct LinearErrors {
    /// Of the intercept.
    pub intercept: f64,
    /// Of the weights; 0 for a feature left out.
    pub weights: Vec<f64>,
}

impl LinearPhase {
    /// f(x), without taking it apart.
    pub fn value(&self, x: &[f64]) -> f64 {
        self.weights.iter().zip(x).fold(self.intercept, |sum, (weight, x)| sum + weight * x)
    }

    /// What each feature adds to f(x).
    pub fn parts(&self, x: &[f64]) -> Parts {
        let contributions = self.weights.iter().zip(x).map(|(weight, x)| weight * x).collect();
        Parts { intercept: self.intercept, contributions }
    }
}

impl Model for LinearModel {
    fn kind(&self) -> &'static str {
        KIND.name
    }

    /// Of each phase the intercept and the weights, a byte that says whether
    /// standard errors follow, and these.
    fn encode(&self, _: &Basis) -> Vec<u8> {
        let mut out = Vec::new();
        for (_, phase) in self.phases.iter() {
            put_f64s(&mut out, &[phase.intercept]);
            put_f64s(&mut out, &phase.weights);
            out.push(u8::from(phase.errors.is_some()));
            if let Some(errors) = &phase.errors {
                put_f64s(&mut out, &[errors.intercept]);
                put_f64s(&mut out, &errors.weights);
            }
        }
        out
    }

    fn evaluator(&self, basis: &Basis) -> AnyEvaluator {
        let terms =
            self.phases.map(|_, phase| board_terms(basis.features(), |place| phase.weights[place]));
        FoldedModel::new(basis, self).with_terms(terms, Phases::from_fn(|_| Vec::new()))
    }

    fn explain(&self, _: &Basis, board: &Board, x: &[f64]) -> Parts {
        self.phases.at(board.discs() as usize).parts(x)
    }

    fn describe(&self, basis: &Basis, discs: usize) -> Value {
        let LinearPhase { intercept, weights, errors } = self.phases.at(discs);
        let named = |intercept: f64, numbers: &[f64]| {
            let used = basis.features().iter().zip(numbers).filter(|(_, number)| **number != 0.0);
            let mut map = serde_json::Map::new();
            map.insert("(intercept)".into(), json!(intercept));
            map.extend(used.map(|(feature, number)| (feature.name().into(), json!(number))));
            Value::Object(map)
        };
        let mut object = json!({ "coefficients": named(*intercept, weights) });
        if let Some(errors) = errors {
            object["standard_errors"] = named(errors.intercept, &errors.weights);
        }
        object
    }
}

fn decode(basis: &Basis, content: &[u8]) -> Result<Arc<dyn Model>, WeightsError> {
    let mut reader = Reader(content);
    let count = basis.features().len();
    let phases = Phases::try_from_fn(|_| {
        let (intercept, weights) = (reader.f64()?, reader.f64s(count)?);
        let errors = match reader.u8()? {
            0 => None,
            _ => Some(LinearErrors { intercept: reader.f64()?, weights: reader.f64s(count)? }),
        };
        Ok(LinearPhase { intercept, weights, errors })
    })?;
    reader.end()?;
    Ok(Arc::new(LinearModel { phases }))
}
