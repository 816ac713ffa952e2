//! Fisher's linear discriminant.

use super::Prior;
use crate::block::Block;
use crate::error::FitError;
use crate::examples::Examples;
use crate::inference::{ErrorKind, Estimate, Reference, WaldTest, estimates, wald_test};
use crate::labels::class_weights;
use crate::matrix::{Matrix, dot};
use crate::moments::{Moments, factor};
use crate::pass::Threads;
use crate::phases::PhaseRange;
use crate::predict::Predict;
use crate::sandwich::{Clustered, Scores, meat};
use crate::tile::Standard;

/// Settings of Fisher's discriminant:
/// f(x) = (μ_W−μ_L) Σ⁻¹ {x − (μ_L+μ_W)/2}′ with maximum likelihood estimates.
#[derive(Clone, Copy, Debug, Default)]
pub struct Fisher {
    /// A priori probabilities.
    pub prior: Prior,
}

/// A fitted linear discriminant. It has a closed form: there is no iteration
/// that could fail to converge.
#[derive(Clone, Debug)]
pub struct FisherFit {
    /// Names of the features.
    pub features: Vec<String>,
    /// The constant, then one coefficient per feature.
    pub coefficients: Vec<f64>,
    /// Covariance of the coefficients if the features are normal.
    pub covariance: Matrix,
    /// Covariance without that assumption, once computed.
    pub robust: Option<Matrix>,
    /// Covariance clustered by group, once computed.
    pub clustered: Option<Clustered>,
    /// D² = (μ_W−μ_L) Σ⁻¹ (μ_W−μ_L)′, the squared distance of the classes in
    /// standard deviations of f.
    pub distance: f64,
    /// Log-likelihood of the features given the classes.
    pub log_likelihood: f64,
    /// Sum of the weights of all rows.
    pub rows: f64,
    influence: Influence,
}

impl Fisher {
    /// Fits the discriminant to the moments of the data.
    ///
    /// # Errors
    /// If a class is missing or features are constant or collinear within the
    /// classes.
    pub fn fit(&self, moments: &Moments) -> Result<FisherFit, FitError> {
        moments.check()?;
        let features = moments.features.len();
        let (won, lost) = (&moments.won, &moments.lost);
        let covariance = moments.pooled_covariance();
        let all = moments.all();
        // A feature may vary between the classes and yet not within them.
        factor(&moments.features, &all.mean, &all.covariance(), "")?;
        let sigma = factor(&moments.features, &all.mean, &covariance, " within each class")?;
        let difference: Vec<f64> = won.mean.iter().zip(&lost.mean).map(|(w, l)| w - l).collect();
        let middle: Vec<f64> =
            won.mean.iter().zip(&lost.mean).map(|(w, l)| 0.5 * (w + l)).collect();
        let weights = sigma.solve(&difference);
        let distance = dot(&weights, &difference);
        let total = won.weight + lost.weight;

        // Delta method with normal features: Var μ̂_C = Σ/N_C, Σ̂ is Wishart.
        let (per_won, per_lost) = (1.0 / won.weight, 1.0 / lost.weight);
        let mut slopes = sigma.inverse().scaled(per_won + per_lost + distance / total);
        slopes.add_outer(1.0 / total, &weights);
        // The constant is −w·m′ with m the middle of the means.
        let with_middle = 0.5 * (per_won - per_lost);
        let slopes_middle = slopes.times(&middle);
        let constant_variance = dot(&middle, &slopes_middle)
            + 0.25 * (per_won + per_lost) * distance
            + 2.0 * with_middle * dot(&weights, &middle);
        let cross: Vec<f64> =
            slopes_middle.iter().zip(&weights).map(|(v, w)| -v - with_middle * w).collect();
        let joint = Matrix::from_fn(features + 1, |i, j| match (i, j) {
            (0, 0) => constant_variance,
            (0, k) | (k, 0) => cross[k - 1],
            _ => slopes[(i - 1, j - 1)],
        });

        let constant = -dot(&weights, &middle) + self.prior.log_odds(moments);
        let mut coefficients = vec![constant];
        coefficients.extend(&weights);
        let dimension = features as f64;
        let log_likelihood = -0.5
            * total
            * (dimension * (1.0 + (2.0 * std::f64::consts::PI).ln()) + sigma.log_determinant());
        Ok(FisherFit {
            features: moments.features.clone(),
            coefficients,
            covariance: joint,
            robust: None,
            clustered: None,
            distance,
            log_likelihood,
            rows: moments.rows,
            influence: Influence {
                won_weight: won.weight,
                lost_weight: lost.weight,
                weights,
                difference,
                standard: Standard { scale: vec![1.0; features], shift: middle.clone() },
                middle,
                inverse: sigma.inverse(),
            },
        })
    }
}

