use discern_board::Dice;
use serde::{Deserialize, Serialize};

use super::Sample;

/// Resamples drawn by default.
pub const RESAMPLES: usize = 20_000;

/// A 95 % interval.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Interval {
    /// Its lower end.
    pub low: f64,
    /// Its upper end.
    pub high: f64,
}

/// The percentile interval of the mean score: the same for the same seed.
pub fn bootstrap_score(sample: &Sample, resamples: usize, seed: u64) -> Interval {
    let mut dice = Dice::new(&[seed]);
    percentiles((0..resamples).map(|_| sample.resample(&mut dice).mean()).collect())
}

/// The percentile interval of the mean of any numbers.
pub fn bootstrap_mean(values: &[f64], resamples: usize, seed: u64) -> Interval {
    let mut dice = Dice::new(&[seed]);
    let mut mean = || {
        let drawn = values.iter().map(|_| values[dice.below(values.len() as u64) as usize]);
        drawn.sum::<f64>() / values.len() as f64
    };
    percentiles((0..resamples).map(|_| mean()).collect())
}

fn percentiles(mut means: Vec<f64>) -> Interval {
    means.sort_by(f64::total_cmp);
    let at = |share: f64| {
        let last = means.len().saturating_sub(1) as f64;
        means.get((share * last).round() as usize).copied().unwrap_or(f64::NAN)
    };
    Interval { low: at(0.025), high: at(0.975) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::stats::Pentanomial;

    #[test]
    fn the_paper_s_match_has_the_known_interval() {
        let sample = Pentanomial([12, 6, 40, 7, 35]).into();
        let found = bootstrap_score(&sample, RESAMPLES, 1);
        assert!((found.low - 0.55).abs() < 0.0051 && (found.high - 0.6825).abs() < 0.0051);
        assert_eq!(found, bootstrap_score(&sample, RESAMPLES, 1));
    }

    #[test]
    fn means_of_numbers_have_intervals_too() {
        let values: Vec<f64> = (0..100).map(f64::from).collect();
        let found = bootstrap_mean(&values, 4000, 7);
        // The standard error is 2.887.
        assert!((found.low - (49.5 - 5.66)).abs() < 0.6, "{found:?}");
        assert!((found.high - (49.5 + 5.66)).abs() < 0.6, "{found:?}");
    }
}
