//! How good predicted probabilities are, on data the model has not seen.

mod calibration;
mod discordance;
mod scores;

pub use calibration::{Bins, CalibrationBin, calibration, share_interval};
pub use discordance::{Discordance, discordance, discordance_and_influence};
pub use scores::{Metrics, metrics};

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::error::DataError;
use crate::examples::Examples;

/// A predicted probability next to what happened.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Prediction {
    /// Phase of the row.
    pub phase: i32,
    /// Log-odds of a win; ordering by it never ties where probabilities
    /// round to the same number.
    pub log_odds: f64,
    /// Share of the win: 1 won, ½ drawn, 0 lost.
    pub outcome: f64,
    /// How often the row counts.
    pub weight: f64,
    /// Group (game) of the row.
    pub group: Option<u32>,
}

impl Prediction {
    /// P(W|x)
    pub fn probability(&self) -> f64 {
        crate::predict::logistic(self.log_odds)
    }
}

/// An estimate with its standard error.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Measured {
    /// The estimate.
    pub value: f64,
    /// Its standard error, by group where rows have groups.
    pub standard_error: f64,
}

/// Applies a model, given as log-odds of phase and features, to every row
/// that counts. Rows for which it has no answer are left out.
///
/// Needs 40 bytes per row: ordering rows is not possible without keeping them.
///
/// # Errors
/// If reading fails or rows have no outcome.
pub fn predict_all(
    examples: &dyn Examples,
    log_odds: impl Fn(i32, &[f64]) -> Option<f64>,
) -> Result<Vec<Prediction>, DataError> {
    let mut predictions = Vec::new();
    let mut features = vec![0.0; examples.features().len()];
    for block in examples.blocks() {
        let block = block?;
        let Some(outcome) = &block.outcome else {
            return Err(DataError::Ragged("outcome"));
        };
        for row in 0..block.rows() {
            let weight = block.weight_of(row);
            if weight <= 0.0 {
                continue;
            }
            for (feature, column) in features.iter_mut().zip(&block.features) {
                *feature = column.value(row);
            }
            if let Some(log_odds) = log_odds(block.phase, &features) {
                predictions.push(Prediction {
                    phase: block.phase,
                    log_odds,
                    outcome: outcome.value(row),
                    weight,
                    group: block.group.as_ref().map(|group| group[row]),
                });
            }
        }
    }
    Ok(predictions)
}

/// Σ over groups of (Σ over rows of weight·value)², or Σ weight·value² where
/// rows have no groups: the variance of a sum of values with mean 0.
fn variance_of_sum(rows: impl Iterator<Item = (Option<u32>, f64, f64)>) -> f64 {
    let mut single = 0.0;
    let mut groups: BTreeMap<u32, f64> = BTreeMap::new();
    for (group, weight, value) in rows {
        match group {
            Some(group) => *groups.entry(group).or_default() += weight * value,
            None => single += weight * value * value,
        }
    }
    single + groups.values().map(|sum| sum * sum).sum::<f64>()
}

/// Weighted mean of a value of each row.
fn mean(predictions: &[Prediction], value: impl Fn(&Prediction) -> f64) -> Measured {
    let total: f64 = predictions.iter().map(|p| p.weight).sum();
    let mean = predictions.iter().map(|p| p.weight * value(p)).sum::<f64>() / total;
    let rows = predictions.iter().map(|p| (p.group, p.weight, value(p) - mean));
    Measured { value: mean, standard_error: variance_of_sum(rows).sqrt() / total }
}
