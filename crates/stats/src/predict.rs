//! What every fitted model can do: turn features into a winning probability.

/// A model whose value is a log-odds: P(W|x) = 1/(1+exp(−f(x))) (Section 2.1).
pub trait Predict {
    /// f(x); features in the order of the data the model was fitted to.
    fn log_odds(&self, features: &[f64]) -> f64;

    /// P(W|x)
    fn probability(&self, features: &[f64]) -> f64 {
        logistic(self.log_odds(features))
    }

    /// What the model predicts in its own unit: the log-odds, or the score for
    /// linear regression.
    fn value(&self, features: &[f64]) -> f64 {
        self.log_odds(features)
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
