use std::sync::Arc;

use discern_eval::{QuadraticModel, QuadraticPhase};
use discern_stats::{Quadratic, QuadraticFit};

use super::{Fit, FitEnd, FittedModel, by_phase, spread};
use crate::{LearnError, Training};

/// QUAD, the quadratic discriminant.
pub(super) const FIT: Fit = Fit {
    name: "quad",
    title: "QUAD",
    description: "the quadratic discriminant",
    usual: true,
    fit,
};

fn fit(training: &Training) -> Result<FittedModel, LearnError> {
    let quadratic = Quadratic { prior: training.settings().prior, ..Quadratic::default() };
    let fits: Vec<QuadraticFit> = training
        .phases()
        .iter()
        .map(|phase| quadratic.fit_moments(&phase.moments))
        .collect::<Result<_, _>>()?;
    let all = training.features();
    let phases = by_phase(training, |phase, place| {
        let (fit, used) = (&fits[place], &phase.features);
        let row = |&feature| match used.place(feature) {
            Some(row) => {
                let row: Vec<f64> = (0..used.len()).map(|j| fit.quadratic[(row, j)]).collect();
                spread(all, used, &row)
            }
            None => vec![0.0; all.len()],
        };
        QuadraticPhase {
            constant: fit.constant,
            linear: spread(all, used, &fit.linear),
            quadratic: all.iter().map(row).collect(),
        }
    });
    let end = |fit: &QuadraticFit| FitEnd {
        log_likelihood: Some(fit.log_likelihood),
        ..FitEnd::default()
    };
    Ok(FittedModel {
        model: Arc::new(QuadraticModel { phases }),
        settings: training.settings().to_json(),
        ends: fits.iter().map(end).collect(),
    })
}
