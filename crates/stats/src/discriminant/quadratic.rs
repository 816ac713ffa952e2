//! The quadratic discriminant function.

use serde::{Deserialize, Serialize};

use super::{Prior, fit_windows};
use crate::block::Block;
use crate::error::FitError;
use crate::estimator::{Estimator, Fit, Fits, common_fields};
use crate::examples::Examples;
use crate::labels::class_weights;
use crate::matrix::{Cholesky, Matrix, dot};
use crate::moments::{Moments, Scatter, factor};
use crate::pass::Threads;
use crate::phases::{PhaseRange, Pooling};
use crate::predict::Predict;
use crate::sandwich::{Sandwich, Scores};
use crate::tile::Standard;
use crate::uncertainty::{Covariance, ErrorKind, Uncertainty};

/// Settings of the quadratic discriminant:
/// f(x) = log p(x|W) − log p(x|L) with one normal density per class.
///
/// ```
/// use discern_stats::{Dataset, Estimator, Example, Predict, Quadratic};
///
/// let mut data = Dataset::builder(["mobility"]);
/// for (mobility, outcome) in [(3.0, 1.0), (1.0, 1.0), (2.0, 0.0), (-1.0, 0.0), (0.0, 0.5)] {
///     data.push(&Example::new(&[mobility], outcome))?;
/// }
/// let fit = Quadratic::default().fit(&data.finish())?;
/// assert!(fit.probability(&[2.5]) > 0.5);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Quadratic {
    /// A priori probabilities.
    pub prior: Prior,
    /// The most elaborate standard errors to compute. Robust ones take k²
    /// operations per row of k features.
    pub errors: ErrorKind,
    /// Threads of each pass; the result does not depend on it.
    pub threads: Threads,
}

impl Default for Quadratic {
    fn default() -> Self {
        let (prior, threads) = (Prior::default(), Threads::default());
        Self { prior, errors: ErrorKind::Clustered, threads }
    }
}

/// A fitted quadratic discriminant, f(x) = xQx′ + Lx′ + c.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct QuadraticFit {
    /// Names of the features.
    pub features: Vec<String>,
    /// Q = −½(Σ_W⁻¹ − Σ_L⁻¹), symmetric.
    pub quadratic: Matrix,
    /// L = μ_WΣ_W⁻¹ − μ_LΣ_L⁻¹
    pub linear: Vec<f64>,
    /// c = −½(μ_WΣ_W⁻¹μ_W′ − μ_LΣ_L⁻¹μ_L′ + log|Σ_W| − log|Σ_L|)
    pub constant: f64,
    /// Log-likelihood of the features given the classes.
    pub log_likelihood: f64,
    /// Sum of the weights of all rows.
    pub rows: f64,
    /// Where f is evaluated from: the middle of the class means. Around it the
    /// three terms do not cancel, wherever the features lie.
    centre: Vec<f64>,
    linear_at_centre: Vec<f64>,
    constant_at_centre: f64,
    /// Of c, L and the upper triangle of Q, row by row; `Information` is the
    /// delta method for normal features.
    uncertainty: Uncertainty,
    range: PhaseRange,
    classes: [Class; 2],
}

/// Standard errors of a quadratic discriminant.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct QuadraticErrors {
    /// Of each entry of Q.
    pub quadratic: Matrix,
    /// Of each entry of L.
    pub linear: Vec<f64>,
    /// Of c.
    pub constant: f64,
}

/// One class.
#[derive(Clone, Debug)]
struct Class {
    factor: Cholesky,
    /// Σ⁻¹
    precision: Matrix,
    weight: f64,
    mean: Vec<f64>,
}

impl Class {
    fn new(features: &[String], scatter: &Scatter, within: &'static str) -> Result<Self, FitError> {
        let factor = factor(features, &scatter.mean, &scatter.covariance(), within)?;
        let precision = factor.inverse();
        Ok(Self { factor, precision, weight: scatter.weight, mean: scatter.mean.clone() })
    }

    /// Σ⁻¹(μ − origin)
    fn pull(&self, origin: &[f64]) -> Vec<f64> {
        self.factor.solve(&difference(&self.mean, origin))
    }

    /// (μ − origin) Σ⁻¹ (μ − origin)′
    fn distance(&self, origin: &[f64]) -> f64 {
        let white = self.factor.solve_lower(&difference(&self.mean, origin));
        dot(&white, &white)
    }

