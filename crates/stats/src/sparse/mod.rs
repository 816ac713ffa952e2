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
mod examples;
mod facts;
mod fit;
mod joint;
mod kernel;
mod newton;
mod objective;
mod pass;
mod prior;
mod space;
mod ties;
mod tile;

pub use block::{MAX_WEIGHTS, SPARSE_BLOCK_ROWS, SparseBlock};
pub use dataset::{SparseDataset, SparseDatasetBuilder, SparseExample};
pub use examples::{SparseBlocks, SparseExamples, SparseFold};
pub use fit::{Intercept, SparseErrors, SparseFit, intercept_of};
pub use prior::{Link, WeightPrior};
pub use ties::{Sign, Ties};

use examples::SparseSample;
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
/// preconditioner, begun on a 64th, a 16th and a quarter of the rows; the
/// estimates are those of all rows.
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
            max_steps: 100,
            threads: Threads::default(),
        }
    }
}

/// Where a fit stands.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SparseProgress {
    /// Share of the rows that it works on.
    pub share: f64,
    /// Newton steps taken on them.
    pub steps: u32,
    /// Passes over all rows so far, those over a part of them in proportion.
    pub passes: f64,
    /// The gradient that is to reach the tolerance; within a step the one that
    /// the step is expected to leave.
    pub gradient: f64,
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
        let start = course.warm_up(examples)?;
        let rules = Rules {
            tolerance,
            decrement: 0.0,
            max_steps: self.max_steps,
            can_separate: space.has_unpenalised_weights(),
        };
        let mut objective =
            SparseObjective::new(examples, &space, &facts, self.trials, self.threads);
        let mut minimum = course.minimise(&mut objective, 1.0, start, rules)?;
        let told = objective.tell()?;
        if told.one_sided.contains(&true) {
            minimum.stop = StopReason::Separated;
        }
        let joint = objective.joint_errors()?;
        let passes = course.passes + 1.0;
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

/// A part of the rows that is not worth a fit of its own.
const LEAST_SAMPLE: usize = 8192;
/// Newton steps on a part of the rows.
const SAMPLE_STEPS: u32 = 3;

impl Course<'_> {
    /// Where to start: fits to ever larger parts of the rows.
    ///
    /// The penalty is that of all rows, too strong for a part of them. With one
    /// in proportion the part is learned by heart, and the way back from there
    /// took three times as long as no warm-up at all.
    fn warm_up(&mut self, examples: &dyn SparseExamples) -> Result<Vec<f64>, FitError> {
        let mut point = vec![0.0; self.space.len()];
        self.set_intercepts(&mut point);
        let rows = self.facts.rows as f64;
        let (pool, least): (&dyn SparseExamples, usize) = match &self.facts.sample {
            Some(sample) => (sample, 1),
            None => (examples, 2),
        };
        let pool_rows = self.facts.sample.as_ref().map_or(self.facts.rows, SparseDataset::rows);
        for every in [64, 16, 4, 1] {
            let sample_rows = pool_rows / every;
            if every < least || sample_rows < LEAST_SAMPLE || sample_rows == self.facts.rows {
                continue;
            }
            let sample = SparseSample { examples: pool, every };
            let SparseLogistic { trials, threads, .. } = *self.settings;
            let mut objective =
                SparseObjective::new(&sample, self.space, self.facts, trials, threads);
            let rules = Rules {
                tolerance: self.settings.tolerance,
                decrement: 0.02 * self.space.len() as f64,
                max_steps: SAMPLE_STEPS,
                can_separate: false,
            };
            let share = sample_rows as f64 / rows;
            point = self.minimise(&mut objective, share, point, rules)?.point;
        }
        Ok(point)
    }

    fn set_intercepts(&self, point: &mut [f64]) {
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
    }

    fn minimise(
        &mut self,
        objective: &mut SparseObjective,
        share: f64,
        start: Vec<f64>,
        rules: Rules,
    ) -> Result<Minimum, FitError> {
        let (before, watch) = (self.passes, &mut *self.watch);
        let minimum = minimise(objective, start, rules, &mut |standing| {
            let passes = before + share * f64::from(standing.products + standing.steps + 2);
            let (steps, gradient) = (standing.steps, standing.gradient);
            watch(SparseProgress { share, steps, passes, gradient });
        })?;
        self.passes += share * f64::from(minimum.products + minimum.others);
        Ok(minimum)
    }
}
