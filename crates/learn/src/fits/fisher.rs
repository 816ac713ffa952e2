use std::sync::Arc;

use discern_eval::LinearModel;
use discern_stats::{ErrorKind, Fisher, FisherFit};

use super::{Fit, FitEnd, FittedModel, by_phase, linear_phase};
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
    let fisher = Fisher { prior: training.settings().prior, ..Fisher::default() };
    let fits: Vec<FisherFit> = training
        .phases()
        .iter()
        .map(|phase| fisher.fit_moments(&phase.moments))
        .collect::<Result<_, _>>()?;
    let phases = by_phase(training, |phase, place| {
        linear_phase(training, &phase.features, &fits[place], ErrorKind::Information)
    });
    let end =
        |fit: &FisherFit| FitEnd { log_likelihood: Some(fit.log_likelihood), ..FitEnd::default() };
    Ok(FittedModel {
        model: Arc::new(LinearModel { phases }),
        settings: training.settings().to_json(),
        ends: fits.iter().map(end).collect(),
    })
}