    /// Variances of the class's part of c, L and Q by the delta method with
    /// normal features: Var μ̂ = Σ/N and Σ̂ Wishart.
    fn variances(&self) -> Vec<f64> {
        let origin = vec![0.0; self.mean.len()];
        let (pull, q) = (self.pull(&origin), self.distance(&origin));
        let s = &self.precision;
        let order = s.order();
        let p = order as f64;
        let mut variances = vec![(q + 0.5 * (p - 2.0 * q + q * q)) / self.weight];
        variances
            .extend((0..order).map(|i| (s[(i, i)] * (1.0 + q) + pull[i] * pull[i]) / self.weight));
        variances
            .extend(upper(order).map(|(i, j)| {
                0.25 * (s[(i, j)] * s[(i, j)] + s[(i, i)] * s[(j, j)]) / self.weight
            }));
        variances
    }
}

/// Rows and columns of an upper triangle, row by row.
fn upper(order: usize) -> impl Iterator<Item = (usize, usize)> {
    (0..order).flat_map(move |i| (i..order).map(move |j| (i, j)))
}

fn difference(a: &[f64], b: &[f64]) -> Vec<f64> {
    a.iter().zip(b).map(|(a, b)| a - b).collect()
}

impl Estimator for Quadratic {
    type Fit = QuadraticFit;

    fn fit_windows(
        &self,
        examples: &dyn Examples,
        pooling: Option<Pooling>,
    ) -> Result<Fits<Option<i32>, QuadraticFit>, FitError> {
        fit_windows(examples, pooling, self.threads, self.errors, |moments, range| {
            Ok(QuadraticFit { range, ..self.fit_moments(moments)? })
        })
    }
}

impl Quadratic {
    /// Fits the discriminant to moments alone; errors are then those for
    /// normal features.
    ///
    /// # Errors
    /// If a class is missing or features are constant or collinear in a class.
    pub fn fit_moments(&self, moments: &Moments) -> Result<QuadraticFit, FitError> {
        moments.check()?;
        let won = Class::new(&moments.features, &moments.won, " among the won rows")?;
        let lost = Class::new(&moments.features, &moments.lost, " among the lost rows")?;
        let order = moments.features.len();
        let quadratic =
            Matrix::from_fn(order, |i, j| -0.5 * (won.precision[(i, j)] - lost.precision[(i, j)]));
        let prior = self.prior.log_odds(moments);
        let determinants = won.factor.log_determinant() - lost.factor.log_determinant();
        let at = |origin: &[f64]| -> (Vec<f64>, f64) {
            let linear = difference(&won.pull(origin), &lost.pull(origin));
            let distances = won.distance(origin) - lost.distance(origin);
            (linear, -0.5 * (distances + determinants) + prior)
        };
        let centre: Vec<f64> =
            won.mean.iter().zip(&lost.mean).map(|(w, l)| 0.5 * (w + l)).collect();
        let (linear, constant) = at(&vec![0.0; order]);
        let (linear_at_centre, constant_at_centre) = at(&centre);

        let (won_variances, lost_variances) = (won.variances(), lost.variances());
        let variances = won_variances.iter().zip(lost_variances).map(|(w, l)| w + l).collect();
        let log_likelihood = [&won, &lost]
            .map(|class| {
                let per_row = order as f64 * (1.0 + (2.0 * std::f64::consts::PI).ln())
                    + class.factor.log_determinant();
                -0.5 * class.weight * per_row
            })
            .iter()
            .sum();
        Ok(QuadraticFit {
            features: moments.features.clone(),
            quadratic,
            linear,
            constant,
            log_likelihood,
            rows: moments.rows,
            centre,
            linear_at_centre,
            constant_at_centre,
            uncertainty: Uncertainty::new(Covariance::Variances(variances), 1.0),
            range: PhaseRange::ALL,
            classes: [won, lost],
        })
    }
}

impl Predict for QuadraticFit {
    fn log_odds(&self, features: &[f64]) -> f64 {
        let x = difference(features, &self.centre);
        self.quadratic.quadratic_form(&x)
            + dot(&self.linear_at_centre, &x)
            + self.constant_at_centre
    }
}

impl QuadraticFit {
    /// The same function around a centre m between the classes, where its terms
    /// do not cancel: m, L and c of f(x) = (x−m)Q(x−m)′ + L(x−m)′ + c.
    pub fn around_centre(&self) -> (&[f64], &[f64], f64) {
        (&self.centre, &self.linear_at_centre, self.constant_at_centre)
    }

