//! OLS: linear regression on a numeric result (Mitchell 1984; Section 1).

use crate::block::Block;
use crate::error::FitError;
use crate::estimator::{Estimator, Fit, Fits, common_fields};
use crate::examples::Examples;
use crate::inference::{Reference, normal_log_odds};
use crate::matrix::{Matrix, dot};
use crate::moments::{Scatter, factor, scatter_with_score};
use crate::pass::{Merge, Threads};
use crate::phases::{PhaseRange, Pooling};
use crate::predict::Predict;
use crate::sandwich::{Sandwich, Scores, add_sandwiches};
use crate::tile::Standard;
use crate::uncertainty::{Covariance, ErrorKind, Uncertainty};

/// Settings of linear regression: score = xβ + ε, least squares.
///
/// ```
/// use discern_stats::{Dataset, Estimator, Example, Linear, Predict};
///
/// let mut data = Dataset::builder(["mobility"]);
/// for (mobility, margin) in [(3.0, 12.0), (1.0, 6.0), (2.0, -2.0), (-1.0, -8.0)] {
///     let outcome = if margin > 0.0 { 1.0 } else { 0.0 };
///     data.push(&Example { score: Some(margin), ..Example::new(&[mobility], outcome) })?;
/// }
/// let fit = Linear::default().fit(&data.finish())?;
/// assert!(fit.value(&[2.5]) > 2.0 && fit.probability(&[2.5]) > 0.5);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Linear {
    /// The most elaborate standard errors to compute.
    pub errors: ErrorKind,
    /// Threads of each pass; the result does not depend on it.
    pub threads: Threads,
}

impl Default for Linear {
    fn default() -> Self {
        Self { errors: ErrorKind::Clustered, threads: Threads::default() }
    }
}

/// A fitted linear regression. It has a closed form: there is no iteration
/// that could fail to converge.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct LinearFit {
    /// Names of the features.
    pub features: Vec<String>,
    /// The constant, then one coefficient per feature.
    pub coefficients: Vec<f64>,
    /// σ̂² = RSS/(N−k)
    pub residual_variance: f64,
    /// Share of the variance of the score that the features explain.
    pub r_squared: f64,
    /// Gaussian log-likelihood at the estimates.
    pub log_likelihood: f64,
    /// Sum of the weights of all rows.
    pub rows: f64,
    uncertainty: Uncertainty,
    range: PhaseRange,
    bread: Matrix,
    centre: Vec<f64>,
    at_centre: f64,
}

impl Estimator for Linear {
    type Fit = LinearFit;

    fn fit_windows(
        &self,
        examples: &dyn Examples,
        pooling: Option<Pooling>,
    ) -> Result<Fits<Option<i32>, LinearFit>, FitError> {
        let features = examples.features();
        let moments = scatter_with_score(examples, self.threads)?;
        let fit = |range: PhaseRange| {
            let mut pooled = Scatter::empty(features.len() + 1);
            for (_, scatter) in moments.range(range.first..=range.last) {
                pooled.merge(scatter.clone());
            }
            solve(features, &pooled, range)
        };
        let (phases, mut fits): (Vec<_>, Vec<_>) = match pooling {
            None => (vec![None], vec![fit(PhaseRange::ALL)]),
            Some(pooling) => {
                moments.keys().map(|&phase| (Some(phase), fit(pooling.around(phase)))).unzip()
            }
        };
        add_sandwiches(examples, self.threads, self.errors, &mut fits)?;
        Ok(phases.into_iter().zip(fits).collect())
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
    let information = shift_constant(&bread, &centre).scaled(residual_variance);
    Ok(LinearFit {
        features: features.to_vec(),
        coefficients,
        residual_variance,
        r_squared: if total > 0.0 { explained / total } else { 0.0 },
        log_likelihood: -0.5 * n * (1.0 + (2.0 * std::f64::consts::PI).ln() + (residual / n).ln()),
        rows: n,
        uncertainty: Uncertainty::new(Covariance::Full(information), 1.0),
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
    /// Degrees of freedom of the residuals.
    #[must_use]
    pub fn degrees_of_freedom(&self) -> f64 {
        self.rows - self.coefficients.len() as f64
    }
}

impl Predict for LinearFit {
    /// P(score > 0 | x) if residuals are normal: what makes the regression a
    /// rival of the models of a winning probability.
    fn log_odds(&self, features: &[f64]) -> f64 {
        normal_log_odds(self.value(features) / self.residual_variance.sqrt())
    }

    /// The expected score.
    fn value(&self, features: &[f64]) -> f64 {
        let slopes = self.coefficients[1..].iter().zip(features.iter().zip(&self.centre));
        self.at_centre + slopes.map(|(b, (x, centre))| b * (x - centre)).sum::<f64>()
    }
}

impl Fit for LinearFit {
    common_fields!();

    fn coefficients(&self) -> Vec<f64> {
        self.coefficients.clone()
    }

    fn log_likelihood(&self) -> f64 {
        self.log_likelihood
    }

    /// Student's t with N−k degrees of freedom, or G−1 for G groups.
    fn reference(&self, kind: ErrorKind) -> Reference {
        Reference::StudentT(match (kind, self.uncertainty.groups()) {
            (ErrorKind::Clustered, Some(groups)) => groups as f64 - 1.0,
            _ => self.degrees_of_freedom(),
        })
    }
}

impl Sandwich for LinearFit {
    type Scores = LinearScores;

    fn scores(&self) -> (PhaseRange, LinearScores) {
        let standard = Standard { scale: vec![1.0; self.centre.len()], shift: self.centre.clone() };
        let slopes = self.coefficients[1..].to_vec();
        (self.range, LinearScores { slopes, at_centre: self.at_centre, standard })
    }

    fn sandwich(&self, meat: Covariance) -> Covariance {
        meat.map(|meat| {
            shift_constant(&self.bread.product(meat).product(&self.bread), &self.centre)
        })
    }

    /// N/(N−k) for rows (HC1), G/(G−1)·(N−1)/(N−k) for groups.
    fn factor(&self, groups: Option<f64>) -> f64 {
        let (n, k) = (self.rows, self.coefficients.len() as f64);
        groups.map_or(n / (n - k), |g| g / (g - 1.0) * (n - 1.0) / (n - k))
    }

    fn uncertainty_mut(&mut self) -> &mut Uncertainty {
        &mut self.uncertainty
    }
}

/// u = residual·(1, x − centre) of one fit.
pub(crate) struct LinearScores {
    slopes: Vec<f64>,
    at_centre: f64,
    standard: Standard,
}

impl Scores for LinearScores {
    fn standard(&self) -> &Standard {
        &self.standard
    }

    fn nothing(&self) -> Covariance {
        Covariance::Full(Matrix::zeros(self.slopes.len() + 1))
    }

    fn score(&self, block: &Block, row: usize, x: &[f64], out: &mut [f64]) {
        let score = block.score.as_ref().map_or(0.0, |score| score.value(row));
        let residual = score - self.at_centre - dot(&x[1..], &self.slopes);
        for (out, x) in out.iter_mut().zip(x) {
            *out = residual * x;
        }
    }
}
