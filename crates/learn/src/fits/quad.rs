use std::sync::Arc;

use discern_eval::{Features, Phases, QuadraticModel, QuadraticPhase};
use discern_stats::{ErrorKind, Fit as _, Quadratic, QuadraticFit};

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
    let phases =
        by_phase(training, |phase, place| quadratic_phase(training, &phase.features, &fits[place]));
    let end = |fit: &QuadraticFit| FitEnd {
        log_likelihood: Some(fit.log_likelihood),
        estimates: estimates(fit),
        ..FitEnd::default()
    };
    let levels = levels(training, &phases);
    Ok(FittedModel {
        model: Arc::new(QuadraticModel { phases: raised(&phases, levels.as_ref()) }),
        settings: training.settings().to_json(),
        ends: fits.iter().map(end).collect(),
        levels,
    })
}

/// The constant, the linear terms and the squares with the standard errors that
/// normal features would give them (delta method).
fn estimates(fit: &QuadraticFit) -> Vec<(String, f64, f64)> {
    let Some(errors) = fit.standard_errors(ErrorKind::Information) else { return Vec::new() };
    let all = fit.names().into_iter().zip(fit.coefficients()).zip(errors);
    let wanted = all.filter(|((name, _), _)| !name.contains('·'));
    wanted.map(|((name, value), error)| (name, value, error)).collect()
}

/// The phase of a quadratic model.
pub(super) fn quadratic_phase(
    training: &Training,
    used: &Features,
    fit: &QuadraticFit,
) -> QuadraticPhase {
    let all = training.features();
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
}

/// The same phases with the constants of single disc counts.
pub(super) fn levelled(
    training: &Training,
    phases: Phases<QuadraticPhase>,
) -> Phases<QuadraticPhase> {
    raised(&phases, levels(training, &phases).as_ref())
}

/// What the constants of single disc counts have beyond those of their pools.
fn levels(training: &Training, phases: &Phases<QuadraticPhase>) -> Option<Phases<f64>> {
    let levels = training.settings().levels?;
    Some(levels.find(training, |discs, x| phases.at(discs).value(x)))
}

/// The phases with this much more in their constants.
fn raised(phases: &Phases<QuadraticPhase>, levels: Option<&Phases<f64>>) -> Phases<QuadraticPhase> {
    phases.map(|discs, phase| QuadraticPhase {
        constant: phase.constant + levels.map_or(0.0, |levels| *levels.at(discs)),
        ..phase.clone()
    })
}
