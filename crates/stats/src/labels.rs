//! How the outcome of a row enters the likelihood and the classes.

use crate::block::{Block, Column};
use crate::error::FitError;
use crate::simd::{Lanes, WIDTH};
use crate::tile::{Strip, TILE_ROWS, VECTORS};

/// Trials n behind each row of the binomial model (Section 2.2).
///
/// Rows that are counts of successes bring their own trials, and this setting
/// is not used for them.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Trials {
    /// n = 1: y is 1, ½ or 0. Estimates do not exist for separated classes.
    One,
    /// The paper's device: n trials of which a won row has y = n − 1, a lost
    /// one y = 1 and a drawn one y = n/2, so that estimates always exist. The
    /// trials are invented: they make the information n times too large, for
    /// which [`corrected`](crate::LogisticFit::corrected) errors allow.
    Each(f64),
}

impl Default for Trials {
    /// The paper's n = 100.
    fn default() -> Self {
        Self::Each(100.0)
    }
}

impl Trials {
    /// n, where rows do not bring their own.
    pub fn count(self) -> f64 {
        match self {
            Self::One => 1.0,
            Self::Each(trials) => trials,
        }
    }

    pub(crate) fn check(self) -> Result<(), FitError> {
        match self {
            Self::Each(n) if !(n > 2.0 && n.is_finite()) => Err(FitError::Setting(format!(
                "{n} trials per row: give 1, or more than 2 so that n − 1 and 1 differ"
            ))),
            _ => Ok(()),
        }
    }

    /// Successes of n trials for a share of the win.
    #[inline]
    pub(crate) fn successes(self, share: f64) -> f64 {
        match self {
            Self::One => share,
            Self::Each(n) => (share * n).clamp(1.0, n - 1.0),
        }
    }
}

/// Successes and trials of the rows of a tile, each times the row's weight.
pub(crate) struct Counts<L> {
    pub(crate) successes: Strip<L>,
    pub(crate) trials: Strip<L>,
}

/// Shares of the rows of a tile that are won and lost, times weight.
pub(crate) struct Classes<L> {
    pub(crate) won: Strip<L>,
    pub(crate) lost: Strip<L>,
}

/// Fills two strips from the rows of a tile; rows beyond the block are 0.
fn fill_pairs<L: Lanes>(
    rows: usize,
    start: usize,
    pair: impl Fn(usize) -> (f64, f64),
) -> (Strip<L>, Strip<L>) {
    let mut first = [L::splat(0.0); VECTORS];
    let mut second = first;
    let end = rows.min(start + TILE_ROWS);
    for (vector, row) in (start..end).step_by(WIDTH).enumerate() {
        let mut lanes = ([0.0; WIDTH], [0.0; WIDTH]);
        for lane in 0..WIDTH.min(end - row) {
            (lanes.0[lane], lanes.1[lane]) = pair(row + lane);
        }
        first[vector] = L::from_array(lanes.0);
        second[vector] = L::from_array(lanes.1);
    }
    (first, second)
}

impl<L: Lanes> Counts<L> {
    /// The counts of rows `start..` of a block.
    pub(crate) fn load(block: &Block, outcome: &Column, start: usize, trials: Trials) -> Self {
        let n = trials.count();
        let rows = block.rows();
        let (successes, trials) = match (&block.trials, &block.weight) {
            (None, None) => {
                fill_pairs(rows, start, |row| (trials.successes(outcome.value(row)), n))
            }
            (None, Some(weight)) => fill_pairs(rows, start, |row| {
                let weight = weight.value(row);
                (weight * trials.successes(outcome.value(row)), weight * n)
            }),
            (Some(count), _) => fill_pairs(rows, start, |row| {
                let trials = block.weight_of(row) * count.value(row);
                (trials * outcome.value(row), trials)
            }),
        };
        Self { successes, trials }
    }
}

impl<L: Lanes> Classes<L> {
    /// The classes of rows `start..` of a block. A draw is half a win and half
    /// a loss, which is the paper's doubling (Section 4) divided by two.
    pub(crate) fn load(block: &Block, outcome: &Column, start: usize) -> Self {
        let (won, lost) = fill_pairs(block.rows(), start, |row| class_weights(block, outcome, row));
        Self { won, lost }
    }
}

/// How much a row counts as won and as lost.
#[inline]
pub(crate) fn class_weights(block: &Block, outcome: &Column, row: usize) -> (f64, f64) {
    let share = outcome.value(row);
    let trials = block.trials.as_ref().map_or(1.0, |trials| trials.value(row));
    let weight = block.weight_of(row) * trials;
    (weight * share, weight * (1.0 - share))
}
