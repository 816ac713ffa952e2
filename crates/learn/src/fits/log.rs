use std::sync::Arc;

use discern_eval::LinearModel;
use discern_stats::{Fit as _, Logistic, LogisticFit};

use super::{Fit, FitEnd, FittedModel, by_phase, fit_phases, levels, linear_phase, raised};
use crate::{LearnError, Training};

/// LOG, logistic regression.
pub(super) const FIT: Fit = Fit {
    name: "log",
    title: "LOG",
    description: "logistic regression on the features",
    usual: true,
    fit,
};

fn fit(training: &Training) -> Result<FittedModel, LearnError> {
    let settings = training.settings();
    let logistic =
        Logistic { trials: settings.trials, threads: settings.threads, ..Logistic::default() };
    let fits = fit_phases(training, &logistic, false)?;
    let phases = by_phase(training, |phase, place| {
        let fit = &fits[place];
        linear_phase(training, &phase.features, fit, fit.uncertainty().best())
    });
    let end = |fit: &LogisticFit| FitEnd {
        stop: Some(fit.stop),
        steps: fit.steps,
        sample_steps: fit.sample_steps,
        log_likelihood: Some(fit.log_likelihood),
        ..FitEnd::default()
    };
    let levels = levels(training, &phases);
    Ok(FittedModel {
        model: Arc::new(LinearModel { phases: raised(&phases, levels.as_ref()) }),
        settings: settings.to_json(),
        ends: fits.iter().map(end).collect(),
        levels,
    })
}
