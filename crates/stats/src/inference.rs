//! Intervals and tests from estimates and their covariance.

use statrs::distribution::{ChiSquared, ContinuousCDF, Normal, StudentsT};

use crate::matrix::{Cholesky, Matrix};

/// Where a standard error comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ErrorKind {
    /// Inverse information of the model as specified. With the paper's n = 100
    /// invented trials per row it is ten times too small.
    Information,
    /// Inverse information as if every row were one trial.
    Corrected,
    /// The sandwich of Huber and White: right even if the model is not.
    Robust,
    /// The sandwich over groups: right even if rows of a game resemble each
    /// other.
    Clustered,
}

impl ErrorKind {
    /// The word used in files and on the command line.
    pub fn word(self) -> &'static str {
        match self {
            Self::Information => "information",
            Self::Corrected => "corrected",
            Self::Robust => "robust",
            Self::Clustered => "clustered",
        }
    }
}

/// Distribution of (estimate − truth) / standard error.
#[derive(Clone, Copy, Debug, PartialEq)]
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
#[derive(Clone, Debug, PartialEq)]
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
    covariance: &Matrix,
    reference: Reference,
    confidence: f64,
) -> Vec<Estimate> {
    let width = reference.quantile(confidence);
    let errors = standard_errors(covariance);
    names
        .into_iter()
        .zip(values.iter().zip(errors))
        .map(|(name, (&value, standard_error))| {
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

/// Square roots of the diagonal.
pub fn standard_errors(covariance: &Matrix) -> Vec<f64> {
    covariance.diagonal().into_iter().map(f64::sqrt).collect()
}

/// A joint Wald test that some coefficients are all 0.
#[derive(Clone, Copy, Debug, PartialEq)]
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn textbook_quantiles_and_p_values() {
        assert!((Reference::Normal.quantile(0.95) - 1.959_963_984_540_054).abs() < 1e-9);
        assert!((Reference::StudentT(10.0).quantile(0.95) - 2.228_138_851_986_273_5).abs() < 1e-6);
        assert!((Reference::Normal.p_value(-1.959_963_984_540_054) - 0.05).abs() < 1e-9);
        assert!((Reference::StudentT(10.0).p_value(2.228_138_851_986_273_5) - 0.05).abs() < 1e-9);
        assert!((chi_squared_tail(3.841_458_820_694_124, 1.0) - 0.05).abs() < 1e-9);
    }

    #[test]
    fn p_values_far_in_the_tail_are_small_and_not_zero() {
        let p = Reference::Normal.p_value(20.0);
        assert!(p > 1e-90 && p < 1e-87, "{p}");
    }

    #[test]
    fn normal_log_odds_are_odd_and_finite_on_both_tails() {
        assert_eq!(normal_log_odds(0.0), 0.0);
        assert!(
            (normal_log_odds(1.0) - (0.841_344_746_068_543f64 / 0.158_655_253_931_457).ln()).abs()
                < 1e-9
        );
        for z in [0.5, 5.0, 20.0, 1e6] {
            assert_eq!(normal_log_odds(z), -normal_log_odds(-z));
            assert!(normal_log_odds(z).is_finite());
        }
    }

    #[test]
    fn a_joint_test_of_one_coefficient_is_its_squared_statistic() {
        let covariance = Matrix::from_fn(2, |i, j| if i == j { 4.0 } else { 1.0 });
        let test = wald_test(&[0.5, 3.0], &covariance, &[1]).unwrap();
        assert!((test.statistic - 2.25).abs() < 1e-14);
        assert!((test.p_value - Reference::Normal.p_value(1.5)).abs() < 1e-9);
    }
}
