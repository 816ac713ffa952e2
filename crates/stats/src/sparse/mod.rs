//! Logistic regression on sparse rows: pattern weights of any game.
//!
//! A row names some weights out of up to two thousand million, each with a
//! value (mostly 1 or −1); its log-odds are their sum. The paper's method
//! (Section 2.2) at the size of today's pattern evaluators: 48 configurations
//! on the board out of 150,000, millions of positions.
//!
//! [`SparseLogistic`] (settings) → [`fit`](SparseLogistic::fit) on
//! [`SparseExamples`] → [`SparseFit`]: weights, how many rows each was seen in,
//! how uncertain it is, and why the fit stopped. The prior is a ridge per block
//! of weights and links between weights ([`WeightPrior`]); symmetric weights
//! are one ([`Ties`]). The same bits come out for any number of threads; up to
//! two million rows also in memory or streamed, and beyond that to the tolerance.
//!
//! ```
//! use discern_stats::sparse::{SparseDataset, SparseExample, SparseLogistic, WeightPrior};
//!
//! let mut data = SparseDataset::builder(20);
//! for row in 0..200u32 {
//!     // Two patterns of ten configurations; weight 3 is good, weight 14 bad.
//!     let (a, b) = (row * 7 % 10, 10 + row * 5 % 9);
//!     let won = a == 3 || (b != 14 && row % 4 < 2);
//!     data.push(&SparseExample::new(&[(a, 1.0), (b, 1.0)], f64::from(u8::from(won))))?;
//! }
//! let settings = SparseLogistic { prior: WeightPrior::ridge(0.5), ..SparseLogistic::default() };
//! let fit = settings.fit(&data.finish())?;
//! assert_eq!(fit.stop.word(), "converged");
//! assert!(fit.weights[3] > 1.0 && fit.weights[14] < -1.0 && fit.weights[19] == 0.0);
//! assert!(fit.probability(&[(3, 1.0), (14, 1.0)], 0) > 0.5);
//! assert_eq!((fit.counts[3], fit.counts[19]), (20.0, 0.0));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod block;
mod bytes;
mod dataset;
mod descent;
mod examples;
mod facts;
mod fit;
mod joint;
mod kernel;
mod newton;
mod objective;
mod pass;
mod phases;
mod prior;
mod space;
mod ties;
mod tile;

pub use block::{MAX_WEIGHTS, SPARSE_BLOCK_ROWS, SparseBlock};
pub use dataset::{SparseDataset, SparseDatasetBuilder, SparseExample};
pub use examples::{SparseBlocks, SparseExamples, SparseFold};
pub use fit::{Intercept, SparseErrors, SparseFit, intercept_of};
pub use phases::SparsePhases;
pub use prior::{Link, WeightPrior};
pub use ties::{Sign, Ties};

use descent::Descent;
use facts::Facts;
use newton::{Minimum, Rules, minimise};
use objective::SparseObjective;
use space::Space;

use crate::error::FitError;
use crate::labels::Trials;
use crate::logistic::StopReason;
use crate::pass::Threads;

/// Which rows share a constant.
#[derive(Clone, Copy, Debug, PartialEq, Default)]
pub enum Intercepts {
    /// There is none: symmetric games, where both sides have equal chances.
    None,
    /// All rows; it is not penalised.
    #[default]
    One,
    /// The rows of each phase. They are not penalised, but may be expected to
    /// differ little from phase to phase.
    PerPhase {
        /// Penalty ½·smoothing·(difference)² between neighbouring phases.
        smoothing: f64,
    },
}

/// Settings of the sparse logistic regression.
///
/// It minimises Σ log loss + penalty, where the log loss of a row is
/// weight·(n·log(1+e^η) − y·η) with y successes of n trials and the log-odds
/// η = offset + intercept + Σ value·weight, and the penalty is that of the
/// [`prior`](Self::prior).
///
/// The method is Newton's with conjugate gradients and an exact diagonal
/// preconditioner, from where stochastic steps have led; a rough tolerance
/// needs nothing but these.
#[derive(Clone, Debug)]
pub struct SparseLogistic {
    /// How an outcome enters the likelihood, where rows bring no trials.
    /// Unlike the dense estimators the default is one trial a row: the ridge
    /// keeps the estimates finite.
    pub trials: Trials,
    /// What is expected of the weights.
    pub prior: WeightPrior,
    /// Weights that are one weight.
    pub ties: Option<Ties>,
    /// Which rows share a constant.
    pub intercepts: Intercepts,
    /// The fit has converged when |gradient| / √information is at most this
    /// for every weight: no weight is then further from its best value, given
    /// the others, than this many of its standard errors. 10⁻² is far below
    /// what data can tell; the default leaves seven digits of the weights.
    pub tolerance: f64,
    /// Visits of each row by stochastic steps before Newton's begin.
    pub warm_up: u32,
    /// Newton steps over all rows.
    pub max_steps: u32,
    /// Threads; the result does not depend on it.
    pub threads: Threads,
}

