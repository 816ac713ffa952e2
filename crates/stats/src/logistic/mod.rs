//! LOG: logistic regression by Newton–Raphson (Section 2.2).

mod fit;
mod foresight;
mod kernel;
mod newton;
mod steps;
mod totals;

use std::collections::BTreeMap;

pub use fit::LogisticFit;
pub use newton::StopReason;
pub use steps::LogisticSteps;

pub(crate) use kernel::Evaluation;
pub(crate) use newton::Request;
pub(crate) use totals::{PhaseTotals, Totals};

use fit::Parts;
use kernel::{Evaluate, Kernels};
use newton::{Newton, Rules};

use crate::error::{DataError, FitError};
use crate::estimator::{Estimator, Fits};
use crate::examples::{Examples, Sample};
use crate::labels::Trials;
use crate::moments::{Moments, PhaseMoments, factor};
use crate::pass::{Threads, pass};
use crate::phases::{PhaseRange, Pooling};
use crate::sandwich::add_sandwiches;
use crate::simd::Native;
use crate::standard::standard_of;
use crate::tile::Standard;
use crate::uncertainty::ErrorKind;

/// Settings of logistic regression.
///
/// P(W|x) = 1/(1+exp(−xβ)) with β the maximum of
/// log L(β) = Σⱼ(Σᵢ yᵢxᵢⱼ)βⱼ − Σᵢ nᵢ log[1+exp(xᵢβ)] − ½·ridge·Σⱼ(sⱼβⱼ)²,
/// where sⱼ is the standard deviation of feature j, so that the penalty does
/// not depend on units; the constant is not penalised.
///
/// ```
/// use discern_stats::{Dataset, Estimator, Example, Logistic, Predict, StopReason};
///
/// let mut data = Dataset::builder(["mobility"]);
/// for (mobility, outcome) in [(3.0, 1.0), (1.0, 1.0), (2.0, 0.0), (-1.0, 0.0), (0.0, 0.5)] {
///     data.push(&Example::new(&[mobility], outcome))?;
/// }
/// let fit = Logistic::default().fit(&data.finish())?;
/// assert_eq!(fit.stop, StopReason::Converged);
/// assert!(fit.probability(&[2.5]) > 0.5);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Logistic {
    /// Trials behind each row.
    pub trials: Trials,
    /// Penalty on squared standardised coefficients; 0 for none.
    pub ridge: f64,
    /// Stop when no standardised coefficient moves by more than this, relative
    /// to the largest.
    pub tolerance: f64,
    /// Give up after this many Newton steps.
    pub max_steps: u32,
    /// Let samples of large data in memory shorten the way. Without, every step is
    /// the paper's, from its start on; the estimates are the same.
    pub sampling: bool,
    /// The most elaborate standard errors to compute.
    pub errors: ErrorKind,
    /// Threads of each pass; the result does not depend on it.
    pub threads: Threads,
}

impl Default for Logistic {
    fn default() -> Self {
        Self {
            trials: Trials::default(),
            ridge: 0.0,
            tolerance: 3e-10,
            max_steps: 50,
            sampling: true,
            errors: ErrorKind::Clustered,
            threads: Threads::default(),
        }
    }
}

impl Estimator for Logistic {
    type Fit = LogisticFit;

    fn fit_windows(
        &self,
        examples: &dyn Examples,
        pooling: Option<Pooling>,
    ) -> Result<Fits<Option<i32>, LogisticFit>, FitError> {
        if pooling.is_none()
            && self.sampling
            && examples.in_memory()
            && examples.moments().is_none()
            && self.ridge == 0.0
        {
            // Moments only standardise the features and show that they are
            // neither constant nor collinear. If some rows show it, all do.
            let sample = Sample { examples, every: EVERY };
            if let Ok(moments) = PhaseMoments::collect(&sample, self.threads)
                && moments.pooled(PhaseRange::ALL).is_some_and(|some| some.rows >= LEAST_SAMPLE)
                && let Ok(fits) = self.fit_slots(examples, &moments, None)
                && fits.iter().all(|(_, fit)| fit.is_ok())
            {
                return Ok(fits);
            }
        }
        self.fit_slots(examples, &*PhaseMoments::of(examples, self.threads)?, pooling)
    }
}

impl Logistic {
    fn check(&self) -> Result<(), FitError> {
        self.trials.check()?;
        let settings = [("ridge", self.ridge, 0.0), ("tolerance", self.tolerance, 1e-15)];
        for (name, value, least) in settings {
            if !(value >= least && value.is_finite()) {
                return Err(FitError::Setting(format!("{name} {value} is below {least}")));
            }
        }
        Ok(())
    }

