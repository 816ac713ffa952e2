//! BILL's way (Lee & Mahajan 1988): the quadratic discriminant on a few features.
//! BILL had current and potential mobility, the edges, and the squares near the
//! corners; of our features these are MOB, PMOB, E2X and C2x5. Beside it, what
//! the paper asks for first: Fisher's linear discriminant on the same four.

use std::sync::Arc;

use discern_eval::{Feature, Features, LinearModel, QuadraticModel};
use discern_stats::{ErrorKind, Fisher, FitError, Moments, Quadratic, Scatter};

use super::quad::quadratic_phase;
use super::{Fit, FitEnd, FittedModel, by_phase, levelled, linear_phase, quad};
use crate::training::PhaseRows;
use crate::{LearnError, Training};

pub(super) const FIT: Fit = Fit {
    name: "bill",
    title: "BILL",
    description: "the quadratic discriminant on mobility, potential mobility, edges and corners",
    usual: false,
    fit,
};

pub(super) const LINEAR: Fit = Fit {
    name: "bill-fisher",
    title: "BILL-FISHER",
    description: "Fisher's linear discriminant on the same four features",
    usual: false,
    fit: fit_linear,
};

const FEATURES: [&str; 4] = ["MOB", "PMOB", "C2x5", "E2X"];

/// The four, as far as the phase uses them, and their moments.
fn few(phase: &PhaseRows) -> Result<(Features, Moments), FitError> {
    let mine = |feature: &Feature| FEATURES.contains(&feature.name());
    let features: Features = phase.features.iter().copied().filter(mine).collect();
    let places: Vec<usize> =
        features.iter().filter_map(|&feature| phase.features.place(feature)).collect();
    if places.is_empty() {
        return Err(FitError::NoRows);
    }
    let only = |scatter: &Scatter| Scatter {
        weight: scatter.weight,
        mean: places.iter().map(|&place| scatter.mean[place]).collect(),
        scatter: scatter.scatter.submatrix(&places),
    };
    let moments = &phase.moments;
    let moments = Moments {
        features: features.names().into_iter().map(str::to_owned).collect(),
        won: only(&moments.won),
        lost: only(&moments.lost),
        ..moments.clone()
    };
    Ok((features, moments))
}

fn fit(training: &Training) -> Result<FittedModel, LearnError> {
    let quadratic = Quadratic { prior: training.settings().prior, ..Quadratic::default() };
    let mut fits = Vec::new();
    for phase in training.phases() {
        let (features, moments) = few(phase)?;
        fits.push((features, quadratic.fit_moments(&moments)?));
    }
    let phases =
        by_phase(training, |_, place| quadratic_phase(training, &fits[place].0, &fits[place].1));
    let end = |log_likelihood| FitEnd { log_likelihood: Some(log_likelihood), ..FitEnd::default() };
    Ok(FittedModel {
        model: Arc::new(QuadraticModel { phases: quad::levelled(training, phases) }),
        settings: training.settings().to_json(),
        ends: fits.iter().map(|(_, fit)| end(fit.log_likelihood)).collect(),
        levels: None,
    })
}

fn fit_linear(training: &Training) -> Result<FittedModel, LearnError> {
    let fisher = Fisher { prior: training.settings().prior, ..Fisher::default() };
    let mut fits = Vec::new();
    for phase in training.phases() {
        let (features, moments) = few(phase)?;
        fits.push((features, fisher.fit_moments(&moments)?));
    }
    let phases = by_phase(training, |_, place| {
        let (features, fit) = &fits[place];
        linear_phase(training, features, fit, ErrorKind::Information)
    });
    let end = |log_likelihood| FitEnd { log_likelihood: Some(log_likelihood), ..FitEnd::default() };
    Ok(FittedModel {
        model: Arc::new(LinearModel { phases: levelled(training, phases) }),
        settings: training.settings().to_json(),
        ends: fits.iter().map(|(_, fit)| end(fit.log_likelihood)).collect(),
        levels: None,
    })
}
