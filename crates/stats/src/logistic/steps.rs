//! A logistic regression whose passes are made elsewhere.

use super::{Begun, Evaluation, Logistic, LogisticFit, Newton, Request, Slot};
use crate::error::FitError;
use crate::estimator::Fits;
use crate::partial::{Gathered, PartSums, Pass, Step, merge_steps, unexpected};
use crate::phases::Pooling;
use crate::tile::Standard;

/// Newton steps as questions and answers: [`Logistic::steps`] begins one.
pub struct LogisticSteps {
    settings: Logistic,
    standard: Standard,
    phases: Vec<Option<i32>>,
    slots: Vec<Result<Slot, FitError>>,
    /// The same fits to one part of the rows, from where the others start.
    rough: Option<Vec<Result<Slot, FitError>>>,
}

impl Logistic {
    /// Begins a fit to rows of which only the moments are here: one for all
    /// rows or one for each phase. Errors beyond the information matrix are not
    /// computed, as they take the rows themselves.
    ///
    /// # Errors
    /// If the settings cannot be used.
    pub fn steps(
        &self,
        gathered: &Gathered,
        pooling: Option<Pooling>,
    ) -> Result<LogisticSteps, FitError> {
        self.check()?;
        let Gathered { moments, totals, .. } = gathered;
        let Begun { standard, phases, slots } =
            self.begin(moments, totals, pooling).ok_or(FitError::NoRows)?;
        let rough = |slot: &Result<Slot, FitError>| match slot {
            Ok(slot) => Ok(slot.restarted(slot.newton.rules().roughly())),
            Err(_) => Err(FitError::NoRows),
        };
        let rough = self.sampling.then(|| slots.iter().map(rough).collect());
        Ok(LogisticSteps { settings: self.clone(), standard, phases, slots, rough })
    }
}

impl LogisticSteps {
    /// What to ask next; `None` once every fit has stopped.
    pub fn request(&self) -> Option<Pass> {
        let steps: Vec<Step> =
            wishes(self.slots()).map(|(_, range, request)| Step { range, beta: request }).collect();
        (!steps.is_empty()).then(|| Pass::steps(self.settings.trials, &self.standard, steps))
    }

    /// Is one part enough to answer, any of those with many rows? Its estimates
    /// are near those of all rows, and save passes over all of them.
    pub fn is_rough(&self) -> bool {
        self.rough.is_some()
    }

    /// Goes on with the answers of all parts in their order, or of one part if
    /// that is enough.
    ///
    /// # Errors
    /// If these are not the sums that were asked for.
    pub fn advance(&mut self, parts: Vec<PartSums>) -> Result<(), FitError> {
        let asked: Vec<usize> = wishes(self.slots()).map(|(index, ..)| index).collect();
        let found = merge_steps(parts, asked.len())?;
        let rough = self.is_rough();
        let slots = self.rough.as_mut().unwrap_or(&mut self.slots);
        for (index, sums) in asked.into_iter().zip(found) {
            match (&mut slots[index], sums) {
                (Ok(slot), Some(sums)) if !rough && slot.is_misled_by(&sums) => {
                    slot.newton = Newton::new(slot.newton.rules().clone(), None);
                    slot.sample_steps = 0;
                }
                (Ok(slot), Some(sums)) => slot.newton.advance(sums),
                // That part has no row of the phase.
                (slot, None) if rough => *slot = Err(FitError::NoRows),
                (slot, _) => *slot = Err(unexpected("rows of the first pass are missing")),
            }
        }
        if rough && wishes(self.slots()).next().is_none() {
            self.start_from_rough();
        }
        Ok(())
    }

    /// The fits, stopped or as far as they came.
    pub fn finish(self) -> Fits<Option<i32>, LogisticFit> {
        let Self { settings, standard, phases, slots, .. } = self;
        let fits = slots.into_iter().map(|slot| settings.close(slot?, &standard));
        phases.into_iter().zip(fits).collect()
    }

    fn slots(&self) -> &[Result<Slot, FitError>] {
        self.rough.as_deref().unwrap_or(&self.slots)
    }

    /// Lets every fit start where that of the sample converged, if it did.
    fn start_from_rough(&mut self) {
        let rough = self.rough.take().unwrap_or_default();
        for (slot, rough) in self.slots.iter_mut().zip(rough) {
            if let (Ok(slot), Ok(rough)) = (slot, rough)
                && let Some(beta) = rough.newton.converged()
            {
                slot.newton = Newton::new(slot.newton.rules().clone(), Some(beta.to_vec()));
                slot.sample_steps = rough.newton.steps;
            }
        }
    }
}

impl Slot {
    /// Is the β of the sample worse for all rows than no feature at all? Then the
    /// sample is not like the others, sorted perhaps.
    fn is_misled_by(&self, sums: &Evaluation) -> bool {
        let first = self.sample_steps > 0 && self.newton.steps == 0;
        first && sums.log_likelihood < self.totals.null_log_likelihood()
    }
}

/// The fits that want sums, each with its rows and β.
fn wishes(
    slots: &[Result<Slot, FitError>],
) -> impl Iterator<Item = (usize, crate::phases::PhaseRange, Option<Vec<f64>>)> + '_ {
    slots.iter().enumerate().filter_map(|(index, slot)| {
        let slot = slot.as_ref().ok()?;
        let beta = match slot.newton.request()? {
            Request::Start => None,
            Request::At(beta) => Some(beta.to_vec()),
        };
        Some((index, slot.range, beta))
    })
}
