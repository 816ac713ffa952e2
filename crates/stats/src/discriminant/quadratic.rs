//! The quadratic discriminant function.

use super::Prior;
use crate::error::FitError;
use crate::matrix::{Cholesky, Matrix, dot};
use crate::moments::{Moments, Scatter, factor};
use crate::predict::Predict;

/// Settings of the quadratic discriminant:
/// f(x) = log p(x|W) − log p(x|L) with one normal density per class.
#[derive(Clone, Copy, Debug, Default)]
pub struct Quadratic {
    /// A priori probabilities.
    pub prior: Prior,
}

/// A fitted quadratic discriminant, f(x) = xQx′ + Lx′ + c.
#[derive(Clone, Debug)]
pub struct QuadraticFit {
    /// Names of the features.
    pub features: Vec<String>,
    /// Q = −½(Σ_W⁻¹ − Σ_L⁻¹), symmetric.
    pub quadratic: Matrix,
    /// L = μ_WΣ_W⁻¹ − μ_LΣ_L⁻¹
    pub linear: Vec<f64>,
    /// c = −½(μ_WΣ_W⁻¹μ_W′ − μ_LΣ_L⁻¹μ_L′ + log|Σ_W| − log|Σ_L|)
    pub constant: f64,
    /// Standard errors if the features are normal.
    pub errors: QuadraticErrors,
    /// Log-likelihood of the features given the classes.
    pub log_likelihood: f64,
    /// Sum of the weights of all rows.
    pub rows: f64,
    /// Where f is evaluated from: the middle of the class means. Around it the
    /// three terms do not cancel, wherever the features lie.
    centre: Vec<f64>,
    linear_at_centre: Vec<f64>,
    constant_at_centre: f64,
}

/// Standard errors of a quadratic discriminant.
#[derive(Clone, Debug)]
pub struct QuadraticErrors {
    /// Of each entry of Q.
    pub quadratic: Matrix,
    /// Of each entry of L.
    pub linear: Vec<f64>,
    /// Of c.
    pub constant: f64,
}

/// One class, seen from a centre.
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

    /// Variances of the class's part of Q, L and c by the delta method with
    /// normal features: Var μ̂ = Σ/N and Σ̂ Wishart.
    fn variances(&self) -> (Matrix, Vec<f64>, f64) {
        let origin = vec![0.0; self.mean.len()];
        let (pull, q) = (self.pull(&origin), self.distance(&origin));
        let s = &self.precision;
        let order = s.order();
        let quadratic = Matrix::from_fn(order, |i, j| {
            0.25 * (s[(i, j)] * s[(i, j)] + s[(i, i)] * s[(j, j)]) / self.weight
        });
        let linear =
            (0..order).map(|i| (s[(i, i)] * (1.0 + q) + pull[i] * pull[i]) / self.weight).collect();
        let p = order as f64;
        let constant = (q + 0.5 * (p - 2.0 * q + q * q)) / self.weight;
        (quadratic, linear, constant)
    }
}

fn difference(a: &[f64], b: &[f64]) -> Vec<f64> {
    a.iter().zip(b).map(|(a, b)| a - b).collect()
}

impl Quadratic {
    /// Fits the discriminant to the moments of the data.
    ///
    /// # Errors
    /// If a class is missing or features are constant or collinear in a class.
    pub fn fit(&self, moments: &Moments) -> Result<QuadraticFit, FitError> {
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

        let (won_q, won_l, won_c) = won.variances();
        let (lost_q, lost_l, lost_c) = lost.variances();
        let errors = QuadraticErrors {
            quadratic: Matrix::from_fn(order, |i, j| (won_q[(i, j)] + lost_q[(i, j)]).sqrt()),
            linear: won_l.iter().zip(lost_l).map(|(w, l)| (w + l).sqrt()).collect(),
            constant: (won_c + lost_c).sqrt(),
        };
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
            errors,
            log_likelihood,
            rows: moments.rows,
            centre,
            linear_at_centre,
            constant_at_centre,
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
