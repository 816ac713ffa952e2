//! The fitted sparse logistic regression.

use super::block::SparseBlock;
use super::examples::SparseExamples;
use super::facts::Facts;
use super::newton::Minimum;
use super::objective::Told;
use super::space::{PhaseIntercepts, Space};
use crate::error::DataError;
use crate::logistic::StopReason;
use crate::metrics::Prediction;
use crate::predict::logistic;

/// What the standard errors allow for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SparseErrors {
    /// The uncertainty of all other weights: the inverse of the whole
    /// information with the prior.
    Joint,
    /// None: the others are taken as known. These errors are too small where
    /// weights go together in many rows, and right in their order. For models
    /// whose information does not fit into memory.
    Conditional,
}

impl SparseErrors {
    /// The word used in files.
    pub fn word(self) -> &'static str {
        match self {
            Self::Joint => "joint",
            Self::Conditional => "conditional",
        }
    }
}

/// A constant.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Intercept {
    /// The phase; `None` if it is that of all rows.
    pub phase: Option<i32>,
    /// The estimate.
    pub value: f64,
    /// Its standard error.
    pub error: f64,
    /// Weight of its rows.
    pub count: f64,
}

/// The constant of a phase among some in the order of their phases: its own, or
/// that of the nearest phase; 0 without any.
pub fn intercept_of(intercepts: &[Intercept], phase: i32) -> f64 {
    let after = intercepts.partition_point(|i| i.phase.is_some_and(|other| other < phase));
    let near = &intercepts[after.saturating_sub(1)..(after + 1).min(intercepts.len())];
    let distance = |i: &&Intercept| i.phase.map_or(0, |other| other.abs_diff(phase));
    near.iter().min_by_key(distance).map_or(0.0, |intercept| intercept.value)
}

/// A fitted sparse logistic regression.
#[derive(Clone, Debug, PartialEq)]
pub struct SparseFit {
    /// The constants in the order of their phases; empty without any.
    pub intercepts: Vec<Intercept>,
    /// The weight of each index.
    pub weights: Vec<f64>,
    /// Its standard error: that of a normal approximation to the posterior. A
    /// weight without rows has that of the prior, infinite without one.
    pub errors: Vec<f64>,
    /// Weight of the rows that have it, or an index tied to it.
    pub counts: Vec<f64>,
    /// What the errors allow for.
    pub error_kind: SparseErrors,
    /// Why the iteration stopped.
    pub stop: StopReason,
    /// Newton steps over all rows.
    pub steps: u32,
    /// Passes over all rows, those over a part of them in proportion.
    pub passes: f64,
    /// The largest |gradient| / √information in the end.
    pub gradient: f64,
    /// log L without binomial coefficients.
    pub log_likelihood: f64,
    /// The penalty of the prior, which the fit has added to −log L.
    pub penalty: f64,
    /// Sum of the weights of all rows.
    pub rows: f64,
}

impl SparseFit {
    pub(super) fn new(
        space: &Space,
        facts: &Facts,
        minimum: Minimum,
        told: Told,
        joint: Option<Vec<f64>>,
        passes: f64,
    ) -> Self {
        let error_kind =
            if joint.is_some() { SparseErrors::Joint } else { SparseErrors::Conditional };
        let errors = joint.unwrap_or_else(|| {
            let mut information = told.information;
            space.add_diagonal(&mut information);
            information.into_iter().map(|information| information.sqrt().recip()).collect()
        });
        let mut fit = Self {
            intercepts: Vec::new(),
            weights: vec![0.0; space.indices()],
            errors: vec![0.0; space.indices()],
            counts: vec![0.0; space.indices()],
            error_kind,
            stop: minimum.stop,
            steps: minimum.steps,
            passes,
            gradient: minimum.gradient,
            log_likelihood: -minimum.evaluation.loss,
            penalty: minimum.evaluation.value - minimum.evaluation.loss,
            rows: facts.total.rows,
        };
        for index in 0..space.indices() {
            if let Some((weight, sign)) = space.weight_of(index) {
                fit.weights[index] = sign * minimum.point[weight];
                fit.errors[index] = errors[weight];
                fit.counts[index] = told.counts[weight];
            }
        }
        fit.intercepts = (space.weights()..space.len())
            .map(|at| {
                let phase = match &space.intercepts {
                    PhaseIntercepts::Each(phases) => Some(phases[at - space.weights()]),
                    _ => None,
                };
                let (value, error) = (minimum.point[at], errors[at]);
                Intercept { phase, value, error, count: told.counts[at] }
            })
            .collect();
        fit
    }

    /// The constant of a phase: its own, or that of the nearest phase.
    pub fn intercept(&self, phase: i32) -> f64 {
        intercept_of(&self.intercepts, phase)
    }

    /// The log-odds of a row without an offset. An index without a weight
    /// counts as 0.
    pub fn log_odds(&self, entries: &[(u32, f64)], phase: i32) -> f64 {
        let weight = |index: u32| self.weights.get(index as usize).copied().unwrap_or(0.0);
        let sum: f64 = entries.iter().map(|&(index, value)| value * weight(index)).sum();
        self.intercept(phase) + sum
    }

    /// P(W) of a row without an offset.
    pub fn probability(&self, entries: &[(u32, f64)], phase: i32) -> f64 {
        logistic(self.log_odds(entries, phase))
    }

    /// Applies the model to every row that counts.
    ///
    /// Needs 40 bytes per row, as [`predict_all`](crate::predict_all).
    ///
    /// # Errors
    /// If reading fails or rows have no outcome.
    pub fn predict_all(&self, examples: &dyn SparseExamples) -> Result<Vec<Prediction>, DataError> {
        let mut predictions = Vec::new();
        for block in examples.blocks() {
            let block = block?;
            for row in 0..block.rows() {
                let weight = block.weight(row);
                if weight <= 0.0 {
                    continue;
                }
                predictions.push(Prediction {
                    phase: block.phase(),
                    log_odds: self.row_log_odds(&block, row),
                    outcome: block.outcome(row).ok_or(DataError::Ragged("outcome"))?,
                    weight,
                    group: block.group(row),
                });
            }
        }
        Ok(predictions)
    }

    /// The log-odds of a row of a block, with its offset.
    pub fn row_log_odds(&self, block: &SparseBlock, row: usize) -> f64 {
        let weight = |index: u32| self.weights.get(index as usize).copied().unwrap_or(0.0);
        let sum: f64 = block.entries(row).map(|(index, value)| value * weight(index)).sum();
        block.offset(row) + self.intercept(block.phase()) + sum
    }
}
