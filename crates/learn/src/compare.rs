use std::ops::RangeInclusive;

use discern_board::{Board, Outcome};
use discern_eval::{AnyEvaluator, Evaluator, HeldOut, Value};
use discern_stats::{Bins, CalibrationBin, Metrics, Prediction, calibration, metrics};
use serde::{Deserialize, Serialize};

use crate::ClassifiedPosition;

/// How one model does on positions it has not seen.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ModelQuality {
    /// What it is called.
    pub name: String,
    /// Ranges of disc counts in order.
    pub phases: Vec<PhaseQuality>,
}

/// How a model does in a range of disc counts.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct PhaseQuality {
    /// The disc counts.
    pub discs: RangeInclusive<usize>,
    /// Discordance, log loss, Brier score and accuracy with standard errors.
    pub metrics: Metrics,
    /// Predicted against observed shares of wins, in bins of equal width.
    pub calibration: Vec<CalibrationBin>,
    /// Do values before and after a move mean the same?
    pub agreement: Agreement,
}

/// The winning probability of a position with d discs against the best of its
/// successors with d + 1, both static: comparable values agree.
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize, Deserialize)]
pub struct Agreement {
    /// Positions that have a successor with another disc.
    pub positions: usize,
    /// Mean of P(one move deep) − P(static). A little above 0, as the best of
    /// several estimates is the luckiest.
    pub mean: f64,
    /// Root of the mean square of the same difference.
    pub root_mean_square: f64,
}

/// Bins of the calibration curves.
const BINS: usize = 20;
const CONFIDENCE: f64 = 0.95;

/// Ranges of this many disc counts that cover all boards.
pub fn disc_ranges(discs: u8) -> Vec<RangeInclusive<usize>> {
    let step = usize::from(discs.max(1));
    (4..=64).step_by(step).map(|first| first..=(first + step - 1).min(64)).collect()
}

/// Evaluates any number of models, of any weights, on held-out positions.
///
/// Ranges without wins and losses are left out.
pub fn compare(
    models: &[(String, AnyEvaluator)],
    test: &[ClassifiedPosition],
    ranges: &[RangeInclusive<usize>],
) -> Vec<ModelQuality> {
    models.iter().map(|(name, evaluator)| quality(name, evaluator, test, ranges)).collect()
}

/// How good an evaluator is on held-out positions of all phases together, as
/// manifests have it; `None` without positions.
pub fn held_out<E: Evaluator>(evaluator: &E, test: &[ClassifiedPosition]) -> Option<HeldOut> {
    let usable = test.iter().filter(|position| !position.board.is_over());
    let predictions: Vec<_> = usable.map(|position| prediction(evaluator, position)).collect();
    let found = metrics(&predictions)?;
    Some(HeldOut {
        positions: predictions.len() as u64,
        log_loss: [found.log_loss.value, found.log_loss.standard_error],
        brier: [found.brier.value, found.brier.standard_error],
        accuracy: [found.accuracy.value, found.accuracy.standard_error],
        discordance: found.discordance.map(|measured| [measured.value, measured.standard_error]),
    })
}

/// Evaluates any evaluator on held-out positions.
pub fn quality<E: Evaluator>(
    name: &str,
    evaluator: &E,
    test: &[ClassifiedPosition],
    ranges: &[RangeInclusive<usize>],
) -> ModelQuality {
    let phases = ranges.iter().filter_map(|range| {
        let inside = test.iter().filter(|p| range.contains(&(p.board.discs() as usize))).copied();
        let usable: Vec<_> = inside.filter(|p| !p.board.is_over()).collect();
        let predictions: Vec<_> =
            usable.iter().map(|position| prediction(evaluator, position)).collect();
        let both = |outcome| usable.iter().any(|position| position.outcome == outcome);
        if !(both(Outcome::Win) && both(Outcome::Loss)) {
            return None;
        }
        Some(PhaseQuality {
            discs: range.clone(),
            metrics: metrics(&predictions)?,
            calibration: calibration(&predictions, Bins::EqualWidth(BINS), CONFIDENCE),
            agreement: agreement(evaluator, &usable),
        })
    });
    ModelQuality { name: name.to_owned(), phases: phases.collect() }
}

