//! How each model is fitted, one file each. A further one is a file and a line
//! of [`FITS`].

mod bill;
mod descent;
mod direct;
mod fisher;
mod log;
mod mitchell;
mod moves;
mod network;
mod odds;
mod perceptron;
mod quad;
mod scores;

use std::collections::HashMap;
use std::sync::Arc;

pub use direct::{DirectSettings, StageDone, fit_direct, fit_direct_watched};
use discern_eval::{FIRST_PHASE, Features, LinearErrors, LinearPhase, Model, Phases};
use discern_stats::{
    ErrorKind, Estimator, PhaseMoments, PhaseRange, Pooling, StopReason, WithMoments,
};
pub use odds::calibrate_odds;
pub use scores::{ScoreStage, fit_scores, lowest};
use serde_json::Value;

use crate::training::PhaseRows;
use crate::{LearnError, Training};

/// All fits, the preferred model first.
pub static FITS: [Fit; 11] = [
    log::FIT,
    fisher::FIT,
    quad::FIT,
    direct::FIT,
    mitchell::FIT,
    bill::FIT,
    bill::LINEAR,
    moves::FIT,
    moves::SCALED,
    perceptron::FIT,
    network::FIT,
];

/// A model that can be fitted to classified positions.
#[derive(Debug)]
pub struct Fit {
    /// What commands call the model.
    pub name: &'static str,
    /// What people call it.
    pub title: &'static str,
    /// What it is.
    pub description: &'static str,
    /// Fitted unless others are asked for: the models of the paper.
    pub usual: bool,
    /// Fits it.
    pub fit: fn(&Training) -> Result<FittedModel, LearnError>,
}

/// A fitted model and how the fit went.
#[derive(Debug)]
pub struct FittedModel {
    /// Its numbers.
    pub model: Arc<dyn Model>,
    /// The settings behind it.
    pub settings: Value,
    /// How the fit of each phase ended, in order; none if it has no phases.
    pub ends: Vec<FitEnd>,
    /// What single disc counts have beyond the intercept of their pool, of a model
    /// of the paper: without it, it would be as the pool alone makes it.
    pub levels: Option<Phases<f64>>,
}

/// How the fit of one phase ended.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct FitEnd {
    /// Why an iteration stopped.
    pub stop: Option<StopReason>,
    /// Steps of the iteration.
    pub steps: u32,
    /// Steps on a sample before it.
    pub sample_steps: u32,
    /// How well it describes the positions.
    pub log_likelihood: Option<f64>,
    /// Estimates with their standard errors, where the model keeps no errors:
    /// of QUAD the constant, the linear terms and the squares.
    pub estimates: Vec<(String, f64, f64)>,
}

/// The names of all fits.
pub fn fit_names() -> String {
    FITS.each_ref().map(|fit| fit.name).join(", ")
}

/// The fit of this name, or a sentence that lists those there are.
///
/// # Errors
/// If there is none.
pub fn parse_fit(name: &str) -> Result<&'static Fit, String> {
    fit_named(name).ok_or_else(|| format!("there is no fit of '{name}', only {}", fit_names()))
}

/// The fit of this name.
pub fn fit_named(name: &str) -> Option<&'static Fit> {
    FITS.iter().find(|fit| fit.name == name)
}

/// One model per phase.
fn by_phase<T>(training: &Training, mut model: impl FnMut(&PhaseRows, usize) -> T) -> Phases<T> {
    Phases::from_fn(|discs| model(&training.phases()[discs - FIRST_PHASE], discs - FIRST_PHASE))
}

/// The numbers of the features in use, spread over all features.
fn spread(all: &Features, used: &Features, values: &[f64]) -> Vec<f64> {
    let value = |feature| used.place(feature).map_or(0.0, |place| values[place]);
    all.iter().map(|&feature| value(feature)).collect()
}

/// One fit per phase: those that need nothing special in the same passes, the
/// others one by one; of `scored` rows only those whose score is known.
fn fit_phases<E: Estimator>(
    training: &Training,
    estimator: &E,
    scored: bool,
) -> Result<Vec<E::Fit>, LearnError> {
    let settings = training.settings();
    let rows = training.rows().part(PhaseRange::ALL, training.features()).scored(scored);
    let pooling = Pooling(settings.window.reach);
    let rows = WithMoments::new(&rows, training.moments());
    let together = estimator.fit_phases(&rows, pooling)?;
    let mut regular: HashMap<usize, E::Fit> = together
        .into_iter()
        .filter_map(|(key, fit)| Some((settings.window.discs(key), fit.ok()?)))
        .collect();
    let mut fits = Vec::new();
    for phase in training.phases() {
        let known = training.is_regular(phase).then(|| regular.remove(&phase.discs)).flatten();
        fits.push(match known {
            Some(fit) => fit,
            None => {
                let rows = training.rows_of(phase).scored(scored);
                let moments = PhaseMoments::collect(&rows, settings.threads)?;
                estimator.fit(&WithMoments::new(&rows, &moments))?
            }
        });
    }
    Ok(fits)
}

/// The same phases with the intercepts of single disc counts.
fn levelled(training: &Training, phases: Phases<LinearPhase>) -> Phases<LinearPhase> {
    raised(&phases, levels(training, &phases).as_ref())
}

/// What the intercepts of single disc counts have beyond those of their pools.
fn levels(training: &Training, phases: &Phases<LinearPhase>) -> Option<Phases<f64>> {
    let levels = training.settings().levels?;
    Some(levels.find(training, |discs, x| phases.at(discs).value(x)))
}

/// The phases with this much more in their intercepts.
fn raised(phases: &Phases<LinearPhase>, levels: Option<&Phases<f64>>) -> Phases<LinearPhase> {
    phases.map(|discs, phase| LinearPhase {
        intercept: phase.intercept + levels.map_or(0.0, |levels| *levels.at(discs)),
        ..phase.clone()
    })
}

/// The phase of a linear model with its standard errors.
fn linear_phase(
    training: &Training,
    used: &Features,
    fit: &dyn discern_stats::Fit,
    errors: ErrorKind,
) -> LinearPhase {
    let (all, coefficients) = (training.features(), fit.coefficients());
    let errors = fit.standard_errors(errors).map(|errors| LinearErrors {
        intercept: errors[0],
        weights: spread(all, used, &errors[1..]),
    });
    let weights = spread(all, used, &coefficients[1..]);
    LinearPhase { intercept: coefficients[0], weights, errors }
}
