use discern_board::Outcome;
use serde::{Deserialize, Serialize};

use super::bootstrap::{Interval, RESAMPLES, bootstrap_score};
use super::conservative::conservative_test;
use super::elo::{Estimate, elo, likelihood_of_superiority, normalized_elo};
use super::margin::{Margin, margin};
use super::paired::{TTest, label_swap_test, sign_test, t_test};
use super::{Pentanomial, Sample, Tally};

/// One opening played twice with colours reversed: disc differences from the
/// first player's side. An awarded game counts as 64 discs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Pair {
    /// Outcomes for the first player.
    pub outcomes: [Outcome; 2],
    /// Disc differences for the first player.
    pub discs: [i32; 2],
}

impl Pair {
    /// A pair from the two disc differences.
    pub fn new(discs: [i32; 2]) -> Pair {
        let outcome = |d: i32| match d.signum() {
            1 => Outcome::Win,
            0 => Outcome::Draw,
            _ => Outcome::Loss,
        };
        Pair { outcomes: discs.map(outcome), discs }
    }

    /// Its place in the pentanomial: half points of the first player.
    pub fn class(&self) -> usize {
        let mut pairs = Pentanomial::default();
        pairs.add(self.outcomes);
        pairs.0.iter().position(|&count| count == 1).expect("one pair was counted")
    }
}

/// Everything a match between two players says, from the first one's side.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Summary {
    /// Games of complete pairs.
    pub tally: Tally,
    /// The same by pairs.
    pub pentanomial: Pentanomial,
    /// Logistic Elo with error.
    pub elo: Estimate,
    /// Normalised Elo with error; `None` without variance.
    pub normalized_elo: Option<Estimate>,
    /// Likelihood that the first player is stronger.
    pub superiority: f64,
    /// The paper's conservative test, one-sided.
    pub conservative: f64,
    /// Exact label-swap test on pairs, two-sided.
    pub label_swap: f64,
    /// t-test on pairs, two-sided.
    pub t_test: Option<TTest>,
    /// Sign test on decided pairs, two-sided.
    pub sign: f64,
    /// Bootstrap interval of the score.
    pub score_interval: Interval,
    /// Disc differences.
    pub margin: Option<Margin>,
}

impl Summary {
    /// Sums a match up. Random numbers are used only by the bootstrap.
    pub fn new(pairs: &[Pair], seed: u64) -> Summary {
        let (mut tally, mut pentanomial) = (Tally::default(), Pentanomial::default());
        for pair in pairs {
            pair.outcomes.into_iter().for_each(|outcome| tally.add(outcome));
            pentanomial.add(pair.outcomes);
        }
        let sample = Sample::from(pentanomial);
        let margins: Vec<f64> =
            pairs.iter().map(|pair| f64::from(pair.discs[0] + pair.discs[1]) / 2.0).collect();
        let [ll, ld, _, wd, ww] = pentanomial.0;
        Summary {
            tally,
            pentanomial,
            elo: elo(&sample),
            normalized_elo: normalized_elo(&sample),
            superiority: likelihood_of_superiority(&sample),
            conservative: conservative_test(pentanomial.pairs(), pentanomial.points()),
            label_swap: label_swap_test(pentanomial),
            t_test: t_test(pentanomial),
            sign: sign_test(wd + ww, ll + ld),
            score_interval: bootstrap_score(&sample, RESAMPLES, seed),
            margin: margin(&margins, RESAMPLES / 4, seed),
        }
    }

    /// Percentage of the points: 100 (W + D/2) / N.
    pub fn percentage(&self) -> f64 {
        self.tally.percentage()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_match_is_summed_up_by_pairs() {
        let pairs = [[4, 2], [10, -6], [0, 0], [-2, -2], [8, 0]].map(Pair::new);
        let summary = Summary::new(&pairs, 1);
        assert_eq!(summary.tally, Tally { wins: 4, draws: 3, losses: 3 });
        assert_eq!(summary.pentanomial.0, [1, 0, 2, 1, 1]);
        assert_eq!(summary.percentage(), 55.0);
        assert_eq!(summary.margin.unwrap().mean, 1.4);
        assert_eq!(pairs.map(|pair| pair.class()), [4, 2, 2, 0, 3]);
    }

    #[test]
    fn an_empty_match_says_nothing() {
        let summary = Summary::new(&[], 1);
        assert_eq!(
            (summary.percentage(), summary.label_swap, summary.conservative),
            (50.0, 1.0, 1.0)
        );
    }
}