impl Default for SparseLogistic {
    fn default() -> Self {
        Self {
            trials: Trials::One,
            prior: WeightPrior::default(),
            ties: None,
            intercepts: Intercepts::One,
            tolerance: 1e-8,
            warm_up: 4,
            max_steps: 100,
            threads: Threads::default(),
        }
    }
}

/// Where a fit stands.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SparseProgress {
    /// Newton steps taken.
    pub steps: u32,
    /// Passes over all rows so far, those over a part of them in proportion.
    pub passes: f64,
    /// The gradient that is to reach the tolerance; within a step the one that
    /// the step is expected to leave. Unknown during the warm-up.
    pub gradient: Option<f64>,
}

impl SparseLogistic {
    /// Fits the weights.
    ///
    /// # Errors
    /// If a setting is out of range, the data cannot be read or have no
    /// outcomes, or a class is missing. A fit that did not converge is not an
    /// error: it says so in [`SparseFit::stop`].
    pub fn fit(&self, examples: &dyn SparseExamples) -> Result<SparseFit, FitError> {
        self.fit_watched(examples, &mut |_| ())
    }

    /// As [`fit`](Self::fit), and says after each pass where it stands.
    ///
    /// # Errors
    /// As [`fit`](Self::fit).
    pub fn fit_watched(
        &self,
        examples: &dyn SparseExamples,
        watch: &mut dyn FnMut(SparseProgress),
    ) -> Result<SparseFit, FitError> {
        self.fit_from(None, examples, watch)
    }

    /// As [`fit_watched`](Self::fit_watched), from the estimates of another
    /// fit on: one of similar rows with the same indices is most of the way.
    ///
    /// # Errors
    /// As [`fit`](Self::fit), and if that fit has other indices.
    pub fn fit_from(
        &self,
        start: Option<&SparseFit>,
        examples: &dyn SparseExamples,
        watch: &mut dyn FnMut(SparseProgress),
    ) -> Result<SparseFit, FitError> {
        self.trials.check()?;
        let tolerance = self.tolerance;
        if tolerance <= 0.0 || tolerance.is_nan() {
            return Err(FitError::Setting(format!("tolerance {tolerance} is not above 0")));
        }
        let facts = Facts::collect(examples, self.trials, self.threads)?;
        self.check_classes(&facts)?;
        let phases = facts.phases.keys().copied();
        let indices = examples.weights();
        let space = Space::new(indices, self.ties.as_ref(), &self.prior, self.intercepts, phases)?;
        let mut course =
            Course { settings: self, facts: &facts, space: &space, passes: 1.0, watch };
        let start = course.warm_up(start, examples)?;
        let rules = Rules {
            tolerance,
            max_steps: self.max_steps,
            can_separate: space.has_unpenalised_weights(),
        };
        let mut objective =
            SparseObjective::new(examples, &space, &facts, self.trials, self.threads);
        let mut minimum = course.minimise(&mut objective, start, rules)?;
        let told = objective.tell()?;
        if told.one_sided.contains(&true) {
            minimum.stop = StopReason::Separated;
        }
        let joint = objective.joint_errors()?;
        let passes = course.passes + told.passes;
        Ok(SparseFit::new(&space, &facts, minimum, told, joint, passes))
    }

    /// Bytes that a fit takes beside its rows, about: for each weight and for
    /// each row.
    pub fn memory(&self) -> (usize, usize) {
        // A dozen vectors of the iteration, the table of both signs, and what
        // each thread adds up; the curvature of a row, and of those of samples.
        (16 * 8 + self.threads.count() * 40, 6)
    }