impl FisherFit {
    /// `(intercept)` and the features.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        std::iter::once("(intercept)").chain(self.features.iter().map(String::as_str))
    }

    /// The covariance of the coefficients; `None` if it was not computed.
    pub fn covariance_by(&self, kind: ErrorKind) -> Option<Matrix> {
        match kind {
            ErrorKind::Information | ErrorKind::Corrected => Some(self.covariance.clone()),
            ErrorKind::Robust => self.robust.clone(),
            ErrorKind::Clustered => self.clustered.as_ref().map(|c| c.covariance.clone()),
        }
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
}

impl Predict for FisherFit {
    fn log_odds(&self, features: &[f64]) -> f64 {
        self.coefficients[0] + dot(&self.coefficients[1..], features)
    }
}

/// Adds robust (and, if rows have groups, clustered) covariances to fits of
/// ranges of phases, in one pass over the data they were fitted to.
///
/// The covariance is Σ ψψ′ over rows or groups, with ψ the influence of a row
/// on (constant, w): the derivative of the estimates as its weight grows.
///
/// # Errors
/// If reading fails.
pub fn add_fisher_errors(
    examples: &dyn Examples,
    threads: Threads,
    fits: &mut [(PhaseRange, &mut FisherFit)],
) -> Result<(), FitError> {
    let scores: Vec<(PhaseRange, Influence)> =
        fits.iter().map(|(range, fit)| (*range, fit.influence.clone())).collect();
    for ((_, fit), meat) in fits.iter_mut().zip(meat(examples, threads, &scores)?) {
        let Some(meat) = meat else { continue };
        fit.robust = Some(meat.rows);
        fit.clustered = meat.groups.filter(|groups| groups.count > 1).map(|groups| {
            let count = groups.count as f64;
            let covariance = groups.sum.scaled(count / (count - 1.0));
            Clustered { covariance, groups: groups.count }
        });
    }
    Ok(())
}

/// How much one row moves the estimates.
#[derive(Clone, Debug)]
struct Influence {
    won_weight: f64,
    lost_weight: f64,
    weights: Vec<f64>,
    difference: Vec<f64>,
    middle: Vec<f64>,
    inverse: Matrix,
    standard: Standard,
}

impl Scores for Influence {
    fn standard(&self) -> &Standard {
        &self.standard
    }

    /// δμ_C = (x−μ_C)/N_C, δΣ = {(x−μ_C)(x−μ_C)′ − Σ}/N, and with Σw = d
    /// δw = Σ⁻¹(δd − δΣ w), δc = −m·δw − w·δm.
    ///
    /// From the middle m of the means, x − μ_W is x − m − d/2 and x − μ_L is
    /// x − m + d/2.
    fn score(&self, block: &Block, row: usize, x: &[f64], out: &mut [f64]) {
        out.fill(0.0);
        let Some(outcome) = &block.outcome else { return };
        let x = &x[1..];
        let total = self.won_weight + self.lost_weight;
        let (won, lost) = class_weights(block, outcome, row);
        // `class_weights` includes the weight of the row, which `meat` applies.
        let weight = block.weight_of(row);
        let classes =
            [(won / weight, self.won_weight, 1.0), (lost / weight, self.lost_weight, -1.0)];
        let mut moved = vec![0.0; x.len()];
        let mut constant = 0.0;
        for (share, class_weight, sign) in classes {
            if share == 0.0 {
                continue;
            }
            let from_mean = |index: usize| x[index] - 0.5 * sign * self.difference[index];
            let along: f64 =
                self.weights.iter().enumerate().map(|(j, weight)| from_mean(j) * weight).sum();
            let factor = sign / class_weight - along / total;
            for (index, moved) in moved.iter_mut().enumerate() {
                *moved += share * (from_mean(index) * factor + self.difference[index] / total);
            }
            constant -= share * 0.5 * along / class_weight;
        }
        for index in 0..moved.len() {
            out[index + 1] = dot(self.inverse.row(index), &moved);
        }
        out[0] = constant - dot(&self.middle, &out[1..]);
    }
}
