//! Are the covariances of the classes equal? (Sections 4 and 5)

use serde::{Deserialize, Serialize};

use crate::error::FitError;
use crate::inference::chi_squared_tail;
use crate::matrix::{Cholesky, Matrix, dot};
use crate::moments::{Moments, factor};

/// The covariance matrices of won and lost rows compared.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct CovarianceComparison {
    /// ‖Σ_W − Σ_L‖ / ‖Σ‖ in the Frobenius norm, in units of the data.
    pub relative_difference: f64,
    /// Share of what tells the classes apart that lies in their covariances
    /// and not in their means: the parts of the Jeffreys divergence
    /// ½tr(Σ_W⁻¹Σ_L + Σ_L⁻¹Σ_W − 2I) and ½d(Σ_W⁻¹+Σ_L⁻¹)d′ of two normal
    /// distributions. Does not depend on units.
    pub covariance_share: f64,
    /// Box's test of equality.
    pub box_test: BoxTest,
    /// What follows for the choice of a model.
    pub verdict: Verdict,
}

/// Box's M test. With many rows it finds any difference significant, however
/// small; whether a difference matters is a question of its size.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct BoxTest {
    /// M = (N−2) log|S| − Σ (N_C−1) log|S_C| with unbiased covariances.
    pub m: f64,
    /// M times Box's correction, χ² distributed if the covariances are equal.
    pub chi_squared: f64,
    /// k(k+1)/2 for k features.
    pub degrees_of_freedom: f64,
    /// P(χ² ≥ statistic)
    pub p_value: f64,
}

/// Whether quadratic terms can pay.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Verdict {
    /// Less than 5 % of the difference of the classes is in their covariances.
    AlmostEqual,
    /// 5 % to 20 %.
    LittleToGain,
    /// More than 20 %.
    MayPay,
}

impl Verdict {
    fn of(share: f64) -> Self {
        if share < 0.05 {
            Self::AlmostEqual
        } else if share < 0.2 {
            Self::LittleToGain
        } else {
            Self::MayPay
        }
    }

    /// The verdict in words.
    pub fn sentence(self) -> &'static str {
        match self {
            Self::AlmostEqual => {
                "the class covariances are almost equal: quadratic terms can be omitted"
            }
            Self::LittleToGain => {
                "the class covariances differ a little: quadratic terms can gain little and cost speed"
            }
            Self::MayPay => {
                "the class covariances differ: quadratic terms may pay; compare the models on held-out data"
            }
        }
    }
}

/// Compares the covariances of won and lost rows.
///
/// # Errors
/// If a class is missing or its covariance is singular.
pub fn compare_covariances(moments: &Moments) -> Result<CovarianceComparison, FitError> {
    moments.check()?;
    let names = &moments.features;
    let (won, lost) = (&moments.won, &moments.lost);
    let pooled = moments.pooled_covariance();
    let (won_cov, lost_cov) = (won.covariance(), lost.covariance());
    let won_factor = factor(names, &won.mean, &won_cov, " among the won rows")?;
    let lost_factor = factor(names, &lost.mean, &lost_cov, " among the lost rows")?;
    let pooled_factor = factor(names, &won.mean, &pooled, " within each class")?;

    let mut difference = won_cov.clone();
    difference.add_scaled(-1.0, &lost_cov);
    let k = names.len() as f64;
    let in_covariances = 0.5
        * (trace_of_quotient(&won_factor, &lost_cov) + trace_of_quotient(&lost_factor, &won_cov))
        - k;
    let d: Vec<f64> = won.mean.iter().zip(&lost.mean).map(|(w, l)| w - l).collect();
    let in_means = 0.5 * (dot(&d, &won_factor.solve(&d)) + dot(&d, &lost_factor.solve(&d)));
    let covariance_share = in_covariances / (in_covariances + in_means);

    // log|S| with divisor N−1 from log|Σ| with divisor N.
    let (n, m) = (won.weight, lost.weight);
    let unbiased = |log_det: f64, n: f64, df: f64| log_det + k * (n / df).ln();
    let statistic = (n + m - 2.0) * unbiased(pooled_factor.log_determinant(), n + m, n + m - 2.0)
        - (n - 1.0) * unbiased(won_factor.log_determinant(), n, n - 1.0)
        - (m - 1.0) * unbiased(lost_factor.log_determinant(), m, m - 1.0);
    let correction = 1.0
        - (1.0 / (n - 1.0) + 1.0 / (m - 1.0) - 1.0 / (n + m - 2.0)) * (2.0 * k * k + 3.0 * k - 1.0)
            / (6.0 * (k + 1.0));
    let degrees_of_freedom = 0.5 * k * (k + 1.0);
    let chi_squared = statistic * correction;
    Ok(CovarianceComparison {
        relative_difference: difference.frobenius() / pooled.frobenius(),
        covariance_share,
        box_test: BoxTest {
            m: statistic,
            chi_squared,
            degrees_of_freedom,
            p_value: chi_squared_tail(chi_squared, degrees_of_freedom),
        },
        verdict: Verdict::of(covariance_share),
    })
}

/// tr(A⁻¹B)
fn trace_of_quotient(a: &Cholesky, b: &Matrix) -> f64 {
    (0..b.order()).map(|row| a.solve(b.row(row))[row]).sum()
}
