//! OLS: linear regression on a numeric result (Mitchell 1984; Section 1).

use std::collections::BTreeMap;

use crate::block::Block;
use crate::error::FitError;
use crate::examples::Examples;
use crate::inference::{ErrorKind, Estimate, Reference, estimates, normal_log_odds};
use crate::matrix::{Matrix, dot};
use crate::moments::{Scatter, factor, scatter_with_score};
use crate::pass::{Merge, Threads};
use crate::phases::{PhaseRange, Pooling};
use crate::predict::Predict;
use crate::sandwich::{Clustered, Scores, meat};
use crate::tile::Standard;

/// Settings of linear regression: score = xβ + ε, least squares.
#[derive(Clone, Copy, Debug)]
pub struct Linear {
    /// Whether to spend one more pass on robust (and, if rows have groups,
    /// clustered) standard errors.
    pub robust: bool,
    /// Threads of each pass; the result does not depend on it.
    pub threads: Threads,
}

impl Default for Linear {
    fn default() -> Self {
        Self { robust: true, threads: Threads::default() }
    }
}

/// A fitted linear regression. It has a closed form: there is no iteration
/// that could fail to converge.
#[derive(Clone, Debug)]
pub struct LinearFit {
    /// Names of the features.
    pub features: Vec<String>,
    /// The constant, then one coefficient per feature.
    pub coefficients: Vec<f64>,
    /// σ̂²(X′X)⁻¹
    pub covariance: Matrix,
    /// Robust covariance with the factor N/(N−k), HC1.
    pub robust: Option<Matrix>,
    /// Covariance clustered by group with the factor G/(G−1)·(N−1)/(N−k).
    pub clustered: Option<Clustered>,
    /// σ̂² = RSS/(N−k)
    pub residual_variance: f64,
    /// Share of the variance of the score that the features explain.
    pub r_squared: f64,
    /// Gaussian log-likelihood at the estimates.
    pub log_likelihood: f64,
    /// Sum of the weights of all rows.
    pub rows: f64,
    range: PhaseRange,
    bread: Matrix,
    centre: Vec<f64>,
    at_centre: f64,
}

impl Linear {
    /// Fits one model to all rows, whatever their phase.
    ///
    /// # Errors
    /// If there is no score, there are too few rows, or features are constant
    /// or collinear.
    pub fn fit(&self, examples: &dyn Examples) -> Result<LinearFit, FitError> {
        let moments = scatter_with_score(examples, self.threads)?;
        let fit = self.fit_range(examples, &moments, PhaseRange::ALL);
        let mut fits = vec![fit];
        self.add_errors(examples, &mut fits)?;
        fits.pop().unwrap_or(Err(FitError::NoRows))
    }

    /// Fits one model per phase, each to the rows of its window.
    ///
    /// # Errors
    /// If reading fails; what is wrong with one phase is its result.
    #[allow(clippy::type_complexity)]
    pub fn fit_phases(
        &self,
        examples: &dyn Examples,
        pooling: Pooling,
    ) -> Result<Vec<(i32, Result<LinearFit, FitError>)>, FitError> {
        let moments = scatter_with_score(examples, self.threads)?;
        let phases: Vec<i32> = moments.keys().copied().collect();
        let mut fits: Vec<_> = phases
            .iter()
            .map(|&phase| self.fit_range(examples, &moments, pooling.around(phase)))
            .collect();
        self.add_errors(examples, &mut fits)?;
        Ok(phases.into_iter().zip(fits).collect())
    }

    fn fit_range(
        &self,
        examples: &dyn Examples,
        moments: &BTreeMap<i32, Option<Scatter>>,
        range: PhaseRange,
    ) -> Result<LinearFit, FitError> {
        let features = examples.features();
        let mut pooled = Scatter::empty(features.len() + 1);
        for (_, scatter) in moments.range(range.first..=range.last) {
            pooled.merge(scatter.clone().ok_or(FitError::Missing("scores"))?);
        }
        solve(features, &pooled, range)
    }

    fn add_errors(
        &self,
        examples: &dyn Examples,
        fits: &mut [Result<LinearFit, FitError>],
    ) -> Result<(), FitError> {
        let scores: Vec<(PhaseRange, LinearScores)> = fits
            .iter()
            .filter_map(|fit| fit.as_ref().ok())
            .map(|fit| (fit.range, LinearScores::new(fit)))
            .collect();
        if !self.robust || scores.is_empty() {
            return Ok(());
        }
        let meats = meat(examples, self.threads, &scores)?;
        for (fit, meat) in fits.iter_mut().filter_map(|fit| fit.as_mut().ok()).zip(meats) {
            let Some(meat) = meat else { continue };
            let (n, k) = (fit.rows, fit.coefficients.len() as f64);
            let sandwich = |meat: &Matrix| {
                let product = fit.bread.product(meat).product(&fit.bread);
                shift_constant(&product, &fit.centre)
            };
            let clustered = meat.groups.filter(|groups| groups.count > 1).map(|groups| {
                let count = groups.count as f64;
                let factor = count / (count - 1.0) * (n - 1.0) / (n - k);
                let covariance = sandwich(&groups.sum).scaled(factor);
                Clustered { covariance, groups: groups.count }
            });
            fit.robust = Some(sandwich(&meat.rows).scaled(n / (n - k)));
            fit.clustered = clustered;
        }
        Ok(())
    }
}

