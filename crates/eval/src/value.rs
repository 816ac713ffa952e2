use std::fmt;
use std::ops::{Add, Neg, Sub};

use discern_board::{Outcome, Score};

/// The log-odds f of a win for the mover, in thousandths: P(W) = 1/(1+e^−f).
///
/// Estimates stay within ±[`Value::MAX_ESTIMATE`]; a proven win or loss lies
/// beyond, ordered by its score. A proven draw is 0: even odds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
#[repr(transparent)]
pub struct Value(i32);

impl Value {
    /// Even odds.
    pub const EVEN: Value = Value(0);
    /// The largest estimate, P(W) = 0.9999997.
    pub const MAX_ESTIMATE: Value = Value(15_000);
    /// Above every value, below which a search window opens.
    pub const INFINITE: Value = Value(30_000);

    /// What a proven win adds to its score.
    const PROVEN: i32 = 20_000;

    /// An estimate from log-odds in thousandths, kept in the estimates' range.
    #[inline(always)]
    pub const fn estimate(thousandths: i32) -> Value {
        let max = Value::MAX_ESTIMATE.0;
        if thousandths > max {
            Value(max)
        } else if thousandths < -max {
            Value(-max)
        } else {
            Value(thousandths)
        }
    }

    /// The nearest estimate to these log-odds.
    pub fn from_log_odds(f: f64) -> Value {
        Value::estimate((f * 1000.0).round() as i32)
    }

    /// A result known for certain.
    #[inline(always)]
    pub const fn proven(score: Score) -> Value {
        let discs = score.discs();
        Value(discs + discs.signum() * Value::PROVEN)
    }

    /// A number of thousandths as it is, for windows and stored bounds.
    #[inline(always)]
    pub const fn from_thousandths(thousandths: i32) -> Value {
        Value(thousandths)
    }

    /// Log-odds in thousandths.
    #[inline(always)]
    pub const fn thousandths(self) -> i32 {
        self.0
    }

    /// Log-odds f; proven results are beyond ±20.
    pub fn log_odds(self) -> f64 {
        f64::from(self.0) / 1000.0
    }

    /// P(W) for the mover: 1 or 0 when proven.
    pub fn probability(self) -> f64 {
        match self.proven_score() {
            Some(score) if score.outcome() == Outcome::Win => 1.0,
            Some(_) => 0.0,
            None => 1.0 / (1.0 + (-self.log_odds()).exp()),
        }
    }

    /// The final score it promises, in discs: the proven one, or four discs
    /// per logit, at most 64. A rule of thumb for programs and people who think
    /// in discs: in the middle of the game a lead of four discs wins about e
    /// times as often as it loses.
    pub fn discs(self) -> f64 {
        match self.proven_score() {
            Some(score) => f64::from(score.discs()),
            None => (4.0 * self.log_odds()).clamp(-64.0, 64.0),
        }
    }

    /// The score of a proven win or loss. A proven draw cannot be told from
    /// an even estimate.
    pub fn proven_score(self) -> Option<Score> {
        if self.0.abs() <= Value::PROVEN {
            return None;
        }
        Score::new(self.0 - self.0.signum() * Value::PROVEN)
    }
}

impl Neg for Value {
    type Output = Value;

    #[inline(always)]
    fn neg(self) -> Value {
        Value(-self.0)
    }
}

impl Add<i32> for Value {
    type Output = Value;

    /// This many thousandths more.
    #[inline(always)]
    fn add(self, thousandths: i32) -> Value {
        Value(self.0 + thousandths)
    }
}

impl Sub<i32> for Value {
    type Output = Value;

    /// This many thousandths less.
    #[inline(always)]
    fn sub(self, thousandths: i32) -> Value {
        Value(self.0 - thousandths)
    }
}

impl fmt::Display for Value {
    /// Log-odds with two decimals, or the score of a proven result.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&match self.proven_score() {
            Some(score) => format!("{score} discs"),
            None => format!("{:+.2}", self.log_odds()),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn proven_results_lie_outside_the_estimates_in_the_order_of_their_scores() {
        let one = Value::proven(Score::new(2).unwrap());
        assert!(one > Value::MAX_ESTIMATE);
        assert!(Value::proven(Score::MAX) > one && Value::proven(Score::MAX) < Value::INFINITE);
        assert_eq!(Value::proven(Score::DRAW), Value::EVEN);
        for discs in -64..=64 {
            let score = Score::new(discs).unwrap();
            let back = Value::proven(score).proven_score();
            assert_eq!(back, (discs != 0).then_some(score));
            assert_eq!(Value::proven(-score), -Value::proven(score));
        }
    }

    #[test]
    fn discs_of_proven_scores_are_exact_and_of_estimates_bounded() {
        assert_eq!(Value::proven(Score::new(-12).unwrap()).discs(), -12.0);
        assert_eq!(Value::from_log_odds(0.5).discs(), 2.0);
        assert_eq!(Value::MAX_ESTIMATE.discs(), 60.0);
    }

    #[test]
    fn probability_is_the_logistic_function() {
        assert_eq!(Value::EVEN.probability(), 0.5);
        assert!((Value::from_log_odds(0.4).probability() - 0.598_687_66).abs() < 1e-8);
        assert_eq!(Value::from_log_odds(99.0), Value::MAX_ESTIMATE);
        assert_eq!(Value::proven(Score::MIN).probability(), 0.0);
    }
}
