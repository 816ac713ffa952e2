//! Intervals and tests from estimates and their covariance.

use serde::{Deserialize, Serialize};
use statrs::distribution::{ChiSquared, ContinuousCDF, Normal, StudentsT};

use crate::matrix::{Cholesky, Matrix};

/// Distribution of (estimate − truth) / standard error.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub enum Reference {
    /// Standard normal: maximum likelihood in large samples.
    Normal,
    /// Student's t with these degrees of freedom: linear regression.
    StudentT(f64),
}

impl Reference {
    /// P(|T| ≥ |statistic|)
    pub fn p_value(self, statistic: f64) -> f64 {
        let beyond = -statistic.abs();
        2.0 * match self {
            Self::Normal => Normal::standard().cdf(beyond),
            Self::StudentT(df) => StudentsT::new(0.0, 1.0, df).map_or(f64::NAN, |t| t.cdf(beyond)),
        }
    }

    /// Half the width of a confidence interval in standard errors.
    pub fn quantile(self, confidence: f64) -> f64 {
        let tail = 0.5 + 0.5 * confidence;
        match self {
            Self::Normal => Normal::standard().inverse_cdf(tail),
            Self::StudentT(df) => {
                StudentsT::new(0.0, 1.0, df).map_or(f64::NAN, |t| t.inverse_cdf(tail))
            }
        }
    }
}

/// Log-odds of a standard normal number lying below `z`, within ±700.
pub fn normal_log_odds(z: f64) -> f64 {
    let normal = Normal::standard();
    (normal.cdf(z).ln() - normal.cdf(-z).ln()).clamp(-700.0, 700.0)
}

/// One line of a table of coefficients.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Estimate {
    /// `(intercept)` or a feature.
    pub name: String,
    /// The estimate.
    pub value: f64,
    /// Its standard error.
    pub standard_error: f64,
    /// Confidence interval.
    pub interval: (f64, f64),
    /// Wald statistic: estimate / standard error.
    pub statistic: f64,
    /// P(|T| ≥ |statistic|) if the coefficient were 0.
    pub p_value: f64,
}

/// The table of coefficients: estimates, errors, intervals and Wald tests.
pub fn estimates(
    names: impl IntoIterator<Item = impl Into<String>>,
    values: &[f64],
    errors: &[f64],
    reference: Reference,
    confidence: f64,
) -> Vec<Estimate> {
    let width = reference.quantile(confidence);
    names
        .into_iter()
        .zip(values.iter().zip(errors))
        .map(|(name, (&value, &standard_error))| {
            let statistic = value / standard_error;
            Estimate {
                name: name.into(),
                value,
                standard_error,
                interval: (value - width * standard_error, value + width * standard_error),
                statistic,
                p_value: reference.p_value(statistic),
            }
        })
        .collect()
}

/// A joint Wald test that some coefficients are all 0.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct WaldTest {
    /// b′V⁻¹b, χ² distributed if all are 0.
    pub statistic: f64,
    /// Number of coefficients tested.
    pub degrees_of_freedom: usize,
    /// P(χ² ≥ statistic)
    pub p_value: f64,
}

/// Tests that the coefficients at `indices` are all 0; `None` if their
/// covariance is singular (fewer groups than coefficients, for example).
pub fn wald_test(values: &[f64], covariance: &Matrix, indices: &[usize]) -> Option<WaldTest> {
    let factor = Cholesky::new(&covariance.submatrix(indices), 1e-14).ok()?;
    let tested: Vec<f64> = indices.iter().map(|&index| values[index]).collect();
    let white = factor.solve_lower(&tested);
    let statistic = crate::matrix::dot(&white, &white);
    let p_value = chi_squared_tail(statistic, indices.len() as f64);
    Some(WaldTest { statistic, degrees_of_freedom: indices.len(), p_value })
}

/// P(χ² ≥ statistic)
pub(crate) fn chi_squared_tail(statistic: f64, degrees_of_freedom: f64) -> f64 {
    ChiSquared::new(degrees_of_freedom).map_or(f64::NAN, |chi| chi.sf(statistic.max(0.0)))
}