/// Solves the normal equations of centred features.
fn solve(features: &[String], pooled: &Scatter, range: PhaseRange) -> Result<LinearFit, FitError> {
    let count = features.len();
    let (n, k) = (pooled.weight, count as f64 + 1.0);
    if n <= 0.0 {
        return Err(FitError::NoRows);
    }
    let names: Vec<String> = features.iter().cloned().chain(["score".into()]).collect();
    for (name, variance) in names.iter().zip(pooled.scatter.diagonal()) {
        if !variance.is_finite() {
            return Err(FitError::Overflow { feature: name.clone() });
        }
    }
    let indices: Vec<usize> = (0..count).collect();
    let covariance = pooled.covariance().submatrix(&indices);
    let factor = factor(features, &pooled.mean[..count], &covariance, "")?;
    if n <= k {
        return Err(FitError::TooFewRows { rows: n, coefficients: count + 1 });
    }
    let with_score: Vec<f64> = pooled.scatter.row(count)[..count].iter().map(|v| v / n).collect();
    let slopes = factor.solve(&with_score);
    let total = pooled.scatter[(count, count)];
    let explained = n * dot(&slopes, &with_score);
    let residual = (total - explained).max(0.0);
    let residual_variance = residual / (n - k);
    let centre = pooled.mean[..count].to_vec();
    let at_centre = pooled.mean[count];
    let mut coefficients = vec![at_centre - dot(&slopes, &centre)];
    coefficients.extend(&slopes);
    // (X′X)⁻¹ with centred features: the constant stands apart.
    let inverse = factor.inverse().scaled(1.0 / n);
    let bread = Matrix::from_fn(count + 1, |i, j| match (i, j) {
        (0, 0) => 1.0 / n,
        (0, _) | (_, 0) => 0.0,
        _ => inverse[(i - 1, j - 1)],
    });
    Ok(LinearFit {
        features: features.to_vec(),
        coefficients,
        covariance: shift_constant(&bread, &centre).scaled(residual_variance),
        robust: None,
        clustered: None,
        residual_variance,
        r_squared: if total > 0.0 { explained / total } else { 0.0 },
        log_likelihood: -0.5 * n * (1.0 + (2.0 * std::f64::consts::PI).ln() + (residual / n).ln()),
        rows: n,
        range,
        bread,
        centre,
        at_centre,
    })
}

/// From the covariance of (value at the centre, slopes) to that of (constant,
/// slopes): constant = value − Σ slope·centre.
fn shift_constant(covariance: &Matrix, centre: &[f64]) -> Matrix {
    let shift: Vec<f64> = std::iter::once(1.0).chain(centre.iter().map(|c| -c)).collect();
    let moved = covariance.times(&shift);
    let variance = dot(&shift, &moved);
    Matrix::from_fn(covariance.order(), |i, j| match (i, j) {
        (0, 0) => variance,
        (0, k) | (k, 0) => moved[k],
        _ => covariance[(i, j)],
    })
}

impl LinearFit {
    /// The expected score of a feature vector.
    pub fn score(&self, features: &[f64]) -> f64 {
        let slopes = self.coefficients[1..].iter().zip(features.iter().zip(&self.centre));
        self.at_centre + slopes.map(|(b, (x, centre))| b * (x - centre)).sum::<f64>()
    }

    /// `(intercept)` and the features.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        std::iter::once("(intercept)").chain(self.features.iter().map(String::as_str))
    }

    /// Degrees of freedom of the residuals.
    pub fn degrees_of_freedom(&self) -> f64 {
        self.rows - self.coefficients.len() as f64
    }

    /// The covariance of the coefficients; `None` if it was not computed.
    pub fn covariance_by(&self, kind: ErrorKind) -> Option<Matrix> {
        match kind {
            ErrorKind::Information | ErrorKind::Corrected => Some(self.covariance.clone()),
            ErrorKind::Robust => self.robust.clone(),
            ErrorKind::Clustered => self.clustered.as_ref().map(|c| c.covariance.clone()),
        }
    }

    /// The table of coefficients with errors of some kind and t-tests: N−k
    /// degrees of freedom, or G−1 for G groups.
    pub fn estimates(&self, kind: ErrorKind, confidence: f64) -> Option<Vec<Estimate>> {
        let freedom = match (kind, &self.clustered) {
            (ErrorKind::Clustered, Some(clustered)) => clustered.groups as f64 - 1.0,
            _ => self.degrees_of_freedom(),
        };
        let covariance = self.covariance_by(kind)?;
        let values = &self.coefficients;
        Some(estimates(self.names(), values, &covariance, Reference::StudentT(freedom), confidence))
    }
}

/// P(score > 0 | x) if residuals are normal: what makes the regression a rival
/// of the models of a winning probability.
impl Predict for LinearFit {
    fn log_odds(&self, features: &[f64]) -> f64 {
        normal_log_odds(self.score(features) / self.residual_variance.sqrt())
    }
}

/// u = residual·(1, x − centre) of one fit.
struct LinearScores {
    slopes: Vec<f64>,
    at_centre: f64,
    standard: Standard,
}

impl LinearScores {
    fn new(fit: &LinearFit) -> Self {
        let standard = Standard { scale: vec![1.0; fit.centre.len()], shift: fit.centre.clone() };
        Self { slopes: fit.coefficients[1..].to_vec(), at_centre: fit.at_centre, standard }
    }
}

impl Scores for LinearScores {
    fn standard(&self) -> &Standard {
        &self.standard
    }

    fn score(&self, block: &Block, row: usize, x: &[f64], out: &mut [f64]) {
        let score = block.score.as_ref().map_or(0.0, |score| score.value(row));
        let residual = score - self.at_centre - dot(&x[1..], &self.slopes);
        for (out, x) in out.iter_mut().zip(x) {
            *out = residual * x;
        }
    }
}
