//! LOG: logistic regression by Newton–Raphson (Section 2.2).

mod fit;
mod kernel;
mod newton;

pub use fit::LogisticFit;
pub use newton::StopReason;

use fit::Parts;
use kernel::{Evaluation, Kernel};
use newton::{Newton, Request, Rules};

use crate::error::FitError;
use crate::examples::Examples;
use crate::labels::Trials;
use crate::moments::{Moments, PhaseMoments, factor};
use crate::pass::{Threads, pass};
use crate::phases::{PhaseRange, Pooling};
use crate::simd::Native;
use crate::standard::standard_of;
use crate::tile::Standard;

/// Settings of logistic regression.
///
/// P(W|x) = 1/(1+exp(−xβ)) with β the maximum of
/// log L(β) = Σⱼ(Σᵢ yᵢxᵢⱼ)βⱼ − Σᵢ nᵢ log[1+exp(xᵢβ)] − ½·ridge·Σⱼ(sⱼβⱼ)²,
/// where sⱼ is the standard deviation of feature j, so that the penalty does
/// not depend on units; the constant is not penalised.
///
/// ```
/// use discern_stats::{Dataset, Example, Logistic, Predict, StopReason};
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
    /// Whether to spend one more pass on robust (and, if rows have groups,
    /// clustered) standard errors.
    pub robust: bool,
    /// Threads of each pass; the result does not depend on it.
    pub threads: Threads,
}

impl Default for Logistic {
    fn default() -> Self {
        Self {
            trials: Trials::default(),
            ridge: 0.0,
            tolerance: 1e-10,
            max_steps: 50,
            robust: true,
            threads: Threads::default(),
        }
    }
}

impl Logistic {
    /// Fits one model to all rows, whatever their phase.
    ///
    /// # Errors
    /// If a setting is out of range, the data cannot be read, a class is
    /// missing, or features are constant or collinear. A fit that did not
    /// converge is not an error: it says so in [`LogisticFit::stop`].
    pub fn fit<E: Examples + ?Sized>(&self, examples: &E) -> Result<LogisticFit, FitError> {
        self.fit_with(examples, &PhaseMoments::collect(examples, self.threads)?)
    }

    /// As [`fit`](Self::fit), with the moments of the same data at hand.
    ///
    /// # Errors
    /// As [`fit`](Self::fit).
    pub fn fit_with<E: Examples + ?Sized>(
        &self,
        examples: &E,
        moments: &PhaseMoments,
    ) -> Result<LogisticFit, FitError> {
        let pooled = moments.pooled(PhaseRange::ALL).ok_or(FitError::NoRows)?;
        let slots = vec![(PhaseRange::ALL, pooled)];
        let mut fits = self.fit_slots(examples, moments, slots)?;
        fits.pop().unwrap_or(Err(FitError::NoRows))
    }

    /// Fits one model per phase, each to the rows of its window, all of them
    /// in the same passes over the data.
    ///
    /// # Errors
    /// If the settings or the data as a whole cannot be used; what is wrong
    /// with one phase is the result of that phase.
    #[allow(clippy::type_complexity)]
    pub fn fit_phases<E: Examples + ?Sized>(
        &self,
        examples: &E,
        moments: &PhaseMoments,
        pooling: Pooling,
    ) -> Result<Vec<(i32, Result<LogisticFit, FitError>)>, FitError> {
        let (phases, slots): (Vec<i32>, Vec<_>) = moments
            .windows(pooling)
            .map(|(phase, pooled)| (phase, (pooling.around(phase), pooled)))
            .unzip();
        Ok(phases.into_iter().zip(self.fit_slots(examples, moments, slots)?).collect())
    }

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
    fn fit_slots<E: Examples + ?Sized>(
        &self,
        examples: &E,
        moments: &PhaseMoments,
        slots: Vec<(PhaseRange, Moments)>,
    ) -> Result<Vec<Result<LogisticFit, FitError>>, FitError> {
        self.check()?;
        let Some(overall) = moments.pooled(PhaseRange::ALL) else {
            return Ok(slots.iter().map(|_| Err(FitError::NoRows)).collect());
        };
        let standard = standard_of(&overall.all());
        let mut states: Vec<Result<Slot, FitError>> = slots
            .into_iter()
            .map(|(range, moments)| self.open(range, moments, &standard))
            .collect();
        while self.advance(examples, &standard, &mut states)? {}
        let mut fits: Vec<Result<LogisticFit, FitError>> =
            states.into_iter().map(|state| self.close(state?, &standard)).collect();
        if self.robust {
            fit::add_robust_errors(examples, self.trials, self.threads, &standard, &mut fits)?;
        }
        Ok(fits)
    }

    /// Checks the rows of a fit and sets up its iteration.
    fn open(
        &self,
        range: PhaseRange,
        moments: Moments,
        standard: &Standard,
    ) -> Result<Slot, FitError> {
        moments.check()?;
        let all = moments.all();
        let covariance = all.covariance();
        factor(&moments.features, &all.mean, &covariance, "")?;
        // In standardised units of all phases a coefficient is γ = β/scale, so
        // the penalty (sβ)² on it is (s·scale)²γ².
        let variances = covariance.diagonal();
        let ridge = std::iter::once(0.0)
            .chain(
                variances
                    .iter()
                    .zip(&standard.scale)
                    .map(|(v, scale)| self.ridge * v * scale * scale),
            )
            .collect();
        let rules = Rules {
            tolerance: self.tolerance,
            max_steps: self.max_steps,
            ridge,
            can_separate: self.ridge == 0.0 && (self.trials == Trials::One || moments.own_trials),
            all_decided: moments.undecided == 0.0,
        };
        Ok(Slot { range, moments, newton: Newton::new(rules) })
    }

    /// One pass for every fit that wants one; whether any did.
    fn advance<E: Examples + ?Sized>(
        &self,
        examples: &E,
        standard: &Standard,
        states: &mut [Result<Slot, FitError>],
    ) -> Result<bool, FitError> {
        let wishes: Vec<(usize, PhaseRange, Request)> = states
            .iter()
            .enumerate()
            .filter_map(|(index, state)| {
                let slot = state.as_ref().ok()?;
                Some((index, slot.range, slot.newton.request()?))
            })
            .collect();
        if wishes.is_empty() {
            return Ok(false);
        }
        let sums = pass(
            examples,
            self.threads,
            || Kernel::<Native>::new(examples.features().len()),
            |block, kernel, out: &mut Vec<(usize, Evaluation)>| {
                let Some(outcome) = &block.outcome else { return };
                for &(index, range, request) in &wishes {
                    if range.contains(block.phase) {
                        let sums = match request {
                            Request::Start => kernel.start(block, outcome, self.trials, standard),
                            Request::At(beta) => {
                                kernel.at(block, outcome, self.trials, standard, beta)
                            }
                        };
                        out.push((index, sums));
                    }
                }
            },
        )?;
        for (index, sums) in sums {
            if let Ok(slot) = &mut states[index] {
                slot.newton.advance(sums);
            }
        }
        Ok(true)
    }

    fn close(&self, slot: Slot, standard: &Standard) -> Result<LogisticFit, FitError> {
        let Slot { range, moments, newton } = slot;
        LogisticFit::new(Parts { trials: self.trials, range, moments: &moments, newton, standard })
    }
}

/// A fit under way.
struct Slot {
    range: PhaseRange,
    moments: Moments,
    newton: Newton,
}
