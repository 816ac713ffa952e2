//! How far winning probabilities lie from the shares of wins, judged by single
//! disc counts: ranges of several hide what alternates from one to the next.

use std::collections::BTreeMap;

use discern_stats::{Bins, CalibrationBin, Prediction, calibration};

use crate::{Diagonal, DiscCount};

/// A calibrated bin is no further from the diagonal than this.
pub const SLACK: f64 = 0.05;
/// Bins with a smaller share of their phase's positions, or with fewer of them,
/// are not judged.
const LEAST_SHARE: f64 = 0.01;
const LEAST_POSITIONS: f64 = 100.0;

/// Bins of a calibration curve.
const BINS: usize = 20;
const CONFIDENCE: f64 = 0.95;

/// Bins judged, one phase after the other.
#[derive(Debug, Clone, Copy, Default)]
pub struct Judged {
    /// Bins that lie further off than [`SLACK`] beyond doubt.
    pub off: usize,
    /// Bins judged.
    pub bins: usize,
    /// How far the worst one lies off, and its disc counts; none without bins.
    pub worst: Option<(f64, [usize; 2])>,
}

impl Judged {
    /// Judges the bins of a phase with so many positions.
    pub fn add(&mut self, discs: [usize; 2], positions: f64, bins: &[CalibrationBin]) {
        let least = LEAST_POSITIONS.max(LEAST_SHARE * positions);
        for bin in bins.iter().filter(|bin| bin.weight >= least) {
            self.bins += 1;
            let (low, high) = bin.interval;
            self.off += usize::from(low > bin.predicted + SLACK || high < bin.predicted - SLACK);
            let distance = (bin.observed - bin.predicted).abs();
            if self.worst.is_none_or(|(most, _)| distance > most) {
                self.worst = Some((distance, discs));
            }
        }
    }
}

/// The predictions by single disc counts.
pub fn diagonal(predictions: impl IntoIterator<Item = Prediction>) -> Diagonal {
    let mut by_discs: BTreeMap<usize, Vec<Prediction>> = BTreeMap::new();
    for prediction in predictions {
        by_discs.entry(prediction.phase.max(0) as usize).or_default().push(prediction);
    }
    let (mut judged, mut counts) = (Judged::default(), Vec::new());
    for (&discs, own) in &by_discs {
        let positions = own.len() as f64;
        if positions < LEAST_POSITIONS {
            continue;
        }
        judged.add([discs; 2], positions, &calibration(own, Bins::EqualWidth(BINS), CONFIDENCE));
        // One bin holds all: its means are those of the disc count.
        let all = calibration(own, Bins::EqualWeight(1), CONFIDENCE);
        let difference = all.first().map_or(0.0, |bin| bin.predicted - bin.observed);
        counts.push(DiscCount { discs, positions, difference });
    }
    let (worst, [worst_discs, _]) = judged.worst.unwrap_or_default();
    let sum: f64 = counts.iter().map(|count| count.difference.abs()).sum();
    Diagonal {
        off: judged.off,
        bins: judged.bins,
        worst,
        worst_discs,
        mean: sum / counts.len().max(1) as f64,
        counts,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Even predictions of positions that are won this often.
    fn even(discs: i32, won: usize, of: usize) -> impl Iterator<Item = Prediction> {
        (0..of).map(move |i| Prediction {
            phase: discs,
            log_odds: 0.0,
            outcome: f64::from(u8::from(i < won)),
            weight: 1.0,
            group: Some(i as u32),
        })
    }

    #[test]
    fn what_alternates_between_disc_counts_is_seen() {
        let found = diagonal(even(30, 6000, 10_000).chain(even(31, 4000, 10_000)));
        assert_eq!((found.bins, found.off), (2, 2));
        let differences: Vec<f64> = found.counts.iter().map(|count| count.difference).collect();
        assert!((differences[0] + 0.1).abs() < 1e-9 && (differences[1] - 0.1).abs() < 1e-9);
        assert!((found.mean - 0.1).abs() < 1e-9 && (found.worst - 0.1).abs() < 1e-9);
    }

    #[test]
    fn what_may_be_chance_and_what_is_too_little_are_not_off() {
        let found = diagonal(even(30, 64, 110).chain(even(31, 40, 40)));
        assert_eq!((found.bins, found.off, found.counts.len()), (1, 0, 1));
        assert!(found.worst > 0.05 && found.worst_discs == 30);
    }
}
