//! How the outcome of a row enters the likelihood and the classes.

use serde::{Deserialize, Serialize};

use crate::block::{Block, Column};
use crate::error::FitError;
use crate::simd::Lanes;
use crate::tile::{Strip, VECTORS, load_strip, load_weights};

/// Trials n behind each row of the binomial model (Section 2.2).
///
/// Rows that are counts of successes bring their own trials, and this setting
/// is not used for them.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
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

impl From<u32> for Trials {
    /// n trials for each row; 1 stands for plain labels.
    fn from(trials: u32) -> Self {
        if trials == 1 { Self::One } else { Self::Each(trials.into()) }
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

impl<L: Lanes> Counts<L> {
    /// The counts of rows `start..` of a block.
    #[inline(always)]
    pub(crate) fn load(block: &Block, outcome: &Column, start: usize, trials: Trials) -> Self {
        let mut successes = [L::splat(0.0); VECTORS];
        let mut counts = load_weights::<L>(block, start);
        load_strip(outcome, start, &mut successes);
        let (n, least, most) = match (&block.trials, trials) {
            (Some(own), _) => {
                let mut own_trials = [L::splat(0.0); VECTORS];
                load_strip(own, start, &mut own_trials);
                for (count, own) in counts.iter_mut().zip(own_trials) {
                    *count = count.mul(own);
                }
                (1.0, 0.0, 1.0)
            }
            (None, Trials::One) => (1.0, 0.0, 1.0),
            (None, Trials::Each(n)) => (n, 1.0, n - 1.0),
        };
        let (n, least, most) = (L::splat(n), L::splat(least), L::splat(most));
        for (y, count) in successes.iter_mut().zip(&mut counts) {
            *y = y.mul(n).max(least).min(most).mul(*count);
            *count = count.mul(n);
        }
        Self { successes, trials: counts }
    }
}

impl<L: Lanes> Classes<L> {
    /// The classes of rows `start..` of a block. A draw is half a win and half
    /// a loss, which is the paper's doubling (Section 4) divided by two.
    #[inline(always)]
    pub(crate) fn load(block: &Block, outcome: &Column, start: usize) -> Self {
        let mut won = [L::splat(0.0); VECTORS];
        let mut lost = won;
        let Counts { successes, trials } = Counts::load(block, outcome, start, Trials::One);
        for vector in 0..VECTORS {
            won[vector] = successes[vector];
            lost[vector] = trials[vector].sub(successes[vector]);
        }
        Self { won, lost }
    }
}

/// How much a row counts as won and as lost.
#[inline]
pub(crate) fn class_weights(block: &Block, outcome: &Column, row: usize) -> (f64, f64) {
    let share = outcome.value(row);
    let trials = block.trials.as_ref().map_or(1.0, |trials| trials.value(row));
    let weight = block.weight_of(row) * trials;
    (weight * share, weight - weight * share)
}