    /// One fit per range of phases, in lockstep.
    fn fit_slots(
        &self,
        examples: &dyn Examples,
        moments: &PhaseMoments,
        pooling: Option<Pooling>,
    ) -> Result<Fits<Option<i32>, LogisticFit>, FitError> {
        self.check()?;
        if moments.is_empty() {
            return Ok(Vec::new());
        }
        let totals = PhaseTotals::collect(examples, self.trials, self.threads)?;
        let Some(begun) = self.begin(moments, &totals, pooling) else {
            return Ok(Vec::new());
        };
        let Begun { standard, phases, slots: mut states } = begun;
        self.start_from_samples(examples, &standard, &mut states)?;
        while self.advance(examples, &standard, &mut states)? {
            self.look_ahead(examples, &standard, &mut states)?;
        }
        let mut fits: Vec<Result<LogisticFit, FitError>> =
            states.into_iter().map(|state| self.close(state?, &standard)).collect();
        add_sandwiches(examples, self.threads, self.errors, &mut fits)?;
        Ok(phases.into_iter().zip(fits).collect())
    }

    /// One fit per range of phases, about to begin; `None` without rows.
    fn begin(
        &self,
        moments: &PhaseMoments,
        totals: &PhaseTotals,
        pooling: Option<Pooling>,
    ) -> Option<Begun> {
        let standard = standard_of(&moments.pooled(PhaseRange::ALL)?.all());
        let slot = |(phase, range, moments): (_, _, Moments)| {
            let totals = totals.pooled(range);
            let rules = self.rules(&moments, &totals, &standard);
            let newton = rules.map(|rules| Newton::new(rules, None));
            (phase, newton.map(|newton| Slot { range, moments, totals, newton, sample_steps: 0 }))
        };
        let (phases, slots) = moments.slots(pooling).into_iter().map(slot).unzip();
        Some(Begun { standard, phases, slots })
    }

    /// Checks the rows of a fit; the rules of its iteration.
    fn rules(
        &self,
        moments: &Moments,
        totals: &Totals,
        standard: &Standard,
    ) -> Result<Rules, FitError> {
        moments.check()?;
        let all = moments.all();
        let covariance = all.covariance();
        factor(&moments.features, &all.mean, &covariance, "")?;
        // In standardised units of all phases a coefficient is γ = β/scale, so
        // the penalty (sβ)² on it is (s·scale)²γ².
        let penalties = covariance
            .diagonal()
            .into_iter()
            .zip(&standard.scale)
            .map(|(variance, scale)| self.ridge * variance * scale * scale);
        Ok(Rules {
            tolerance: self.tolerance,
            max_steps: self.max_steps,
            ridge: std::iter::once(0.0).chain(penalties).collect(),
            can_separate: self.ridge == 0.0 && (self.trials == Trials::One || totals.own_trials),
            all_decided: totals.undecided == 0.0,
        })
    }

    /// Takes the first steps of large fits, from the paper's start on, over a
    /// few of the blocks, and goes on from there over more of them.
    ///
    /// The estimates of a sample lie within a few standard errors of those of
    /// all rows, from where Newton needs two or three passes over all rows
    /// instead of seven. A sample that does not converge is forgotten.
    fn start_from_samples(
        &self,
        examples: &dyn Examples,
        standard: &Standard,
        states: &mut [Result<Slot, FitError>],
    ) -> Result<(), FitError> {
        if !self.sampling {
            return Ok(());
        }
        for every in [EVERY * EVERY, EVERY] {
            let mut rough: Vec<Result<Slot, FitError>> = states
                .iter()
                .map(|state| match state {
                    Ok(slot) if slot.may_sample(examples, every) => {
                        Ok(slot.restarted(slot.newton.rules().roughly()))
                    }
                    _ => Err(FitError::NoRows),
                })
                .collect();
            let sample = Sample { examples, every };
            while self.advance(&sample, standard, &mut rough)? {}
            for (state, rough) in states.iter_mut().zip(rough) {
                if let (Ok(slot), Ok(rough)) = (state, rough)
                    && let Some(beta) = rough.newton.converged()
                {
                    slot.newton = Newton::new(slot.newton.rules().clone(), Some(beta.to_vec()));
                    slot.sample_steps += rough.newton.steps;
                }
            }
        }
        Ok(())
    }

