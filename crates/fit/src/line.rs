//! A fit as plain data: one object per phase and model, the form of
//! `discern fit --json`.

use discern_stats::{
    CalibrationBin, ErrorKind, Fit, Matrix, Metrics, QuadraticErrors, QuadraticFit, StopReason,
};
use serde::Serialize;

use crate::model_file::Named;
use crate::models::{Diagnostics, FitReport, Fitted, ModelKind, ModelReport, PhaseReport};

impl FitReport {
    /// Every model of every phase as data to serialise.
    pub fn lines(&self) -> impl Iterator<Item = Line> + '_ {
        self.models().map(|(phase, model)| Line::new(phase, model))
    }
}

/// One model of one phase, to be serialised.
#[derive(Clone, Debug, Serialize)]
pub struct Line {
    phase: Option<i32>,
    model: ModelKind,
    #[serde(flatten)]
    fit: Outcome,
    #[serde(skip_serializing_if = "Option::is_none")]
    held_out: Option<HeldOut>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    calibration: Vec<Bin>,
    #[serde(skip_serializing_if = "Option::is_none")]
    classes: Option<Classes>,
}

#[derive(Clone, Debug, Serialize)]
#[serde(untagged)]
enum Outcome {
    Failed { error: String },
    Linear(Box<Linearly>),
    Quad(Box<Quadratically>),
}

/// A model with one coefficient per feature.
#[derive(Clone, Debug, Serialize)]
struct Linearly {
    coefficients: Named,
    /// From the information matrix of the model as specified; with invented
    /// trials too small by the square root of their number.
    standard_errors: Named,
    /// All kinds of standard errors there are, by name.
    errors: Errors<Named>,
    #[serde(flatten)]
    end: End,
    #[serde(flatten)]
    facts: Facts,
}

/// f(x) = xQx′ + Lx′ + c
#[derive(Clone, Debug, Serialize)]
struct Quadratically {
    features: Vec<String>,
    quadratic: Matrix,
    linear: Vec<f64>,
    constant: f64,
    standard_errors: Option<QuadraticErrors>,
    /// Further kinds of standard errors, if they were asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    errors: Option<Errors<QuadraticErrors>>,
    #[serde(flatten)]
    end: End,
}

#[derive(Clone, Debug, Serialize)]
struct Errors<E> {
    #[serde(skip_serializing_if = "Option::is_none")]
    corrected: Option<E>,
    #[serde(skip_serializing_if = "Option::is_none")]
    robust: Option<E>,
    #[serde(skip_serializing_if = "Option::is_none")]
    clustered: Option<E>,
    #[serde(skip_serializing_if = "Option::is_none")]
    groups: Option<usize>,
}

impl<E> Errors<E> {
    fn new(fit: &dyn Fit, errors: impl Fn(ErrorKind) -> Option<E>) -> Self {
        Self {
            corrected: errors(ErrorKind::Corrected),
            robust: errors(ErrorKind::Robust),
            clustered: errors(ErrorKind::Clustered),
            groups: fit.uncertainty().groups(),
        }
    }
}

/// How the fit ended.
#[derive(Clone, Debug, Serialize)]
struct End {
    stop: StopReason,
    iterations: u32,
    log_likelihood: f64,
    rows: f64,
}

impl End {
    fn new(fit: &dyn Fit) -> Self {
        Self {
            stop: fit.stop(),
            iterations: fit.steps(),
            log_likelihood: fit.log_likelihood(),
            rows: fit.rows(),
        }
    }
}

/// What only one kind of model has.
#[derive(Clone, Debug, Serialize)]
#[serde(untagged)]
enum Facts {
    Log {
        trials: f64,
        deviance: f64,
        null_deviance: f64,
        aic: f64,
        bic: f64,
        halvings: u32,
        /// Iterations over a sample of the rows, before those over all of them.
        sample_iterations: u32,
        separated: bool,
    },
    Fisher {
        distance: f64,
    },
    Ols {
        r_squared: f64,
        residual_deviation: f64,
        degrees_of_freedom: f64,
    },
}

#[derive(Clone, Debug, Serialize)]
pub(crate) struct HeldOut {
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

#[derive(Clone, Debug, Serialize)]
pub(crate) struct Bin {
    predicted: f64,
    observed: f64,
    low: f64,
    high: f64,
    rows: f64,
}

#[derive(Clone, Debug, Serialize)]
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
    fn new(phase: &PhaseReport, model: &ModelReport) -> Self {
        let linear = |fit: &dyn Fit, facts| {
            let named = |values: Vec<f64>| Named::new(fit.names(), &values);
            let errors = |kind| fit.standard_errors(kind).map(named);
            Outcome::Linear(Box::new(Linearly {
                coefficients: named(fit.coefficients()),
                standard_errors: named(
                    fit.standard_errors(ErrorKind::Information).unwrap_or_default(),
                ),
                errors: Errors::new(fit, errors),
                end: End::new(fit),
                facts,
            }))
        };
        let fit = match &model.fitted {
            Err(error) => Outcome::Failed { error: error.to_string() },
            Ok(Fitted::Quad(fit)) => Outcome::Quad(Box::new(quadratic(fit))),
            Ok(Fitted::Log(fit)) => {
                let facts = Facts::Log {
                    trials: fit.trials,
                    deviance: fit.deviance,
                    null_deviance: fit.null_deviance,
                    aic: fit.aic(),
                    bic: fit.bic(),
                    halvings: fit.halvings,
                    sample_iterations: fit.sample_steps,
                    separated: fit.separated,
                };
                linear(fit, facts)
            }
            Ok(Fitted::Fisher(fit)) => linear(fit, Facts::Fisher { distance: fit.distance }),
            Ok(Fitted::Ols(fit)) => {
                let facts = Facts::Ols {
                    r_squared: fit.r_squared,
                    residual_deviation: fit.residual_variance.sqrt(),
                    degrees_of_freedom: fit.degrees_of_freedom(),
                };
                linear(fit, facts)
            }
        };
        Self {
            phase: phase.phase,
            model: model.kind,
            fit,
            held_out: model.held_out.as_ref().map(HeldOut::new),
            calibration: model.calibration.iter().map(Bin::new).collect(),
            classes: phase.diagnostics.as_ref().map(Classes::new),
        }
    }
}

fn quadratic(fit: &QuadraticFit) -> Quadratically {
    let further =
        Errors::new(fit, |kind| fit.errors(kind).filter(|_| kind != ErrorKind::Corrected));
    Quadratically {
        features: fit.features.clone(),
        quadratic: fit.quadratic.clone(),
        linear: fit.linear.clone(),
        constant: fit.constant,
        standard_errors: fit.errors(ErrorKind::Information),
        errors: further.robust.is_some().then_some(further),
        end: End::new(fit),
    }
}

impl HeldOut {
    pub(crate) fn new(metrics: &Metrics) -> Self {
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
    pub(crate) fn new(bin: &CalibrationBin) -> Self {
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
