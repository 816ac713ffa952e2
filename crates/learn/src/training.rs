use std::sync::Arc;

use discern_eval::{Basis, FIRST_PHASE, Feature, Features, LAST_PHASE};
use discern_stats::{Fisher, FitError, Moments, PhaseMoments, PhaseRange, Quadratic};

use crate::counts::Counts;
use crate::rows::{Part, Rows, learn};
use crate::{ClassifiedPosition, FitSettings, LearnError, Window};

/// What the fits of all models share: the positions, their features by the
/// tables that leave out their own games, and which of them each phase uses.
#[derive(Debug)]
pub struct Training<'a> {
    positions: &'a [ClassifiedPosition],
    settings: &'a FitSettings,
    basis: Arc<Basis>,
    rows: Rows,
    counts: Counts,
    moments: PhaseMoments,
    phases: Vec<PhaseRows>,
}

/// The positions behind the models of one phase.
#[derive(Debug, Clone)]
pub struct PhaseRows {
    /// Number of discs.
    pub discs: usize,
    /// The window that was used.
    pub window: Window,
    /// The features that vary enough to be used.
    pub features: Features,
    /// Means and covariances of the classes.
    pub moments: Moments,
}

impl<'a> Training<'a> {
    /// Makes the tables and the features of the positions.
    ///
    /// A phase whose own window has too few positions, or features that do not
    /// vary in it (the first moves of a game), takes the smallest wider window
    /// that will do; features that never vary are left out.
    ///
    /// # Errors
    /// If not even all positions together suffice.
    pub fn new(
        positions: &'a [ClassifiedPosition],
        settings: &'a FitSettings,
    ) -> Result<Training<'a>, LearnError> {
        let learned = learn(positions, settings);
        let all = learned.rows.part(PhaseRange::ALL, &settings.features);
        let moments = PhaseMoments::collect(&all, settings.threads)?;
        let basis = Arc::new(Basis::new(settings.features.clone(), learned.tables));
        let phases = Vec::new();
        let (rows, counts) = (learned.rows, learned.counts);
        let mut training = Training { positions, settings, basis, rows, counts, moments, phases };
        training.phases = (FIRST_PHASE..=LAST_PHASE)
            .map(|discs| training.phase(discs))
            .collect::<Result<_, _>>()?;
        Ok(training)
    }

    /// The positions.
    pub fn positions(&self) -> &'a [ClassifiedPosition] {
        self.positions
    }

    /// How tables and models are made.
    pub fn settings(&self) -> &'a FitSettings {
        self.settings
    }

    /// The features and the tables.
    pub fn basis(&self) -> &Arc<Basis> {
        &self.basis
    }

    /// The features, of which a phase may use fewer.
    pub fn features(&self) -> &Features {
        self.basis.features()
    }

    /// The positions of every phase from [`FIRST_PHASE`] to [`LAST_PHASE`].
    pub fn phases(&self) -> &[PhaseRows] {
        &self.phases
    }

    pub(crate) fn into_phases(self) -> Vec<PhaseRows> {
        self.phases
    }

    pub(crate) fn rows(&self) -> &Rows {
        &self.rows
    }

    /// The evidence behind the tables.
    pub(crate) fn counts(&self) -> &Counts {
        &self.counts
    }

    /// The rows of a phase alone.
    pub(crate) fn rows_of(&self, phase: &PhaseRows) -> Part<'_> {
        self.rows.part(phase.window.around(phase.discs), &phase.features)
    }

    pub(crate) fn moments(&self) -> &PhaseMoments {
        &self.moments
    }

    /// Does a phase use its own window and all features?
    pub(crate) fn is_regular(&self, phase: &PhaseRows) -> bool {
        phase.window == self.settings.window && phase.features == *self.features()
    }

    /// The smallest window in which every model can be fitted.
    fn phase(&self, discs: usize) -> Result<PhaseRows, LearnError> {
        let window = self.settings.window;
        let enough = |moments: &Moments| {
            let won = moments.won.weight / (moments.won.weight + moments.lost.weight);
            let even = window.same_parity || (won - 0.5).abs() <= self.settings.imbalance;
            moments.rows >= self.settings.least_rows && even
        };
        if let Some(moments) = self.moments.pooled(window.around(discs)).filter(enough)
            && self.suffice(&moments).is_ok()
        {
            let features = self.features().clone();
            return Ok(PhaseRows { discs, window, features, moments });
        }
        let mut why = FitError::NoRows;
        for reach in window.reach..=LAST_PHASE as u32 {
            let window = Window { reach, ..window };
            if !self.moments.pooled(window.around(discs)).as_ref().is_some_and(enough)
                && reach < LAST_PHASE as u32
            {
                continue;
            }
            match self.in_window(discs, window) {
                Ok(phase) => return Ok(phase),
                Err(error) => why = error,
            }
        }
        Err(LearnError::TooFew(why))
    }

    /// One phase with this window; features that do not vary there are left out.
    fn in_window(&self, discs: usize, window: Window) -> Result<PhaseRows, FitError> {
        let mut features = self.features().clone();
        loop {
            let part = self.rows.part(window.around(discs), &features);
            let moments = PhaseMoments::collect(&part, self.settings.threads)?;
            let moments = moments.pooled(PhaseRange::ALL).ok_or(FitError::NoRows)?;
            let error = match self.suffice(&moments) {
                Ok(()) => return Ok(PhaseRows { discs, window, features, moments }),
                Err(error) => error,
            };
            let useless = match &error {
                FitError::Constant { feature, .. } => Feature::named(feature),
                FitError::Collinear { features, .. } => {
                    features.first().and_then(|name| Feature::named(name))
                }
                _ => None,
            };
            match useless {
                Some(feature) if features.len() > 1 && features.contains(&feature) => {
                    features = features.without(feature);
                }
                _ => return Err(error),
            }
        }
    }

    /// Both outcomes, and features that vary in each: what every model needs.
    fn suffice(&self, moments: &Moments) -> Result<(), FitError> {
        let prior = self.settings.prior;
        Fisher { prior, ..Fisher::default() }.fit_moments(moments)?;
        Quadratic { prior, ..Quadratic::default() }.fit_moments(moments).map(|_| ())
    }
}