/// What an evaluator says of a position, next to its outcome.
pub fn prediction<E: Evaluator>(evaluator: &E, position: &ClassifiedPosition) -> Prediction {
    Prediction {
        phase: position.board.discs() as i32,
        log_odds: evaluator.evaluate(&position.board).log_odds(),
        outcome: position.points(),
        weight: 1.0,
        group: Some(position.group),
    }
}

fn agreement<E: Evaluator>(evaluator: &E, positions: &[ClassifiedPosition]) -> Agreement {
    let mut differences = Vec::with_capacity(positions.len());
    for ClassifiedPosition { board, .. } in positions {
        if let Some(best) = one_move_deep(evaluator, board) {
            differences.push(best.probability() - evaluator.evaluate(board).probability());
        }
    }
    let mean_of = |f: fn(&f64) -> f64| {
        differences.iter().map(f).sum::<f64>() / differences.len().max(1) as f64
    };
    Agreement {
        positions: differences.len(),
        mean: mean_of(|d| *d),
        root_mean_square: mean_of(|d| d * d).sqrt(),
    }
}

/// The value of the best move by the static values behind it; `None` where
/// the mover has no move or a move ends the game, which is no estimate.
fn one_move_deep<E: Evaluator>(evaluator: &E, board: &Board) -> Option<Value> {
    let mut best = None;
    for square in board.moves() {
        let child = board.play_unchecked(square, board.flips(square));
        if child.is_over() {
            return None;
        }
        best = best.max(Some(-evaluator.evaluate(&child)));
    }
    best
}

impl PhaseQuality {
    /// The largest distance between predicted and observed share of wins in
    /// a bin that holds at least this share of the positions.
    pub fn worst_calibration(&self, least_share: f64) -> f64 {
        self.large_bins(least_share).map(off).fold(0.0, f64::max)
    }

    /// The bin with that distance.
    pub fn worst_bin(&self, least_share: f64) -> Option<&CalibrationBin> {
        self.large_bins(least_share).max_by(|a, b| off(a).total_cmp(&off(b)))
    }

    /// The bins that hold at least this share of the positions.
    pub fn large_bins(&self, least_share: f64) -> impl Iterator<Item = &CalibrationBin> {
        let total: f64 = self.calibration.iter().map(|bin| bin.weight).sum();
        self.calibration.iter().filter(move |bin| bin.weight >= least_share * total)
    }
}

fn off(bin: &CalibrationBin) -> f64 {
    (bin.predicted - bin.observed).abs()
}

#[cfg(test)]
mod tests {
    use discern_eval::{Material, Rev};

    use super::*;
    use crate::testing::classified_random_games;

    #[test]
    fn counting_discs_tells_more_the_nearer_the_end() {
        let test = classified_random_games(5, 400);
        let ranges = [20..=24, 56..=60];
        let quality = quality("material", &Material, &test, &ranges);
        let discordance = |i: usize| quality.phases[i].metrics.discordance.as_ref().unwrap().value;
        let found = [discordance(0), discordance(1)];
        assert!(found[0] > 0.4 && found[1] < 0.35, "{found:?}");
        assert!(quality.phases.iter().all(|phase| phase.agreement.positions > 500));
    }

    #[test]
    fn ranges_without_both_outcomes_are_left_out() {
        let test = classified_random_games(6, 30);
        let quality = quality("rev", &Rev::default(), &test, &[65..=70, 30..=34]);
        assert_eq!(quality.phases.len(), 1);
        assert_eq!(quality.phases[0].discs, 30..=34);
        let phase = &quality.phases[0];
        assert!(phase.worst_calibration(0.01) >= phase.worst_calibration(0.2));
        let worst = phase.worst_bin(0.01).unwrap();
        assert_eq!((worst.predicted - worst.observed).abs(), phase.worst_calibration(0.01));
        assert!(phase.large_bins(0.2).count() < phase.large_bins(0.01).count());
    }
}
