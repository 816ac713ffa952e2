//! How each model is fitted, one file each. A further one is a file and a line
//! of [`FITS`].

mod direct;
mod fisher;
mod log;
mod quad;

use std::sync::Arc;

pub use direct::{DirectSettings, fit_direct};
use discern_eval::{FIRST_PHASE, Features, LinearErrors, LinearPhase, Model, Phases};
use discern_stats::{ErrorKind, StopReason};
use serde_json::Value;

use crate::training::PhaseRows;
use crate::{LearnError, Training};

/// All fits, the preferred model first.
pub static FITS: [Fit; 4] = [log::FIT, fisher::FIT, quad::FIT, direct::FIT];

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
}

/// The fit of this name.
pub fn fit_named(name: &str) -> Option<&'static Fit> {
    FITS.iter().find(|fit| fit.name == name)
}

/// One model per phase.
fn by_phase<T>(training: &Training, model: impl Fn(&PhaseRows, usize) -> T) -> Phases<T> {
    Phases::from_fn(|discs| model(&training.phases()[discs - FIRST_PHASE], discs - FIRST_PHASE))
}

/// The numbers of the features in use, spread over all features.
fn spread(all: &Features, used: &Features, values: &[f64]) -> Vec<f64> {
    let value = |feature| used.place(feature).map_or(0.0, |place| values[place]);
    all.iter().map(|&feature| value(feature)).collect()
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
