//! Newton's method whose steps come from conjugate gradients.
//!
//! The linear system of a step is solved only as well as the step deserves
//! (Eisenstat & Walker 1996, choice 2), with the exact diagonal of the
//! information as preconditioner: counts of weights range from one to millions,
//! and the diagonal takes that out of the problem.

use crate::error::DataError;
use crate::logistic::StopReason;

/// A convex function to be minimised.
pub(crate) trait Objective {
    /// Value and gradient at a point, which becomes *the* point.
    fn evaluate(&mut self, point: &[f64]) -> Result<Evaluation, DataError>;
    /// The diagonal of the matrix of second derivatives there.
    fn diagonal(&mut self) -> Result<Vec<f64>, DataError>;
    /// That matrix times a vector.
    fn product(&mut self, vector: &[f64]) -> Result<Vec<f64>, DataError>;
}

/// A function at a point.
#[derive(Clone, Debug)]
pub(crate) struct Evaluation {
    pub(crate) value: f64,
    /// The value without the penalty.
    pub(crate) loss: f64,
    pub(crate) gradient: Vec<f64>,
    /// The least log-odds on the side of what happened.
    pub(crate) margin: f64,
}

/// When to stop.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Rules {
    /// Largest |gradient| / √diagonal.
    pub(crate) tolerance: f64,
    pub(crate) max_steps: u32,
    /// Whether a point with every row on its right side ends the iteration.
    pub(crate) can_separate: bool,
}

/// Where the iteration stands.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Standing {
    pub(crate) steps: u32,
    pub(crate) products: u32,
    pub(crate) gradient: f64,
}

/// Where the iteration ended.
#[derive(Debug)]
pub(crate) struct Minimum {
    pub(crate) point: Vec<f64>,
    pub(crate) evaluation: Evaluation,
    /// Largest |gradient| / √diagonal.
    pub(crate) gradient: f64,
    pub(crate) stop: StopReason,
    pub(crate) steps: u32,
    pub(crate) products: u32,
    /// Evaluations and diagonals.
    pub(crate) others: u32,
}

/// The share of the gradient a first step may leave.
const ROUGH: f64 = 0.3;
/// Products of one step.
const MAX_PRODUCTS: u32 = 1000;
/// Steps shrink by half; after this many the direction is hopeless.
const MAX_HALVINGS: u32 = 30;
/// The diagonal is computed anew when the value has fallen by this share.
const STALE: f64 = 0.1;

/// Minimises a function from a point on.
pub(crate) fn minimise(
    objective: &mut dyn Objective,
    start: Vec<f64>,
    rules: Rules,
    watch: &mut dyn FnMut(Standing),
) -> Result<Minimum, DataError> {
    let evaluation = objective.evaluate(&start)?;
    let mut newton = Newton {
        diagonal: objective.diagonal()?,
        at: start,
        diagonal_value: evaluation.value,
        now: evaluation,
        steps: 0,
        products: 0,
        others: 2,
        last: None,
    };
    let stop = loop {
        let gradient = newton.gradient();
        watch(Standing { steps: newton.steps, products: newton.products, gradient });
        if newton.now.margin > 0.0 && rules.can_separate {
            break StopReason::Separated;
        }
        if gradient <= rules.tolerance {
            break StopReason::Converged;
        }
        if newton.steps >= rules.max_steps {
            break StopReason::StepLimit;
        }
        let direction = newton.direction(objective, rules.tolerance, watch)?;
        if !newton.advance(objective, &direction)? {
            break StopReason::Stalled;
        }
        newton.steps += 1;
        if newton.now.value < (1.0 - STALE) * newton.diagonal_value {
            newton.diagonal = objective.diagonal()?;
            newton.diagonal_value = newton.now.value;
            newton.others += 1;
        }
    };
    Ok(Minimum {
        gradient: newton.gradient(),
        point: newton.at,
        evaluation: newton.now,
        stop,
        steps: newton.steps,
        products: newton.products,
        others: newton.others,
    })
}

struct Newton {
    at: Vec<f64>,
    now: Evaluation,
    diagonal: Vec<f64>,
    /// The value when the diagonal was computed.
    diagonal_value: f64,
    steps: u32,
    products: u32,
    others: u32,
    /// Σ gradient² / diagonal at the last point.
    last: Option<f64>,
}

