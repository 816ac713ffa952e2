//! Calibration: does what is called 70 % happen 70 times in a hundred?

use serde::{Deserialize, Serialize};

use super::{Prediction, mean};
use crate::inference::Reference;

/// How probabilities are put into bins.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Bins {
    /// This many bins of equal width.
    EqualWidth(usize),
    /// This many bins of (nearly) equal weight.
    EqualWeight(usize),
}

/// One bin of a calibration curve.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct CalibrationBin {
    /// Smallest and largest probability in the bin.
    pub range: (f64, f64),
    /// Weight of the rows.
    pub weight: f64,
    /// Mean predicted probability.
    pub predicted: f64,
    /// Mean share of the win that came about.
    pub observed: f64,
    /// Confidence interval of `observed`.
    pub interval: (f64, f64),
}

/// The calibration curve; empty bins are left out.
///
/// Intervals are those of Wilson (1927) with as many observations as carry
/// the information of the bin: fewer than rows where rows of a game resemble
/// each other.
pub fn calibration(predictions: &[Prediction], bins: Bins, confidence: f64) -> Vec<CalibrationBin> {
    let mut sorted = predictions.to_vec();
    sorted.sort_by(|a, b| a.log_odds.total_cmp(&b.log_odds));
    let z = Reference::Normal.quantile(confidence);
    split(&sorted, bins)
        .into_iter()
        .filter(|rows| !rows.is_empty())
        .map(|rows| bin(rows, z))
        .collect()
}

/// Consecutive parts of sorted predictions.
fn split(sorted: &[Prediction], bins: Bins) -> Vec<&[Prediction]> {
    let total: f64 = sorted.iter().map(|p| p.weight).sum();
    let mut passed = 0.0;
    let keys: Vec<usize> = match bins {
        Bins::EqualWidth(count) => {
            let last = count.saturating_sub(1);
            sorted.iter().map(|p| ((p.probability() * count as f64) as usize).min(last)).collect()
        }
        Bins::EqualWeight(count) => sorted
            .iter()
            .map(|p| {
                let key = (passed / total * count as f64) as usize;
                passed += p.weight;
                key
            })
            .collect(),
    };
    let mut rest = sorted;
    keys.chunk_by(|a, b| a == b)
        .map(|chunk| {
            let (rows, later) = rest.split_at(chunk.len());
            rest = later;
            rows
        })
        .collect()
}

fn bin(rows: &[Prediction], z: f64) -> CalibrationBin {
    let weight: f64 = rows.iter().map(|p| p.weight).sum();
    let predicted = mean(rows, Prediction::probability).value;
    let observed = mean(rows, |p| p.outcome);
    let p = observed.value;
    // Rows of a group together weigh like fewer independent ones.
    let informative = if rows.iter().any(|row| row.group.is_some()) && observed.standard_error > 0.0
    {
        (p * (1.0 - p) / observed.standard_error.powi(2)).min(weight)
    } else {
        weight
    };
    let range = match rows {
        [first, .., last] => (first.probability(), last.probability()),
        _ => (predicted, predicted),
    };
    CalibrationBin { range, weight, predicted, observed: p, interval: wilson(p, informative, z) }
}

/// Wilson's confidence interval of a share of `rows` independent rows.
pub fn share_interval(share: f64, rows: f64, confidence: f64) -> (f64, f64) {
    wilson(share, rows, Reference::Normal.quantile(confidence))
}

/// Wilson's interval of a share p of n.
fn wilson(p: f64, n: f64, z: f64) -> (f64, f64) {
    let z2 = z * z / n;
    let middle = (p + 0.5 * z2) / (1.0 + z2);
    let half = (z / (1.0 + z2)) * (p * (1.0 - p) / n + 0.25 * z2 / n).sqrt();
    ((middle - half).max(0.0), (middle + half).min(1.0))
}
