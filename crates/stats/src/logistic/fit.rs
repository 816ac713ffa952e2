//! The fitted logistic regression.

use super::newton::{Accepted, Newton, StopReason};
use super::totals::Totals;
use crate::block::Block;
use crate::error::FitError;
use crate::examples::Examples;
use crate::inference::{ErrorKind, Estimate, Reference, WaldTest, estimates, wald_test};
use crate::labels::Trials;
use crate::matrix::{Matrix, dot};
use crate::moments::Moments;
use crate::pass::Threads;
use crate::phases::PhaseRange;
use crate::predict::{Predict, logistic};
use crate::sandwich::{Clustered, Scores, meat};
use crate::tile::Standard;

/// A fitted logistic regression.
#[derive(Clone, Debug)]
pub struct LogisticFit {
    /// Names of the features.
    pub features: Vec<String>,
    /// The constant, then one coefficient per feature.
    pub coefficients: Vec<f64>,
    /// Inverse information of the model as specified, in the same order.
    pub covariance: Matrix,
    /// Invented trials per row, which the information counts as real.
    pub trials: f64,
    /// Robust covariance, if asked for.
    pub robust: Option<Matrix>,
    /// Covariance clustered by group, if asked for and rows have groups.
    pub clustered: Option<Clustered>,
    /// Why the iteration stopped.
    pub stop: StopReason,
    /// Newton steps taken over all rows.
    pub steps: u32,
    /// Newton steps taken before that, from the paper's start, over a sample
    /// of the rows; 0 for data too small to bother.
    pub sample_steps: u32,
    /// How often a step had to be halved.
    pub halvings: u32,
    /// log L without binomial coefficients, as printed in the paper.
    pub log_likelihood: f64,
    /// Twice the distance to the likelihood of a model with π = y/n.
    pub deviance: f64,
    /// The deviance of a model with only the constant.
    pub null_deviance: f64,
    /// Sum of the weights of all rows.
    pub rows: f64,
    /// Whether the coefficients put every won row above ½ and every lost row
    /// below. With invented trials the estimates exist all the same, but their
    /// size then comes from the number of trials and not from the data.
    pub separated: bool,
    range: PhaseRange,
    deviations: Vec<f64>,
    /// Coefficients and inverse information of the standardised features.
    gamma: Vec<f64>,
    bread: Matrix,
}

/// What a fit is made from.
pub(super) struct Parts<'a> {
    pub(super) trials: Trials,
    pub(super) range: PhaseRange,
    pub(super) moments: &'a Moments,
    pub(super) totals: Totals,
    pub(super) sample_steps: u32,
    pub(super) newton: Newton,
    pub(super) standard: &'a Standard,
}

impl LogisticFit {
    pub(super) fn new(parts: Parts) -> Result<Self, FitError> {
        let Parts { trials, range, moments, totals, sample_steps, newton, standard } = parts;
        let (stop, steps, halvings) = (newton.stop, newton.steps, newton.halvings);
        let separated = newton.perfect;
        // The start failing means that not even least squares has a solution.
        let Accepted { beta, sums, covariance, .. } = newton.into_accepted().ok_or_else(|| {
            FitError::TooFewRows { rows: totals.rows, coefficients: moments.features.len() + 1 }
        })?;
        let Totals { successes, trials: counted, saturated, .. } = totals;
        let share = successes / counted;
        let null = successes * share.ln() + (counted - successes) * (-share).ln_1p();
        let variances = moments.all().covariance().diagonal();
        Ok(Self {
            features: moments.features.clone(),
            coefficients: standard.to_data_units(&beta),
            covariance: standard.covariance_to_data_units(&covariance),
            trials: if totals.own_trials { 1.0 } else { trials.count() },
            robust: None,
            clustered: None,
            stop: stop.unwrap_or(StopReason::StepLimit),
            steps,
            sample_steps,
            halvings,
            log_likelihood: sums.log_likelihood,
            deviance: 2.0 * (saturated - sums.log_likelihood),
            null_deviance: 2.0 * (saturated - null),
            rows: totals.rows,
            separated,
            range,
            deviations: variances.into_iter().map(f64::sqrt).collect(),
            gamma: beta,
            bread: covariance,
        })
    }

