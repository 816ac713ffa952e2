//! Newton–Raphson as a machine that asks for passes (Section 2.2).
//!
//! A [`Newton`] asks for the sums at some β and is advanced with them until it
//! stops. Because it never touches the data itself, fits of many phases run in
//! lockstep, one pass over the data serving all of them.

use serde::{Deserialize, Serialize};

use super::foresight::Foresight;
use super::kernel::Evaluation;
use crate::matrix::{Cholesky, Matrix};

/// Why an iteration ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum StopReason {
    /// The last step was below the tolerance: these are the estimates.
    Converged,
    /// The step limit came first: the coefficients are not the estimates.
    StepLimit,
    /// The features separate won from lost rows perfectly, so that no finite
    /// estimates exist: the likelihood grows as the coefficients do.
    Separated,
    /// No step along the Newton direction raises the likelihood any more, and
    /// the tolerance was not reached.
    Stalled,
}

impl StopReason {
    /// The word used in files and on the command line.
    pub fn word(self) -> &'static str {
        match self {
            Self::Converged => "converged",
            Self::StepLimit => "step-limit",
            Self::Separated => "separated",
            Self::Stalled => "stalled",
        }
    }
}

/// When to stop, and the penalty.
#[derive(Clone, Debug)]
pub(crate) struct Rules {
    /// Relative size of the last step.
    pub(crate) tolerance: f64,
    pub(crate) max_steps: u32,
    /// Ridge penalty of each standardised coefficient; 0 for the constant.
    pub(crate) ridge: Vec<f64>,
    /// Whether separation means that no finite estimate exists.
    pub(crate) can_separate: bool,
    /// Whether every row is won or lost.
    pub(crate) all_decided: bool,
}

impl Rules {
    /// The same rules for a rough answer.
    pub(crate) fn roughly(&self) -> Self {
        Self { tolerance: 1e-3, max_steps: 15, ..self.clone() }
    }
}

/// What the machine wants summed next.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Request<'a> {
    /// The paper's first step without β.
    Start,
    /// The sums at this β.
    At(&'a [f64]),
}

/// The iteration.
pub(crate) struct Newton {
    rules: Rules,
    /// Where the next sums are wanted; `None` before the start.
    candidate: Option<Vec<f64>>,
    accepted: Option<Accepted>,
    /// Share of the full step that the candidate takes.
    fraction: f64,
    sizes: Vec<f64>,
    pub(crate) steps: u32,
    pub(crate) halvings: u32,
    pub(crate) stop: Option<StopReason>,
    /// Whether some β had every row on its right side.
    pub(crate) perfect: bool,
}

/// The best β so far and its sums.
pub(crate) struct Accepted {
    pub(crate) beta: Vec<f64>,
    pub(crate) sums: Evaluation,
    /// (X′ΔX + ridge)⁻¹
    pub(crate) covariance: Matrix,
    penalised: f64,
    step: Vec<f64>,
}

/// Steps shrink by half; after this many the direction is hopeless.
const MAX_HALVINGS: u32 = 30;

impl Newton {
    /// From the paper's start, or from a β near the estimates.
    pub(crate) fn new(rules: Rules, start: Option<Vec<f64>>) -> Self {
        Self {
            rules,
            candidate: start,
            accepted: None,
            fraction: 1.0,
            sizes: Vec::new(),
            steps: 0,
            halvings: 0,
            stop: None,
            perfect: false,
        }
    }

