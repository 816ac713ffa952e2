//! The fit of a file of sparse rows, and how good it is on rows held out.

use discern_stats::sparse::{
    SparseExamples, SparseFit, SparseFold, SparseLogistic, SparseProgress,
};
use discern_stats::{
    Bins, CalibrationBin, FitError, Metrics, Side, StopReason, calibration, metrics,
};

use crate::error::Error;

/// What to fit, and how.
#[derive(Clone, Debug, Default)]
pub struct SparseSettings {
    /// The model.
    pub model: SparseLogistic,
    /// Folds of cross-validation by group; 0 for none.
    pub folds: u32,
}

/// Where the work stands.
#[derive(Clone, Copy, Debug)]
pub struct SparseWork {
    /// Number of the fit: 0 is that of all rows, the others are for the folds.
    pub fit: u32,
    /// How many fits there are in all.
    pub fits: u32,
    /// What the gradient must reach.
    pub tolerance: f64,
    /// Where the fit stands.
    pub progress: SparseProgress,
}

/// A fit, and what is known of it.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct SparseReport {
    /// The fit to all rows.
    pub fit: SparseFit,
    /// Metrics and calibration of rows held out by cross-validation.
    pub held_out: Option<(Metrics, Vec<CalibrationBin>)>,
    /// What is doubtful, a sentence each.
    pub doubts: Vec<String>,
}

impl SparseReport {
    /// Fits the model to all rows, and to those of each fold for the metrics.
    ///
    /// # Errors
    /// If the rows as a whole cannot be used.
    pub fn fit(
        settings: &SparseSettings,
        examples: &dyn SparseExamples,
        watch: &mut dyn FnMut(SparseWork),
    ) -> Result<Self, Error> {
        let SparseSettings { model, folds } = settings;
        let folds = if *folds > 1 { *folds } else { 0 };
        let mut work = |fit: u32, examples: &dyn SparseExamples| {
            let (fits, tolerance) = (folds + 1, model.tolerance);
            model.fit_watched(examples, &mut |progress| {
                watch(SparseWork { fit, fits, tolerance, progress });
            })
        };
        let fit = work(0, examples)?;
        let mut doubts: Vec<String> = doubt(&fit).into_iter().collect();
        let mut predictions = Vec::new();
        for fold in 0..folds {
            let training = SparseFold::new(examples, fold, folds, Side::Training);
            match work(fold + 1, &training) {
                Ok(other) => {
                    let rows = SparseFold::new(examples, fold, folds, Side::HeldOut);
                    predictions.extend(other.predict_all(&rows).map_err(FitError::from)?);
                }
                Err(why) => {
                    doubts.push(format!("no held-out metrics: {why}"));
                    predictions.clear();
                    break;
                }
            }
        }
        let held_out = metrics(&predictions)
            .map(|metrics| (metrics, calibration(&predictions, Bins::EqualWidth(10), 0.95)));
        Ok(Self { fit, held_out, doubts })
    }
}

/// What is doubtful about a fit.
fn doubt(fit: &SparseFit) -> Option<String> {
    match fit.stop {
        StopReason::Converged => None,
        StopReason::Separated => Some(
            "perfect separation: no finite weights exist; use --ridge or --trials 100".to_string(),
        ),
        StopReason::StepLimit => {
            Some(format!("no convergence within {} steps: these are not the estimates", fit.steps))
        }
        StopReason::Stalled => Some(format!(
            "the likelihood cannot be raised any further, and the gradient stays at {:.1e}",
            fit.gradient
        )),
    }
}
