//! Variance inflation: how much of a feature the others already say.

use crate::error::FitError;
use crate::moments::{Moments, factor};

/// 1/(1−R²ⱼ) for every feature, with R²ⱼ from the regression of feature j on
/// the others: the factor by which correlation inflates the variance of its
/// coefficient. 1 is none, above 10 is much.
///
/// # Errors
/// If a feature is constant or a combination of others.
pub fn variance_inflation(moments: &Moments) -> Result<Vec<f64>, FitError> {
    let all = moments.all();
    let covariance = all.covariance();
    let inverse = factor(&moments.features, &all.mean, &covariance, "")?.inverse();
    Ok((0..covariance.order()).map(|j| covariance[(j, j)] * inverse[(j, j)]).collect())
}
