//! What a sample of the rows says about a Newton step before it is taken.
//!
//! A Newton step neglects how the information X′ΔX changes along the way. Few
//! rows are enough to learn that change: with sums over a sample at both ends
//! of the step, and those of all rows at its beginning, the sums of all rows
//! at its end are known up to the square of the step times the error of the
//! sample. (The surrogate likelihood of Jordan, Lee & Yang, JASA 2019, here
//! matched to second order.)

use super::kernel::Evaluation;
use crate::matrix::Matrix;

/// The sums expected one Newton step ahead.
pub(super) struct Foresight {
    /// X′ΔX there.
    pub(super) information: Matrix,
    /// The gradient of the penalised log-likelihood there.
    pub(super) gradient: Vec<f64>,
}

impl Foresight {
    /// From the sums of all rows `here`, where a full Newton step was computed,
    /// and those of a sample `here` and `ahead`, at the end of the step.
    ///
    /// `None` if the sample says nothing.
    pub(super) fn new(
        here: &Evaluation,
        sample_here: &Evaluation,
        sample_ahead: &Evaluation,
        step: &[f64],
    ) -> Option<Self> {
        let ratio = here.information[(0, 0)] / sample_here.information[(0, 0)];
        if !(ratio.is_finite() && sample_ahead.information.is_finite()) {
            return None;
        }
        let mut information = here.information.clone();
        information.add_scaled(ratio, &sample_ahead.information);
        information.add_scaled(-ratio, &sample_here.information);
        // The step makes the gradient vanish but for the change of the
        // information; the penalty is quadratic and drops out.
        let straight = sample_here.information.times(step);
        let gradient = (sample_ahead.gradient.iter().zip(&sample_here.gradient))
            .zip(&straight)
            .map(|((ahead, here), straight)| ratio * (ahead - here + straight))
            .collect();
        Some(Self { information, gradient })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Sums of rows x = 0, 1, …, 5 with y = 1, 0, 1, …, each so often.
    fn sums(beta: [f64; 2], often: [f64; 6]) -> Evaluation {
        let mut sums = Evaluation {
            information: Matrix::zeros(2),
            gradient: vec![0.0; 2],
            log_likelihood: 0.0,
            margin: 0.0,
        };
        for (row, often) in often.into_iter().enumerate() {
            let x = [1.0, row as f64 - 2.0];
            let p = 1.0 / (1.0 + (-beta[0] - beta[1] * x[1]).exp());
            sums.information.add_outer(often * p * (1.0 - p), &x);
            for (gradient, x) in sums.gradient.iter_mut().zip(x) {
                *gradient += often * (((row + 1) % 2) as f64 - p) * x;
            }
        }
        sums
    }

    #[test]
    fn the_end_of_a_step_is_foreseen_exactly_by_all_rows_and_nearly_by_some() {
        let all = [10.0; 6];
        let beta = [0.4, -0.3];
        let here = sums(beta, all);
        let step = crate::matrix::Cholesky::new(&here.information, 0.0)
            .map(|factor| factor.solve(&here.gradient))
            .unwrap();
        let end = [beta[0] + step[0], beta[1] + step[1]];
        let there = sums(end, all);
        for (some, error) in [([1.0; 6], 1e-12), ([1.0, 1.1, 0.9, 1.05, 0.95, 1.0], 0.1)] {
            let (sample_here, sample_ahead) = (sums(beta, some), sums(end, some));
            let ahead = Foresight::new(&here, &sample_here, &sample_ahead, &step).unwrap();
            for i in 0..2 {
                // Against guessing that nothing is left, as Newton does.
                let left = there.gradient[i].abs();
                assert!((ahead.gradient[i] - there.gradient[i]).abs() <= error * left);
                let changed = (there.information[(i, i)] - here.information[(i, i)]).abs();
                let wrong = (ahead.information[(i, i)] - there.information[(i, i)]).abs();
                assert!(wrong <= error * changed + 1e-13);
            }
        }
    }

    #[test]
    fn an_empty_sample_says_nothing() {
        let here = sums([0.0; 2], [1.0; 6]);
        let none = sums([0.0; 2], [0.0; 6]);
        assert!(Foresight::new(&here, &none, &none, &[0.1, 0.1]).is_none());
    }
}
