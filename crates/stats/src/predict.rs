//! What every fitted model can do: turn features into a winning probability.

/// A model whose value is a log-odds: P(W|x) = 1/(1+exp(−f(x))) (Section 2.1).
pub trait Predict {
    /// f(x); features in the order of the data the model was fitted to.
    fn log_odds(&self, features: &[f64]) -> f64;

    /// P(W|x)
    fn probability(&self, features: &[f64]) -> f64 {
        logistic(self.log_odds(features))
    }
}

/// 1/(1+e^(−f)), without overflow.
pub fn logistic(log_odds: f64) -> f64 {
    if log_odds >= 0.0 {
        1.0 / (1.0 + (-log_odds).exp())
    } else {
        let odds = log_odds.exp();
        odds / (1.0 + odds)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn probability_is_symmetric_and_never_leaves_zero_to_one() {
        for f in [0.0, 1e-9, 0.3, 5.0, 40.0, 800.0] {
            assert!((logistic(f) + logistic(-f) - 1.0).abs() < 1e-15);
            assert!((0.0..=1.0).contains(&logistic(f)));
        }
        assert_eq!(logistic(0.0), 0.5);
        assert!(logistic(-700.0) > 0.0);
    }
}