impl Newton {
    fn gradient(&self) -> f64 {
        largest(&self.now.gradient, &self.diagonal)
    }

    fn decrement(&self) -> f64 {
        let pairs = self.now.gradient.iter().zip(&self.diagonal);
        pairs.filter(|(_, h)| **h > 0.0).map(|(g, h)| g * g / h).sum()
    }

    /// H⁻¹·(−gradient), roughly.
    fn direction(
        &mut self,
        objective: &mut dyn Objective,
        tolerance: f64,
        watch: &mut dyn FnMut(Standing),
    ) -> Result<Vec<f64>, DataError> {
        let decrement = self.decrement();
        let fall = self.last.map_or(1.0, |last| decrement / last);
        self.last = Some(decrement);
        let enough = (0.9 * fall).min(ROUGH).powi(2) * decrement;
        let precondition = |residual: &[f64], out: &mut Vec<f64>, diagonal: &[f64]| {
            let pairs = residual.iter().zip(diagonal);
            out.clear();
            out.extend(pairs.map(|(r, h)| if *h > 0.0 { r / h } else { 0.0 }));
        };
        let mut step = vec![0.0; self.at.len()];
        let mut residual: Vec<f64> = self.now.gradient.iter().map(|g| -g).collect();
        let mut preconditioned = Vec::with_capacity(residual.len());
        precondition(&residual, &mut preconditioned, &self.diagonal);
        let mut direction = preconditioned.clone();
        let mut size = dot(&residual, &preconditioned);
        for _ in 0..MAX_PRODUCTS {
            let product = objective.product(&direction)?;
            self.products += 1;
            let curvature = dot(&direction, &product);
            if !(curvature > 0.0 && size > 0.0) {
                break;
            }
            let length = size / curvature;
            add(length, &direction, &mut step);
            add(-length, &product, &mut residual);
            precondition(&residual, &mut preconditioned, &self.diagonal);
            let left = dot(&residual, &preconditioned);
            let gradient = largest(&residual, &self.diagonal);
            watch(Standing { steps: self.steps, products: self.products, gradient });
            // Half the tolerance: the other half is for what is not linear.
            if left <= enough || gradient <= 0.5 * tolerance {
                break;
            }
            let share = left / size;
            size = left;
            for (d, z) in direction.iter_mut().zip(&preconditioned) {
                *d = z + share * *d;
            }
        }
        Ok(step)
    }

    /// Goes along a direction as far as the value falls; false if it does not.
    fn advance(
        &mut self,
        objective: &mut dyn Objective,
        direction: &[f64],
    ) -> Result<bool, DataError> {
        let slope = dot(&self.now.gradient, direction);
        let rounding = 1e-14 * self.now.value.abs();
        let mut length = 1.0;
        for _ in 0..=MAX_HALVINGS {
            let there: Vec<f64> =
                self.at.iter().zip(direction).map(|(u, d)| u + length * d).collect();
            let evaluation = objective.evaluate(&there)?;
            self.others += 1;
            // NaN is worse than anything, too.
            if evaluation.value <= self.now.value + 1e-4 * length * slope + rounding {
                self.at = there;
                self.now = evaluation;
                return Ok(true);
            }
            // The lowest point of the parabola through what is known.
            let excess = evaluation.value - self.now.value - length * slope;
            let lowest = -0.5 * slope * length * length / excess;
            length = if lowest.is_finite() {
                lowest.clamp(0.1 * length, 0.5 * length)
            } else {
                0.1 * length
            };
        }
        // The sums of the point stay those of the last evaluation: back.
        self.now = objective.evaluate(&self.at)?;
        Ok(false)
    }
}

fn largest(vector: &[f64], diagonal: &[f64]) -> f64 {
    let pairs = vector.iter().zip(diagonal).filter(|(_, h)| **h > 0.0);
    pairs.map(|(g, h)| g.abs() / h.sqrt()).fold(0.0, f64::max)
}

fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

fn add(factor: f64, vector: &[f64], out: &mut [f64]) {
    for (out, value) in out.iter_mut().zip(vector) {
        *out += factor * value;
    }
}
