//! JSON Lines: one object per phase and model.

use std::io::Write;

use anyhow::Result;
use discern_stats::{
    CalibrationBin, ErrorKind, FisherFit, LinearFit, LogisticFit, Matrix, Metrics, QuadraticFit,
    StopReason, standard_errors,
};
use serde::Serialize;

use super::models::{Diagnostics, FitReport, Fitted, ModelReport};
use crate::commands::model_file::Coefficients;

/// Prints every fit.
pub fn print(out: &mut impl Write, report: &FitReport) -> Result<()> {
    for phase in &report.phases {
        for model in &phase.models {
            let line = Line::new(phase.phase, model, phase.diagnostics.as_ref());
            serde_json::to_writer(&mut *out, &line)?;
            writeln!(out)?;
        }
    }
    Ok(())
}

#[derive(Serialize)]
struct Line {
    phase: Option<i32>,
    model: &'static str,
    #[serde(flatten)]
    fit: Fit,
    #[serde(skip_serializing_if = "Option::is_none")]
    held_out: Option<HeldOut>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    calibration: Vec<Bin>,
    #[serde(skip_serializing_if = "Option::is_none")]
    classes: Option<Classes>,
}

#[derive(Serialize)]
#[serde(untagged)]
enum Fit {
    Failed { error: String },
    Log(Box<Linearly<LogFacts>>),
    Fisher(Box<Linearly<FisherFacts>>),
    Quad(Box<Quadratically>),
    Ols(Box<Linearly<OlsFacts>>),
}

/// A model with one coefficient per feature.
#[derive(Serialize)]
struct Linearly<F> {
    coefficients: Coefficients,
    /// From the information matrix of the model as specified; with invented
    /// trials too small by the square root of their number.
    standard_errors: Coefficients,
    /// All kinds of standard errors there are, by name.
    errors: Errors,
    stop: &'static str,
    iterations: u32,
    log_likelihood: f64,
    rows: f64,
    #[serde(flatten)]
    facts: F,
}

#[derive(Serialize)]
struct Errors {
    corrected: Coefficients,
    #[serde(skip_serializing_if = "Option::is_none")]
    robust: Option<Coefficients>,
    #[serde(skip_serializing_if = "Option::is_none")]
    clustered: Option<Coefficients>,
    #[serde(skip_serializing_if = "Option::is_none")]
    groups: Option<usize>,
}

#[derive(Serialize)]
struct LogFacts {
    trials: f64,
    deviance: f64,
    null_deviance: f64,
    aic: f64,
    bic: f64,
    halvings: u32,
    /// Iterations over a sample of the rows, before those over all of them.
    sample_iterations: u32,
    separated: bool,
}

#[derive(Serialize)]
struct FisherFacts {
    distance: f64,
}

#[derive(Serialize)]
struct OlsFacts {
    r_squared: f64,
    residual_deviation: f64,
    degrees_of_freedom: f64,
}

#[derive(Serialize)]
struct Quadratically {
    features: Vec<String>,
    quadratic: Matrix,
    linear: Vec<f64>,
    constant: f64,
    standard_errors: QuadraticErrors,
    stop: &'static str,
    iterations: u32,
    log_likelihood: f64,
    rows: f64,
}

#[derive(Serialize)]
struct QuadraticErrors {
    quadratic: Matrix,
    linear: Vec<f64>,
    constant: f64,
}

#[derive(Serialize)]
struct HeldOut {
    rows: f64,
    discordance: Option<f64>,
    discordance_error: Option<f64>,
    log_loss: f64,
    log_loss_error: f64,
    brier: f64,
    brier_error: f64,
    accuracy: f64,
    accuracy_error: f64,
}

#[derive(Serialize)]
struct Bin {
    predicted: f64,
    observed: f64,
    low: f64,
    high: f64,
    rows: f64,
}

#[derive(Serialize)]
struct Classes {
    covariance_difference: Option<f64>,
    covariance_share: Option<f64>,
    box_m: Option<f64>,
    box_p: Option<f64>,
    verdict: Option<&'static str>,
    variance_inflation: Option<Vec<f64>>,
    skewness_won: Vec<f64>,
    skewness_lost: Vec<f64>,
    excess_kurtosis_won: Vec<f64>,
    excess_kurtosis_lost: Vec<f64>,
}

impl Line {
    fn new(phase: Option<i32>, model: &ModelReport, diagnostics: Option<&Diagnostics>) -> Self {
        let fit = match &model.fitted {
            Err(error) => Fit::Failed { error: error.to_string() },
            Ok(Fitted::Log(fit)) => Fit::Log(Box::new(log(fit))),
            Ok(Fitted::Fisher(fit)) => Fit::Fisher(Box::new(fisher(fit))),
            Ok(Fitted::Quad(fit)) => Fit::Quad(Box::new(quad(fit))),
            Ok(Fitted::Ols(fit)) => Fit::Ols(Box::new(ols(fit))),
        };
        Self {
            phase,
            model: model.kind.name(),
            fit,
            held_out: model.held_out.as_ref().map(HeldOut::new),
            calibration: model.calibration.iter().map(Bin::new).collect(),
            classes: diagnostics.map(Classes::new),
        }
    }
}

fn named(names: &[&str], covariance: &Matrix) -> Coefficients {
    Coefficients::new(names.iter().copied(), &standard_errors(covariance))
}