    /// The next wish; `None` once the iteration has stopped.
    pub(crate) fn request(&self) -> Option<Request<'_>> {
        match (self.stop, &self.candidate) {
            (Some(_), _) => None,
            (None, None) => Some(Request::Start),
            (None, Some(beta)) => Some(Request::At(beta)),
        }
    }

    /// β that the iteration starts from, before its first pass.
    pub(crate) fn start(&self) -> Option<&[f64]> {
        self.candidate.as_deref()
    }

    /// When it stops.
    pub(crate) fn rules(&self) -> &Rules {
        &self.rules
    }

    /// β, if the iteration has converged.
    pub(crate) fn converged(&self) -> Option<&[f64]> {
        let best = self.accepted.as_ref()?;
        (self.stop == Some(StopReason::Converged)).then_some(&best.beta)
    }

    /// Both ends of the full Newton step that comes next, if it is short
    /// enough for a [`Foresight`] of its end and long enough to need one.
    pub(crate) fn step_ahead(&self) -> Option<[&[f64]; 2]> {
        const SHORT: f64 = 0.1;
        let (best, ahead) = (self.accepted.as_ref()?, self.candidate.as_ref()?);
        let &size = self.sizes.last()?;
        // Newton squares the error: ten times the square is what to expect next.
        let long = 10.0 * size * size > self.rules.tolerance;
        let wanted = self.stop.is_none() && self.fraction == 1.0 && size <= SHORT && long;
        wanted.then_some([&best.beta, ahead])
    }

    /// Improves the next step by what a sample finds at both ends of it.
    pub(crate) fn look_ahead(&mut self, sample_here: &Evaluation, sample_ahead: &Evaluation) {
        let Some(best) = &self.accepted else { return };
        if let Some(ahead) = Foresight::new(&best.sums, sample_here, sample_ahead, &best.step)
            && let Some(factor) = self.factor(&ahead.information)
            && let Some(candidate) = &mut self.candidate
        {
            for (beta, correction) in candidate.iter_mut().zip(factor.solve(&ahead.gradient)) {
                *beta += correction;
            }
        }
    }

    /// The best β found, once there is one.
    pub(crate) fn into_accepted(self) -> Option<Accepted> {
        self.accepted
    }

    /// Goes on with the sums that were asked for.
    pub(crate) fn advance(&mut self, sums: Evaluation) {
        match self.candidate.take() {
            None => self.begin(&sums),
            Some(beta) => self.judge(beta, sums),
        }
    }

    /// β⁽¹⁾ = (X′ΔX)⁻¹X′Δz
    fn begin(&mut self, sums: &Evaluation) {
        self.steps = 1;
        match self.factor(&sums.information) {
            Some(factor) => self.candidate = Some(factor.solve(&sums.gradient)),
            None => self.stop = Some(StopReason::Stalled),
        }
    }

    /// Accepts a candidate or shortens the step that led to it.
    fn judge(&mut self, beta: Vec<f64>, sums: Evaluation) {
        let penalty: f64 = beta.iter().zip(&self.rules.ridge).map(|(b, r)| r * b * b).sum();
        let penalised = sums.log_likelihood - 0.5 * penalty;
        if let Some(best) = &self.accepted {
            let rounding = 1e-12 * best.penalised.abs();
            // NaN is worse than anything, too.
            if penalised < best.penalised - rounding || penalised.is_nan() {
                return self.halve();
            }
        }
        self.fraction = 1.0;
        self.perfect |= self.rules.all_decided && sums.margin > 0.0;
        if self.perfect && self.rules.can_separate {
            // Already proven: multiplying β makes the likelihood approach 1.
            self.keep(beta, sums, penalised);
            self.stop = Some(StopReason::Separated);
            return;
        }
        let Some(size) = self.keep(beta, sums, penalised) else {
            let flat = self.rules.can_separate && self.steps > 4;
            self.stop = Some(if flat { StopReason::Separated } else { StopReason::Stalled });
            return;
        };
        self.sizes.push(size);
        if size <= self.rules.tolerance {
            self.finish();
        } else if self.diverges() {
            self.stop = Some(StopReason::Separated);
        } else if self.steps >= self.rules.max_steps {
            self.stop = Some(StopReason::StepLimit);
        } else {
            self.steps += 1;
            self.propose();
        }
    }

    /// Makes β the best so far; the relative size of the step from it, or
    /// `None` if the information is singular there.
    fn keep(&mut self, beta: Vec<f64>, sums: Evaluation, penalised: f64) -> Option<f64> {
        let factor = self.factor(&sums.information)?;
        let gradient: Vec<f64> = sums
            .gradient
            .iter()
            .zip(beta.iter().zip(&self.rules.ridge))
            .map(|(gradient, (beta, ridge))| gradient - ridge * beta)
            .collect();
        let step = factor.solve(&gradient);
        let largest = |values: &[f64]| values.iter().fold(0.0, |a: f64, b| a.max(b.abs()));
        let size = largest(&step) / largest(&beta).max(1.0);
        let covariance = factor.inverse();
        self.accepted = Some(Accepted { beta, sums, covariance, penalised, step });
        Some(size)
    }

    fn factor(&self, information: &Matrix) -> Option<Cholesky> {
        let mut matrix = information.clone();
        for (index, ridge) in self.rules.ridge.iter().enumerate() {
            matrix[(index, index)] += ridge;
        }
        Cholesky::new(&matrix, 1e-14).ok()
    }

    fn propose(&mut self) {
        if let Some(best) = &self.accepted {
            let step = best.beta.iter().zip(&best.step);
            self.candidate = Some(step.map(|(beta, step)| beta + self.fraction * step).collect());
        }
    }

    fn halve(&mut self) {
        self.fraction *= 0.5;
        self.halvings += 1;
        if self.fraction < 0.5f64.powi(MAX_HALVINGS as i32) {
            self.stop = Some(StopReason::Stalled);
        } else {
            self.propose();
        }
    }

    /// Takes the last, tiny step without another pass.
    fn finish(&mut self) {
        if let Some(best) = &mut self.accepted {
            for (beta, step) in best.beta.iter_mut().zip(&best.step) {
                *beta += step;
            }
        }
        self.stop = Some(StopReason::Converged);
    }

    /// Quasi-complete separation: some rows can be pushed to probability 0 or
    /// 1 for ever and the rest do not mind. Newton then walks about one logit
    /// per step instead of converging quadratically, so that steps which keep
    /// their size for long are the mark of it.
    fn diverges(&self) -> bool {
        const LONG: usize = 6;
        // Relative to a growing β a constant walk shrinks like 1/t, no faster.
        self.rules.can_separate
            && self.sizes.len() >= 4 + LONG
            && self.sizes.windows(2).rev().take(LONG).all(|pair| pair[1] > 0.6 * pair[0])
    }
}
