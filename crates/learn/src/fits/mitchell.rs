//! Mitchell's way (1984): linear regression on the final disc difference. What
//! it says is a number of discs; one more logistic regression on that number
//! makes it a winning probability, so that it can be judged beside the others.
//! Both are linear, and so is the model.

use std::sync::Arc;

use discern_eval::{FIRST_PHASE, LinearErrors, LinearModel, LinearPhase};
use discern_stats::{Fit as _, Linear, LinearFit};

use super::{Fit, FitEnd, FittedModel, by_phase, fit_phases, levelled, linear_phase};
use crate::levels::{LogisticMap, own_values};
use crate::{LearnError, Training};

pub(super) const FIT: Fit = Fit {
    name: "mitchell",
    title: "MITCHELL",
    description: "linear regression on the final disc difference",
    usual: false,
    fit,
};

fn fit(training: &Training) -> Result<FittedModel, LearnError> {
    let settings = training.settings();
    let linear = Linear { threads: settings.threads, ..Linear::default() };
    let fits = fit_phases(training, &linear, true)?;
    let in_discs = by_phase(training, |phase, place| {
        let fit = &fits[place];
        linear_phase(training, &phase.features, fit, fit.uncertainty().best())
    });
    let values = own_values(training, |discs, x| in_discs.at(discs).value(x));
    let mut last = LogisticMap { intercept: 0.0, slope: 0.1 };
    let phases = by_phase(training, |phase, _| {
        let pooled = phase.window.pooled(phase.discs).into_iter();
        let pooled = pooled.flat_map(|discs| &values[discs - FIRST_PHASE]);
        let map = LogisticMap::fit(pooled).unwrap_or(last);
        last = map;
        mapped(in_discs.at(phase.discs), map)
    });
    let end =
        |fit: &LinearFit| FitEnd { log_likelihood: Some(fit.log_likelihood), ..FitEnd::default() };
    Ok(FittedModel {
        model: Arc::new(LinearModel { phases: levelled(training, phases) }),
        settings: settings.to_json(),
        ends: fits.iter().map(end).collect(),
        levels: None,
    })
}

/// Discs as log-odds. The errors are those of the regression; the map has
/// next to none.
fn mapped(discs: &LinearPhase, map: LogisticMap) -> LinearPhase {
    let times = |numbers: &[f64]| numbers.iter().map(|number| map.slope * number).collect();
    LinearPhase {
        intercept: map.intercept + map.slope * discs.intercept,
        weights: times(&discs.weights),
        errors: discs.errors.as_ref().map(|errors| LinearErrors {
            intercept: map.slope.abs() * errors.intercept,
            weights: times(&errors.weights).iter().map(|error: &f64| error.abs()).collect(),
        }),
    }
}
