use std::collections::HashMap;
use std::sync::Arc;

use discern_eval::LinearModel;
use discern_stats::{
    Estimator, Fit as _, Logistic, LogisticFit, PhaseMoments, PhaseRange, Pooling, WithMoments,
};

use super::{Fit, FitEnd, FittedModel, by_phase, linear_phase};
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
    // The phases that need nothing special in lockstep.
    let rows = training.rows().part(PhaseRange::ALL, training.features());
    let pooling = Pooling(settings.window.reach);
    let rows = WithMoments::new(&rows, training.moments());
    let together = logistic.fit_phases(&rows, pooling)?;
    let mut regular: HashMap<usize, LogisticFit> = together
        .into_iter()
        .filter_map(|(key, fit)| Some((settings.window.discs(key), fit.ok()?)))
        .collect();
    let mut fits = Vec::new();
    for phase in training.phases() {
        let known = training.is_regular(phase).then(|| regular.remove(&phase.discs)).flatten();
        fits.push(match known {
            Some(fit) => fit,
            None => {
                let rows = training.rows_of(phase);
                let moments = PhaseMoments::collect(&rows, settings.threads)?;
                logistic.fit(&WithMoments::new(&rows, &moments))?
            }
        });
    }
    let phases = by_phase(training, |phase, place| {
        let fit = &fits[place];
        linear_phase(training, &phase.features, fit, fit.uncertainty().best())
    });
    let end = |fit: &LogisticFit| FitEnd {
        stop: Some(fit.stop),
        steps: fit.steps,
        sample_steps: fit.sample_steps,
        log_likelihood: Some(fit.log_likelihood),
    };
    Ok(FittedModel {
        model: Arc::new(LinearModel { phases }),
        settings: settings.to_json(),
        ends: fits.iter().map(end).collect(),
    })
}