fn log(fit: &LogisticFit) -> Linearly<LogFacts> {
    let names: Vec<&str> = fit.names().collect();
    let errors = |kind| fit.covariance_by(kind).map(|covariance| named(&names, &covariance));
    Linearly {
        coefficients: Coefficients::new(fit.names(), &fit.coefficients),
        standard_errors: named(&names, &fit.covariance),
        errors: Errors {
            corrected: named(&names, &fit.corrected()),
            robust: errors(ErrorKind::Robust),
            clustered: errors(ErrorKind::Clustered),
            groups: fit.clustered.as_ref().map(|clustered| clustered.groups),
        },
        stop: fit.stop.word(),
        iterations: fit.steps,
        log_likelihood: fit.log_likelihood,
        rows: fit.rows,
        facts: LogFacts {
            trials: fit.trials,
            deviance: fit.deviance,
            null_deviance: fit.null_deviance,
            aic: fit.aic(),
            bic: fit.bic(),
            halvings: fit.halvings,
            sample_iterations: fit.sample_steps,
            separated: fit.separated,
        },
    }
}

fn fisher(fit: &FisherFit) -> Linearly<FisherFacts> {
    let names: Vec<&str> = fit.names().collect();
    Linearly {
        coefficients: Coefficients::new(fit.names(), &fit.coefficients),
        standard_errors: named(&names, &fit.covariance),
        errors: Errors {
            corrected: named(&names, &fit.covariance),
            robust: fit.robust.as_ref().map(|covariance| named(&names, covariance)),
            clustered: fit.clustered.as_ref().map(|c| named(&names, &c.covariance)),
            groups: fit.clustered.as_ref().map(|clustered| clustered.groups),
        },
        stop: StopReason::Converged.word(),
        iterations: 0,
        log_likelihood: fit.log_likelihood,
        rows: fit.rows,
        facts: FisherFacts { distance: fit.distance },
    }
}

fn ols(fit: &LinearFit) -> Linearly<OlsFacts> {
    let names: Vec<&str> = fit.names().collect();
    Linearly {
        coefficients: Coefficients::new(fit.names(), &fit.coefficients),
        standard_errors: named(&names, &fit.covariance),
        errors: Errors {
            corrected: named(&names, &fit.covariance),
            robust: fit.robust.as_ref().map(|covariance| named(&names, covariance)),
            clustered: fit.clustered.as_ref().map(|c| named(&names, &c.covariance)),
            groups: fit.clustered.as_ref().map(|clustered| clustered.groups),
        },
        stop: StopReason::Converged.word(),
        iterations: 0,
        log_likelihood: fit.log_likelihood,
        rows: fit.rows,
        facts: OlsFacts {
            r_squared: fit.r_squared,
            residual_deviation: fit.residual_variance.sqrt(),
            degrees_of_freedom: fit.degrees_of_freedom(),
        },
    }
}

fn quad(fit: &QuadraticFit) -> Quadratically {
    Quadratically {
        features: fit.features.clone(),
        quadratic: fit.quadratic.clone(),
        linear: fit.linear.clone(),
        constant: fit.constant,
        standard_errors: QuadraticErrors {
            quadratic: fit.errors.quadratic.clone(),
            linear: fit.errors.linear.clone(),
            constant: fit.errors.constant,
        },
        stop: StopReason::Converged.word(),
        iterations: 0,
        log_likelihood: fit.log_likelihood,
        rows: fit.rows,
    }
}

impl HeldOut {
    fn new(metrics: &Metrics) -> Self {
        Self {
            rows: metrics.rows,
            discordance: metrics.discordance.map(|d| d.value),
            discordance_error: metrics.discordance.map(|d| d.standard_error),
            log_loss: metrics.log_loss.value,
            log_loss_error: metrics.log_loss.standard_error,
            brier: metrics.brier.value,
            brier_error: metrics.brier.standard_error,
            accuracy: metrics.accuracy.value,
            accuracy_error: metrics.accuracy.standard_error,
        }
    }
}

impl Bin {
    fn new(bin: &CalibrationBin) -> Self {
        let (low, high) = bin.interval;
        Self { predicted: bin.predicted, observed: bin.observed, low, high, rows: bin.weight }
    }
}

impl Classes {
    fn new(diagnostics: &Diagnostics) -> Self {
        let covariances = diagnostics.covariances.as_ref().ok();
        let shapes = &diagnostics.shapes;
        Self {
            covariance_difference: covariances.map(|c| c.relative_difference),
            covariance_share: covariances.map(|c| c.covariance_share),
            box_m: covariances.map(|c| c.box_test.m),
            box_p: covariances.map(|c| c.box_test.p_value),
            verdict: covariances.map(|c| c.verdict.sentence()),
            variance_inflation: diagnostics.inflation.as_ref().ok().cloned(),
            skewness_won: shapes.iter().map(|shape| shape.0.skewness).collect(),
            skewness_lost: shapes.iter().map(|shape| shape.1.skewness).collect(),
            excess_kurtosis_won: shapes.iter().map(|shape| shape.0.excess_kurtosis).collect(),
            excess_kurtosis_lost: shapes.iter().map(|shape| shape.1.excess_kurtosis).collect(),
        }
    }
}
