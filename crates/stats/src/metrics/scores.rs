//! Log loss, Brier score and accuracy.

use serde::{Deserialize, Serialize};

use super::{Discordance, Measured, Prediction, discordance, mean};

/// How good predictions are, each number with its standard error.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Metrics {
    /// Weight of the rows.
    pub rows: f64,
    /// Share of wrongly ordered pairs; `None` if all outcomes are equal.
    pub discordance: Option<Discordance>,
    /// −mean of s·log p + (1−s)·log(1−p) with s the share of the win.
    pub log_loss: Measured,
    /// Mean of (p − s)².
    pub brier: Measured,
    /// Share of rows on the right side of ½; a draw, and a prediction of
    /// exactly ½, are half right.
    pub accuracy: Measured,
}

/// All metrics of some predictions; `None` if there are none.
pub fn metrics(predictions: &[Prediction]) -> Option<Metrics> {
    let rows: f64 = predictions.iter().map(|p| p.weight).sum();
    if rows <= 0.0 {
        return None;
    }
    Some(Metrics {
        rows,
        discordance: discordance(predictions),
        log_loss: mean(predictions, log_loss),
        brier: mean(predictions, |p| (p.probability() - p.outcome).powi(2)),
        accuracy: mean(predictions, |p| {
            if p.log_odds > 0.0 {
                p.outcome
            } else if p.log_odds < 0.0 {
                1.0 - p.outcome
            } else {
                0.5
            }
        }),
    })
}

/// −log of the probability given to what happened: log(1+e^f) − s·f.
fn log_loss(p: &Prediction) -> f64 {
    p.log_odds.max(0.0) + (-p.log_odds.abs()).exp().ln_1p() - p.outcome * p.log_odds
}
