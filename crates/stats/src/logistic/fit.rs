//! The fitted logistic regression.

use super::newton::{Accepted, Newton, StopReason};
use super::totals::Totals;
use crate::block::Block;
use crate::error::FitError;
use crate::estimator::{Fit, common_fields};
use crate::labels::Trials;
use crate::matrix::{Matrix, dot};
use crate::moments::Moments;
use crate::phases::PhaseRange;
use crate::predict::{Predict, logistic};
use crate::sandwich::{Sandwich, Scores};
use crate::tile::Standard;
use crate::uncertainty::{Covariance, ErrorKind, Uncertainty};

/// A fitted logistic regression.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct LogisticFit {
    /// Names of the features.
    pub features: Vec<String>,
    /// The constant, then one coefficient per feature.
    pub coefficients: Vec<f64>,
    /// Invented trials per row, which the information counts as real.
    pub trials: f64,
    /// Why the iteration stopped.
    pub stop: StopReason,
    /// Newton steps taken over all rows.
    pub steps: u32,
    /// Newton steps taken before that, from the paper's start, over a sample
    /// of the rows; 0 for data too small to bother.
    pub sample_steps: u32,
    /// How often a step had to be halved.
    pub halvings: u32,
    /// log L without binomial coefficients, as printed in the paper;
    /// [`Fit::log_likelihood`] has those of rows that bring their own trials.
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
    uncertainty: Uncertainty,
    binomial_coefficients: f64,
    range: PhaseRange,
    deviations: Vec<f64>,
    scores: LogisticScores,
    /// Inverse information of the standardised features.
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
        let separated = newton.perfect || stop == Some(StopReason::Separated);
        // The start failing means that not even least squares has a solution.
        let Accepted { beta, sums, covariance, .. } = newton.into_accepted().ok_or_else(|| {
            FitError::TooFewRows { rows: totals.rows, coefficients: moments.features.len() + 1 }
        })?;
        let (saturated, null) = (totals.saturated, totals.null_log_likelihood());
        let variances = moments.all().covariance().diagonal();
        let information = Covariance::Full(standard.covariance_to_data_units(&covariance));
        let invented = if totals.own_trials { 1.0 } else { trials.count() };
        Ok(Self {
            features: moments.features.clone(),
            coefficients: standard.to_data_units(&beta),
            trials: invented,
            stop: stop.unwrap_or(StopReason::StepLimit),
            steps,
            sample_steps,
            halvings,
            log_likelihood: sums.log_likelihood,
            deviance: 2.0 * (saturated - sums.log_likelihood),
            null_deviance: 2.0 * (saturated - null),
            rows: totals.rows,
            separated,
            uncertainty: Uncertainty::new(information, invented),
            binomial_coefficients: totals.coefficients,
            range,
            deviations: variances.into_iter().map(f64::sqrt).collect(),
            scores: LogisticScores { standard: standard.clone(), trials, gamma: beta },
            bread: covariance,
        })
    }

    /// Standard error of f(x) = xβ.
    pub fn log_odds_error(&self, features: &[f64], kind: ErrorKind) -> Option<f64> {
        let x: Vec<f64> = std::iter::once(1.0).chain(features.iter().copied()).collect();
        Some(self.covariance(kind)?.quadratic_form(&x).sqrt())
    }

    /// Akaike's criterion on the scale of one trial per row.
    pub fn aic(&self) -> f64 {
        -2.0 * self.log_likelihood() / self.trials + 2.0 * self.coefficients.len() as f64
    }

    /// Schwarz's criterion on the scale of one trial per row.
    pub fn bic(&self) -> f64 {
        -2.0 * self.log_likelihood() / self.trials + self.rows.ln() * self.coefficients.len() as f64
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

impl Fit for LogisticFit {
    common_fields!();

    fn coefficients(&self) -> Vec<f64> {
        self.coefficients.clone()
    }

    fn log_likelihood(&self) -> f64 {
        self.log_likelihood + self.binomial_coefficients
    }

    fn stop(&self) -> StopReason {
        self.stop
    }

    fn steps(&self) -> u32 {
        self.steps
    }
}

/// u = (y − nπ)·x of one fit, in standardised features.
#[derive(Clone, Debug)]
pub(crate) struct LogisticScores {
    standard: Standard,
    trials: Trials,
    gamma: Vec<f64>,
}

impl Scores for LogisticScores {
    fn standard(&self) -> &Standard {
        &self.standard
    }

    fn nothing(&self) -> Covariance {
        Covariance::Full(Matrix::zeros(self.gamma.len()))
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

impl Sandwich for LogisticFit {
    type Scores = LogisticScores;

    fn scores(&self) -> (PhaseRange, LogisticScores) {
        (self.range, self.scores.clone())
    }

    fn sandwich(&self, meat: Covariance) -> Covariance {
        let standard = &self.scores.standard;
        meat.map(|meat| {
            standard.covariance_to_data_units(&self.bread.product(meat).product(&self.bread))
        })
    }

    fn uncertainty_mut(&mut self) -> &mut Uncertainty {
        &mut self.uncertainty
    }
}
