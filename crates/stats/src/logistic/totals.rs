//! What the labels alone say, from a pass that touches no feature.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use statrs::function::gamma::ln_gamma;

use crate::block::{Block, Column};
use crate::error::DataError;
use crate::examples::Examples;
use crate::labels::Trials;
use crate::pass::{Merge, Threads, pass};
use crate::phases::PhaseRange;

/// Sums over the labels of some rows.
#[derive(Clone, Copy, Debug, Default, Serialize, Deserialize)]
pub(crate) struct Totals {
    /// Weight of the rows.
    pub(crate) rows: f64,
    /// Weight of the rows that are neither won nor lost.
    pub(crate) undecided: f64,
    /// Σ y
    pub(crate) successes: f64,
    /// Σ n
    pub(crate) trials: f64,
    /// log L of π̂ = y/n, the largest any model can reach.
    pub(crate) saturated: f64,
    /// Σ log of the binomial coefficients of rows that bring their own trials;
    /// of invented ones they would mean nothing.
    pub(crate) coefficients: f64,
    /// Whether rows bring their own trials.
    pub(crate) own_trials: bool,
}

impl Merge for Totals {
    fn merge(&mut self, later: Self) {
        self.rows += later.rows;
        self.undecided += later.undecided;
        self.successes += later.successes;
        self.trials += later.trials;
        self.saturated += later.saturated;
        self.coefficients += later.coefficients;
        self.own_trials |= later.own_trials;
    }
}

impl Totals {
    fn of(block: &Block, outcome: &Column, trials: Trials) -> Self {
        // Most rows are won, drawn or lost: counting them takes the place of
        // millions of logarithms.
        const COMMON: [f64; 3] = [0.0, 0.5, 1.0];
        let mut common = [0.0; 3];
        let mut totals = Self { own_trials: block.trials.is_some(), ..Self::default() };
        let plain = block.trials.is_none() && block.weight.is_none();
        if plain && let Column::F32(values) = outcome {
            let equal = |share: f32| values.iter().filter(|&&value| value == share).count() as f64;
            common = COMMON.map(|share| equal(share as f32));
        }
        // Rows that were not counted that way, if any, one by one.
        if common.iter().sum::<f64>() < block.rows() as f64 {
            common = [0.0; 3];
        }
        let counted = common.iter().sum::<f64>() > 0.0;
        for row in 0..if counted { 0 } else { block.rows() } {
            let (share, weight) = (outcome.value(row), block.weight_of(row));
            match (&block.trials, COMMON.iter().position(|&known| known == share)) {
                (None, Some(index)) => common[index] += weight,
                (None, None) => {
                    totals.add(weight, share, trials.successes(share), trials.count());
                }
                (Some(own), _) => {
                    let (y, n) = (share * own.value(row), own.value(row));
                    totals.add(weight, share, y, n);
                    totals.coefficients +=
                        weight * (ln_gamma(n + 1.0) - ln_gamma(y + 1.0) - ln_gamma(n - y + 1.0));
                }
            }
        }
        for (share, weight) in COMMON.into_iter().zip(common) {
            totals.add(weight, share, trials.successes(share), trials.count());
        }
        totals
    }

    /// log L of a model with only the constant.
    pub(crate) fn null_log_likelihood(&self) -> f64 {
        let share = self.successes / self.trials;
        self.successes * share.ln() + (self.trials - self.successes) * (-share).ln_1p()
    }

    fn add(&mut self, weight: f64, share: f64, y: f64, n: f64) {
        let times_ln = |count: f64| if count > 0.0 { count * (count / n).ln() } else { 0.0 };
        self.rows += weight;
        self.undecided += if share > 0.0 && share < 1.0 { weight } else { 0.0 };
        self.successes += weight * y;
        self.trials += weight * n;
        self.saturated += weight * (times_ln(y) + times_ln(n - y));
    }
}

/// The totals of each phase.
pub(crate) struct PhaseTotals(BTreeMap<i32, Totals>);

impl PhaseTotals {
    pub(crate) fn new(totals: BTreeMap<i32, Totals>) -> Self {
        Self(totals)
    }

    pub(crate) fn collect(
        examples: &dyn Examples,
        trials: Trials,
        threads: Threads,
    ) -> Result<Self, DataError> {
        let totals = pass(
            examples,
            threads,
            || (),
            |block, (), out| {
                if let Some(outcome) = &block.outcome {
                    out.push((block.phase, Totals::of(block, outcome, trials)));
                }
            },
        )?;
        Ok(Self(totals))
    }

    pub(crate) fn pooled(&self, range: PhaseRange) -> Totals {
        let mut pooled = Totals::default();
        for (_, totals) in self.0.range(range.first..=range.last) {
            pooled.merge(*totals);
        }
        pooled
    }
}