    /// Improves the next steps of large fits by what a sample finds ahead.
    fn look_ahead(
        &self,
        examples: &dyn Examples,
        standard: &Standard,
        states: &mut [Result<Slot, FitError>],
    ) -> Result<(), FitError> {
        if !self.sampling {
            return Ok(());
        }
        let ends = states.iter().enumerate().filter_map(|(index, state)| {
            let slot = state.as_ref().ok().filter(|slot| slot.may_sample(examples, EVERY))?;
            Some((index, slot.range, slot.newton.step_ahead()?))
        });
        let wishes: Vec<Wish<(usize, bool)>> = ends
            .flat_map(|(index, range, [here, ahead])| {
                [(false, here), (true, ahead)].map(|(is_ahead, beta)| Wish {
                    key: (index, is_ahead),
                    range,
                    request: Request::At(beta),
                })
            })
            .collect();
        let sample = Sample { examples, every: EVERY };
        let mut sums = sums(&sample, self.trials, self.threads, standard, &wishes)?;
        for (index, state) in states.iter_mut().enumerate() {
            if let Ok(slot) = state
                && let Some(here) = sums.remove(&(index, false))
                && let Some(ahead) = sums.remove(&(index, true))
            {
                slot.newton.look_ahead(&here, &ahead);
            }
        }
        Ok(())
    }

    /// One pass for every fit that wants one; whether any did.
    fn advance(
        &self,
        examples: &dyn Examples,
        standard: &Standard,
        states: &mut [Result<Slot, FitError>],
    ) -> Result<bool, FitError> {
        let wishes: Vec<Wish<usize>> = states
            .iter()
            .enumerate()
            .filter_map(|(key, state)| {
                let slot = state.as_ref().ok()?;
                Some(Wish { key, range: slot.range, request: slot.newton.request()? })
            })
            .collect();
        let sums = sums(examples, self.trials, self.threads, standard, &wishes)?;
        // A sample may hold no block of a phase, which then waits for ever.
        let any = !sums.is_empty();
        for (index, sums) in sums {
            if let Ok(slot) = &mut states[index] {
                slot.newton.advance(sums);
            }
        }
        Ok(any)
    }

    fn close(&self, slot: Slot, standard: &Standard) -> Result<LogisticFit, FitError> {
        let Slot { range, moments, totals, newton, sample_steps } = slot;
        let (trials, moments) = (self.trials, &moments);
        LogisticFit::new(Parts { trials, range, moments, totals, sample_steps, newton, standard })
    }
}

/// The sums that are wanted, from one pass.
pub(crate) fn sums<K: Ord + Copy + Send + Sync>(
    examples: &dyn Examples,
    trials: Trials,
    threads: Threads,
    standard: &Standard,
    wishes: &[Wish<K>],
) -> Result<BTreeMap<K, Evaluation>, DataError> {
    if wishes.is_empty() {
        return Ok(BTreeMap::new());
    }
    pass(
        examples,
        threads,
        || Native::<Kernels>::new(examples.features().len()),
        |block, kernel, out| {
            let Some(outcome) = &block.outcome else { return };
            for wish in wishes.iter().filter(|wish| wish.range.contains(block.phase)) {
                let work = Evaluate { block, outcome, trials, standard, request: wish.request };
                out.push((wish.key, kernel.run(work)));
            }
        },
    )
}

/// Fits about to begin.
struct Begun {
    standard: Standard,
    /// The phase of each; none for that of all rows.
    phases: Vec<Option<i32>>,
    slots: Vec<Result<Slot, FitError>>,
}

/// A fit under way.
struct Slot {
    range: PhaseRange,
    moments: Moments,
    totals: Totals,
    newton: Newton,
    sample_steps: u32,
}

impl Slot {
    /// Whether one block of so many is enough of the rows, and cheap to read.
    fn may_sample(&self, examples: &dyn Examples, every: usize) -> bool {
        examples.in_memory() && self.totals.rows >= LEAST_SAMPLE * every as f64
    }

    /// The same fit, about to go on from where it is under other rules.
    fn restarted(&self, rules: Rules) -> Self {
        let newton = Newton::new(rules, self.newton.start().map(<[f64]>::to_vec));
        Self { moments: self.moments.clone(), newton, ..*self }
    }
}

/// Sums that some fit wants.
pub(crate) struct Wish<'a, K> {
    pub(crate) key: K,
    pub(crate) range: PhaseRange,
    pub(crate) request: Request<'a>,
}

/// Rows a sample should have.
const LEAST_SAMPLE: f64 = 8_000.0;
/// One block of this many makes the sample.
const EVERY: usize = 16;
