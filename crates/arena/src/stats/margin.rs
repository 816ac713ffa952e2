use serde::{Deserialize, Serialize};

use super::TTest;
use super::bootstrap::{Interval, bootstrap_mean};
use super::distributions::student_two_sided;

/// What the disc differences of the pairs say: often more than the bare
/// results, but it is winning that counts, so this is the second witness.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Margin {
    /// Mean disc difference of a game for the first player.
    pub mean: f64,
    /// Is it nothing? `None` for fewer than two pairs or pairs all alike.
    pub test: Option<TTest>,
    /// Bootstrap interval of the mean.
    pub interval: Interval,
}

/// The margin from the mean disc difference per game of every pair; `None`
/// without pairs.
pub fn margin(pairs: &[f64], resamples: usize, seed: u64) -> Option<Margin> {
    if pairs.is_empty() {
        return None;
    }
    let n = pairs.len() as f64;
    let mean = pairs.iter().sum::<f64>() / n;
    let square = pairs.iter().map(|d| (d - mean).powi(2)).sum::<f64>();
    let test = (pairs.len() > 1 && square > 0.0).then(|| {
        let t = mean / (square / (n - 1.0) / n).sqrt();
        TTest { t, degrees: pairs.len() as u64 - 1, p: student_two_sided(t, n - 1.0) }
    });
    Some(Margin { mean, test, interval: bootstrap_mean(pairs, resamples, seed) })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_t_value_is_the_textbook_s() {
        // Mean 2, standard deviation 2, n = 4.
        let found = margin(&[0.0, 2.0, 2.0, 4.0], 1000, 1).unwrap();
        assert_eq!(found.mean, 2.0);
        let test = found.test.unwrap();
        assert!((test.t - 2.0 / (8.0f64 / 3.0 / 4.0).sqrt()).abs() < 1e-12 && test.degrees == 3);
        assert!(found.interval.low >= 0.0 && found.interval.high <= 4.0);
        assert!(margin(&[], 10, 1).is_none());
        assert!(margin(&[3.0, 3.0], 10, 1).unwrap().test.is_none());
    }
}