    /// `(intercept)` and the features.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        std::iter::once("(intercept)").chain(self.features.iter().map(String::as_str))
    }

    /// The covariance of the coefficients; `None` if it was not computed.
    pub fn covariance_by(&self, kind: ErrorKind) -> Option<Matrix> {
        match kind {
            ErrorKind::Information => Some(self.covariance.clone()),
            ErrorKind::Corrected => Some(self.corrected()),
            ErrorKind::Robust => self.robust.clone(),
            ErrorKind::Clustered => self.clustered.as_ref().map(|c| c.covariance.clone()),
        }
    }

    /// Covariance from the information of one trial per row.
    pub fn corrected(&self) -> Matrix {
        self.covariance.scaled(self.trials)
    }

    /// The errors to trust: clustered where there are groups, else corrected.
    pub fn best_errors(&self) -> ErrorKind {
        if self.clustered.is_some() { ErrorKind::Clustered } else { ErrorKind::Corrected }
    }

    /// The table of coefficients with errors of some kind.
    pub fn estimates(&self, kind: ErrorKind, confidence: f64) -> Option<Vec<Estimate>> {
        let covariance = self.covariance_by(kind)?;
        let values = &self.coefficients;
        Some(estimates(self.names(), values, &covariance, Reference::Normal, confidence))
    }

    /// Tests that no feature matters.
    pub fn wald_test(&self, kind: ErrorKind) -> Option<WaldTest> {
        let slopes: Vec<usize> = (1..self.coefficients.len()).collect();
        wald_test(&self.coefficients, &self.covariance_by(kind)?, &slopes)
    }

    /// Standard error of f(x) = xβ.
    pub fn log_odds_error(&self, features: &[f64], kind: ErrorKind) -> Option<f64> {
        let x: Vec<f64> = std::iter::once(1.0).chain(features.iter().copied()).collect();
        Some(self.covariance_by(kind)?.quadratic_form(&x).sqrt())
    }

    /// Akaike's criterion on the scale of one trial per row.
    pub fn aic(&self) -> f64 {
        -2.0 * self.log_likelihood / self.trials + 2.0 * self.coefficients.len() as f64
    }

    /// Schwarz's criterion on the scale of one trial per row.
    pub fn bic(&self) -> f64 {
        -2.0 * self.log_likelihood / self.trials + self.rows.ln() * self.coefficients.len() as f64
    }

    /// The features that carry a separation: those whose coefficient times
    /// standard deviation is at least a tenth of the largest.
    pub fn separating_features(&self) -> Vec<&str> {
        let reach: Vec<f64> = self.coefficients[1..]
            .iter()
            .zip(&self.deviations)
            .map(|(coefficient, deviation)| (coefficient * deviation).abs())
            .collect();
        let largest = reach.iter().copied().fold(0.0, f64::max);
        let features = self.features.iter().zip(reach);
        features
            .filter(|(_, reach)| *reach >= 0.1 * largest)
            .map(|(name, _)| name.as_str())
            .collect()
    }
}

impl Predict for LogisticFit {
    fn log_odds(&self, features: &[f64]) -> f64 {
        self.coefficients[0] + dot(&self.coefficients[1..], features)
    }
}

/// u = (y − nπ)·x of one fit, in standardised features.
struct LogisticScores<'a> {
    standard: &'a Standard,
    trials: Trials,
    gamma: Vec<f64>,
}

impl Scores for LogisticScores<'_> {
    fn standard(&self) -> &Standard {
        self.standard
    }

    fn score(&self, block: &Block, row: usize, x: &[f64], out: &mut [f64]) {
        let probability = logistic(dot(x, &self.gamma));
        let share = block.outcome.as_ref().map_or(0.5, |outcome| outcome.value(row));
        let (y, n) = match &block.trials {
            Some(trials) => (share * trials.value(row), trials.value(row)),
            None => (self.trials.successes(share), self.trials.count()),
        };
        let residual = y - n * probability;
        for (out, x) in out.iter_mut().zip(x) {
            *out = residual * x;
        }
    }
}

/// One more pass for the sandwich of every fit.
pub(super) fn add_robust_errors(
    examples: &dyn Examples,
    trials: Trials,
    threads: Threads,
    standard: &Standard,
    fits: &mut [Result<LogisticFit, FitError>],
) -> Result<(), FitError> {
    let scores: Vec<(PhaseRange, LogisticScores)> = fits
        .iter()
        .filter_map(|fit| fit.as_ref().ok())
        .map(|fit| (fit.range, LogisticScores { standard, trials, gamma: fit.gamma.clone() }))
        .collect();
    if scores.is_empty() {
        return Ok(());
    }
    let meats = meat(examples, threads, &scores)?;
    for (fit, meat) in fits.iter_mut().filter_map(|fit| fit.as_mut().ok()).zip(meats) {
        let Some(meat) = meat else { continue };
        let bread = &fit.bread;
        let sandwich =
            |meat: &Matrix| standard.covariance_to_data_units(&bread.product(meat).product(bread));
        fit.robust = Some(sandwich(&meat.rows));
        fit.clustered = meat.groups.filter(|groups| groups.count > 1).map(|groups| {
            let count = groups.count as f64;
            Clustered {
                covariance: sandwich(&groups.sum).scaled(count / (count - 1.0)),
                groups: groups.count,
            }
        });
    }
    Ok(())
}
