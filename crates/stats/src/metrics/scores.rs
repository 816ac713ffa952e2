//! Log loss, Brier score and accuracy.

use super::{Discordance, Measured, Prediction, discordance, mean};

/// How good predictions are, each number with its standard error.
#[derive(Clone, Copy, Debug, PartialEq)]
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

#[cfg(test)]
mod tests {
    use super::*;

    fn row(probability: f64, outcome: f64) -> Prediction {
        let log_odds = (probability / (1.0 - probability)).ln();
        Prediction { phase: 0, log_odds, outcome, weight: 1.0, group: None }
    }

    #[test]
    fn hand_computed_values() {
        let found = metrics(&[row(0.8, 1.0), row(0.8, 0.0), row(0.5, 0.5)]).unwrap();
        let loss = -(0.8f64.ln() + 0.2f64.ln() + 0.5f64.ln()) / 3.0;
        assert!((found.log_loss.value - loss).abs() < 1e-12);
        assert!((found.brier.value - (0.04 + 0.64) / 3.0).abs() < 1e-12);
        assert!((found.accuracy.value - (1.0 + 0.0 + 0.5) / 3.0).abs() < 1e-12);
    }

    #[test]
    fn certain_and_wrong_is_finite_in_log_odds() {
        let wrong = Prediction { log_odds: 800.0, ..row(0.5, 0.0) };
        assert_eq!(metrics(&[wrong]).unwrap().log_loss.value, 800.0);
    }

    #[test]
    fn rows_of_one_game_do_not_count_as_independent() {
        let rows: Vec<Prediction> =
            (0..40).map(|i| row(0.6, f64::from(u8::from(i / 10 % 2 == 0)))).collect();
        let games: Vec<Prediction> = (0u32..)
            .zip(&rows)
            .map(|(i, row)| Prediction { group: Some(i / 10), ..*row })
            .collect();
        let alone = metrics(&rows).unwrap();
        let grouped = metrics(&games).unwrap();
        assert_eq!(alone.brier.value, grouped.brier.value);
        let ratio = grouped.brier.standard_error / alone.brier.standard_error;
        assert!((ratio - 10f64.sqrt()).abs() < 1e-9, "{ratio}");
    }

    #[test]
    fn no_rows_no_metrics() {
        assert_eq!(metrics(&[]), None);
    }
}
