use std::sync::Arc;

use discern_eval::LinearModel;
use discern_stats::{Fisher, FisherFit, Fit as _};

use super::{Fit, FitEnd, FittedModel, by_phase, fit_phases, levels, linear_phase, raised};
use crate::{LearnError, Training};

/// FISHER, the linear discriminant.
pub(super) const FIT: Fit = Fit {
    name: "fisher",
    title: "FISHER",
    description: "Fisher's linear discriminant",
    usual: true,
    fit,
};

fn fit(training: &Training) -> Result<FittedModel, LearnError> {
    let (prior, threads) = (training.settings().prior, training.settings().threads);
    let fisher = Fisher { prior, threads, ..Fisher::default() };
    let fits = fit_phases(training, &fisher, false)?;
    let phases = by_phase(training, |phase, place| {
        let fit = &fits[place];
        linear_phase(training, &phase.features, fit, fit.uncertainty().best())
    });
    let end =
        |fit: &FisherFit| FitEnd { log_likelihood: Some(fit.log_likelihood), ..FitEnd::default() };
    let levels = levels(training, &phases);
    Ok(FittedModel {
        model: Arc::new(LinearModel { phases: raised(&phases, levels.as_ref()) }),
        settings: training.settings().to_json(),
        ends: fits.iter().map(end).collect(),
        levels,
    })
}