    /// Standard errors in the shape of the function; `None` if they were not
    /// computed.
    pub fn errors(&self, kind: ErrorKind) -> Option<QuadraticErrors> {
        let errors = self.standard_errors(kind)?;
        let order = self.linear.len();
        let (linear, products) = errors[1..].split_at(order);
        let mut quadratic = Matrix::zeros(order);
        for ((i, j), &error) in upper(order).zip(products) {
            quadratic[(i, j)] = error;
            quadratic[(j, i)] = error;
        }
        Some(QuadraticErrors { quadratic, linear: linear.to_vec(), constant: errors[0] })
    }
}

impl Fit for QuadraticFit {
    common_fields!();

    /// c, L and the upper triangle of Q, row by row.
    fn coefficients(&self) -> Vec<f64> {
        let products = upper(self.linear.len()).map(|place| self.quadratic[place]);
        std::iter::once(self.constant).chain(self.linear.iter().copied()).chain(products).collect()
    }

    fn names(&self) -> Vec<String> {
        let products = upper(self.features.len()).map(|(i, j)| match &self.features[i] {
            name if i == j => format!("{name}²"),
            name => format!("{name}·{}", self.features[j]),
        });
        let first = std::iter::once("(intercept)".to_string());
        first.chain(self.features.iter().cloned()).chain(products).collect()
    }

    fn log_likelihood(&self) -> f64 {
        self.log_likelihood
    }
}

impl Sandwich for QuadraticFit {
    type Scores = Influence;

    fn scores(&self) -> (PhaseRange, Influence) {
        let origin = vec![0.0; self.centre.len()];
        let classes = self.classes.each_ref().map(|class| ClassInfluence {
            weight: class.weight,
            to_centre: difference(&self.centre, &class.mean),
            mean: class.mean.clone(),
            pull: class.pull(&origin),
            distance: class.distance(&origin),
            precision: class.precision.clone(),
        });
        let scale = vec![1.0; self.centre.len()];
        let standard = Standard { scale, shift: self.centre.clone() };
        (self.range, Influence { classes, standard })
    }

    fn uncertainty_mut(&mut self) -> &mut Uncertainty {
        &mut self.uncertainty
    }
}

/// How much one row moves c, L and Q.
pub(crate) struct Influence {
    /// Won and lost.
    classes: [ClassInfluence; 2],
    standard: Standard,
}

struct ClassInfluence {
    weight: f64,
    /// From the mean to the centre.
    to_centre: Vec<f64>,
    mean: Vec<f64>,
    /// Σ⁻¹μ
    pull: Vec<f64>,
    /// μΣ⁻¹μ′
    distance: f64,
    precision: Matrix,
}

impl Scores for Influence {
    fn standard(&self) -> &Standard {
        &self.standard
    }

    fn nothing(&self) -> Covariance {
        let order = self.standard.shift.len();
        Covariance::Variances(vec![0.0; 1 + order + order * (order + 1) / 2])
    }

    /// With u = Σ⁻¹(x−μ), δμ = (x−μ)/N and δΣ⁻¹ = (Σ⁻¹ − uu′)/N:
    /// δQ = ½(uu′ − Σ⁻¹)/N, δL = {u(1 − uμ′) + Σ⁻¹μ}/N and
    /// δc = ½{(uμ′)² − μΣ⁻¹μ′ − 2uμ′ − u(x−μ)′ + k}/N; negative for lost rows.
    fn score(&self, block: &Block, row: usize, x: &[f64], out: &mut [f64]) {
        out.fill(0.0);
        let Some(outcome) = &block.outcome else { return };
        let (won, lost) = class_weights(block, outcome, row);
        let (order, weight) = (x.len() - 1, block.weight_of(row));
        for (share, class) in [won / weight, -lost / weight].into_iter().zip(&self.classes) {
            if share == 0.0 {
                continue;
            }
            let from_mean: Vec<f64> =
                x[1..].iter().zip(&class.to_centre).map(|(x, to_centre)| x + to_centre).collect();
            let u = class.precision.times(&from_mean);
            let along = dot(&u, &class.mean);
            let factor = share / class.weight;
            let constant = along * along - class.distance - 2.0 * along;
            out[0] += 0.5 * factor * (constant - dot(&u, &from_mean) + order as f64);
            let (linear, products) = out[1..].split_at_mut(order);
            for (out, (u, pull)) in linear.iter_mut().zip(u.iter().zip(&class.pull)) {
                *out += factor * (u * (1.0 - along) + pull);
            }
            for (out, (i, j)) in products.iter_mut().zip(upper(order)) {
                *out += 0.5 * factor * (u[i] * u[j] - class.precision[(i, j)]);
            }
        }
    }
}