    /// Rows of one class only have no finite intercept.
    fn check_classes(&self, facts: &Facts) -> Result<(), FitError> {
        if self.intercepts == Intercepts::None {
            return Ok(());
        }
        if let Some(missing) = facts.total.missing() {
            return Err(FitError::OneClass { missing, rows: facts.total.rows });
        }
        if self.intercepts == (Intercepts::PerPhase { smoothing: 0.0 }) {
            for (&phase, totals) in &facts.phases {
                if let Some(missing) = totals.missing() {
                    return Err(FitError::OneClassPhase { phase, missing });
                }
            }
        }
        Ok(())
    }
}

/// A fit under way.
struct Course<'a> {
    settings: &'a SparseLogistic,
    facts: &'a Facts,
    space: &'a Space,
    /// Over all rows.
    passes: f64,
    watch: &'a mut dyn FnMut(SparseProgress),
}

/// Fewer rows are not worth a warm-up.
const LEAST_ROWS: usize = 1 << 14;

impl Course<'_> {
    /// Where to start: where stochastic steps lead.
    fn warm_up(
        &mut self,
        start: Option<&SparseFit>,
        examples: &dyn SparseExamples,
    ) -> Result<Vec<f64>, FitError> {
        let point = match start {
            Some(fit) => self.point_of(fit)?,
            None => self.plain_start(),
        };
        let visits = self.settings.warm_up;
        if self.facts.rows < LEAST_ROWS || visits == 0 {
            return Ok(point);
        }
        let SparseLogistic { trials, threads, .. } = *self.settings;
        let (space, facts) = (self.space, self.facts);
        let (pool, rows): (&dyn SparseExamples, usize) = match &facts.sample {
            Some(sample) => (sample, sample.rows()),
            None => (examples, facts.rows),
        };
        let share = rows as f64 / facts.rows as f64;
        let (before, watch) = (self.passes, &mut *self.watch);
        let descent = Descent { space, facts, trials, threads, visits, known: start.is_some() };
        let point = descent.run(pool, point, &mut |passes| {
            let passes = before + share * passes;
            watch(SparseProgress { steps: 0, passes, gradient: None });
        })?;
        self.passes += share * f64::from(visits);
        Ok(point)
    }

    /// The estimates of another fit.
    fn point_of(&self, fit: &SparseFit) -> Result<Vec<f64>, FitError> {
        let (theirs, mine) = (fit.weights.len(), self.space.indices());
        if theirs != mine {
            let problem = format!("a start of {theirs} weights, and there are {mine}");
            return Err(FitError::Setting(problem));
        }
        let mut point = vec![0.0; self.space.len()];
        for (index, &value) in fit.weights.iter().enumerate() {
            if let Some((weight, sign)) = self.space.weight_of(index) {
                point[weight] = sign * value;
            }
        }
        let intercepts = &mut point[self.space.weights()..];
        for (intercept, phase) in intercepts.iter_mut().zip(self.space.intercepts.phases()) {
            *intercept = fit.intercept(*phase);
        }
        Ok(point)
    }

    /// Weights of 0, and the log-odds of all rows as intercept.
    fn plain_start(&self) -> Vec<f64> {
        let mut point = vec![0.0; self.space.len()];
        let weights = self.space.weights();
        let log_odds = |totals: &facts::ClassTotals| {
            ((totals.successes + 0.5) / (totals.trials - totals.successes + 0.5)).ln()
        };
        match &self.space.intercepts {
            space::PhaseIntercepts::None => {}
            space::PhaseIntercepts::One => point[weights] = log_odds(&self.facts.total),
            space::PhaseIntercepts::Each(_) => {
                for (intercept, totals) in
                    point[weights..].iter_mut().zip(self.facts.phases.values())
                {
                    *intercept = log_odds(totals);
                }
            }
        }
        point
    }

    fn minimise(
        &mut self,
        objective: &mut SparseObjective,
        start: Vec<f64>,
        rules: Rules,
    ) -> Result<Minimum, FitError> {
        let (before, watch) = (self.passes, &mut *self.watch);
        let minimum = minimise(objective, start, rules, &mut |standing| {
            let passes = before + f64::from(standing.products + standing.steps + 2);
            let (steps, gradient) = (standing.steps, Some(standing.gradient));
            watch(SparseProgress { steps, passes, gradient });
        })?;
        self.passes += f64::from(minimum.products + minimum.others);
        Ok(minimum)
    }
}
