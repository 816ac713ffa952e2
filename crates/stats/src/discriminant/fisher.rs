//! Fisher's linear discriminant.

use super::{Prior, fit_windows};
use crate::block::Block;
use crate::error::FitError;
use crate::estimator::{Estimator, Fit, Fits, common_fields};
use crate::examples::Examples;
use crate::labels::class_weights;
use crate::matrix::{Matrix, dot};
use crate::moments::{Moments, factor};
use crate::pass::Threads;
use crate::phases::{PhaseRange, Pooling};
use crate::predict::Predict;
use crate::sandwich::{Sandwich, Scores};
use crate::tile::Standard;
use crate::uncertainty::{Covariance, ErrorKind, Uncertainty};

/// Settings of Fisher's discriminant:
/// f(x) = (μ_W−μ_L) Σ⁻¹ {x − (μ_L+μ_W)/2}′ with maximum likelihood estimates.
///
/// ```
/// use discern_stats::{Dataset, Estimator, Example, Fisher, Predict};
///
/// let mut data = Dataset::builder(["mobility"]);
/// for (mobility, outcome) in [(3.0, 1.0), (1.0, 1.0), (2.0, 0.0), (-1.0, 0.0), (0.0, 0.5)] {
///     data.push(&Example::new(&[mobility], outcome))?;
/// }
/// let fit = Fisher::default().fit(&data.finish())?;
/// assert!(fit.distance > 0.0 && fit.probability(&[2.5]) > 0.5);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Fisher {
    /// A priori probabilities.
    pub prior: Prior,
    /// The most elaborate standard errors to compute.
    pub errors: ErrorKind,
    /// Threads of each pass; the result does not depend on it.
    pub threads: Threads,
}

impl Default for Fisher {
    fn default() -> Self {
        let (prior, threads) = (Prior::default(), Threads::default());
        Self { prior, errors: ErrorKind::Clustered, threads }
    }
}

/// A fitted linear discriminant. It has a closed form: there is no iteration
/// that could fail to converge.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct FisherFit {
    /// Names of the features.
    pub features: Vec<String>,
    /// The constant, then one coefficient per feature.
    pub coefficients: Vec<f64>,
    /// D² = (μ_W−μ_L) Σ⁻¹ (μ_W−μ_L)′, the squared distance of the classes in
    /// standard deviations of f.
    pub distance: f64,
    /// Log-likelihood of the features given the classes.
    pub log_likelihood: f64,
    /// Sum of the weights of all rows.
    pub rows: f64,
    /// `Information` is the delta method for normal features.
    uncertainty: Uncertainty,
    range: PhaseRange,
    influence: Influence,
}

impl Estimator for Fisher {
    type Fit = FisherFit;

    fn fit_windows(
        &self,
        examples: &dyn Examples,
        pooling: Option<Pooling>,
    ) -> Result<Fits<Option<i32>, FisherFit>, FitError> {
        fit_windows(examples, pooling, self.threads, self.errors, |moments, range| {
            Ok(FisherFit { range, ..self.fit_moments(moments)? })
        })
    }
}

impl Fisher {
    /// Fits the discriminant to moments alone; errors are then those for
    /// normal features.
    ///
    /// # Errors
    /// If a class is missing or features are constant or collinear within the
    /// classes.
    pub fn fit_moments(&self, moments: &Moments) -> Result<FisherFit, FitError> {
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
            distance,
            log_likelihood,
            rows: moments.rows,
            uncertainty: Uncertainty::new(Covariance::Full(joint), 1.0),
            range: PhaseRange::ALL,
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

impl Predict for FisherFit {
    fn log_odds(&self, features: &[f64]) -> f64 {
        self.coefficients[0] + dot(&self.coefficients[1..], features)
    }
}

impl Fit for FisherFit {
    common_fields!();

    fn coefficients(&self) -> Vec<f64> {
        self.coefficients.clone()
    }

    fn log_likelihood(&self) -> f64 {
        self.log_likelihood
    }
}

/// The covariance is Σ ψψ′ over rows or groups, with ψ the influence of a row
/// on (constant, w): the derivative of the estimates as its weight grows.
impl Sandwich for FisherFit {
    type Scores = Influence;

    fn scores(&self) -> (PhaseRange, Influence) {
        (self.range, self.influence.clone())
    }

    fn uncertainty_mut(&mut self) -> &mut Uncertainty {
        &mut self.uncertainty
    }
}

/// How much one row moves the estimates.
#[derive(Clone, Debug)]
pub(crate) struct Influence {
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

    fn nothing(&self) -> Covariance {
        Covariance::Full(Matrix::zeros(self.weights.len() + 1))
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
