//! LOG, FISHER, QUAD and least squares on dense columns.

use discern_stats::{
    ErrorKind, Estimator, Fisher, Fit, Linear, Logistic, Matrix, Prior, Quadratic, Reference,
    StopReason, Threads, Trials,
};
use numpy::{PyArray1, PyArray2, PyArrayMethods};
use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::columns::{Features, Sides};
use crate::failure::value_error;

/// What every dense estimator may be told; each takes what concerns it.
#[derive(FromPyObject)]
pub struct Settings {
    #[pyo3(item)]
    errors: String,
    #[pyo3(item)]
    threads: Option<usize>,
    #[pyo3(item)]
    invented_trials: f64,
    #[pyo3(item)]
    ridge: f64,
    #[pyo3(item)]
    tolerance: f64,
    #[pyo3(item)]
    max_steps: u32,
    #[pyo3(item)]
    prior_from_data: bool,
}

/// The kinds of standard errors, least elaborate first.
pub const KINDS: [ErrorKind; 4] =
    [ErrorKind::Information, ErrorKind::Corrected, ErrorKind::Robust, ErrorKind::Clustered];

/// The kind of this name.
pub fn kind(word: &str) -> PyResult<ErrorKind> {
    let known = || KINDS.map(ErrorKind::word).join(", ");
    KINDS.into_iter().find(|kind| kind.word() == word).ok_or_else(|| {
        value_error(format!("'{word}' is no kind of standard errors: there are {}", known()))
    })
}

/// As many threads as asked for, or as there are processors.
pub fn threads(count: Option<usize>) -> PyResult<Threads> {
    match count {
        None => Ok(Threads::available()),
        Some(count) => count.to_string().parse().map_err(value_error),
    }
}

/// Invented trials: 1 means none.
pub fn trials(count: f64) -> Trials {
    if count == 1.0 { Trials::One } else { Trials::Each(count) }
}

/// A fit of any dense model, with what only that model knows.
enum Fitted {
    Log(discern_stats::LogisticFit),
    Fisher(discern_stats::FisherFit),
    Quad(discern_stats::QuadraticFit),
    Linear(discern_stats::LinearFit),
}

impl Fitted {
    fn fit(&self) -> &dyn Fit {
        match self {
            Self::Log(fit) => fit,
            Self::Fisher(fit) => fit,
            Self::Quad(fit) => fit,
            Self::Linear(fit) => fit,
        }
    }
}

/// Fits `model` ("log", "fisher", "quad" or "linear") and returns all it knows
/// as plain values.
#[pyfunction]
pub fn fit_dense<'py>(
    py: Python<'py>,
    model: &str,
    features: Features<'py>,
    names: Vec<String>,
    sides: Sides<'py>,
    settings: Settings,
) -> PyResult<Bound<'py, PyDict>> {
    let (errors, threads) = (kind(&settings.errors)?, threads(settings.threads)?);
    let prior = if settings.prior_from_data { Prior::FromData } else { Prior::Equal };
    let block = sides.block(features.columns()?)?;
    let fitted = py.detach(|| -> Result<Fitted, String> {
        let fitted = match model {
            "log" => {
                let (trials, ridge) = (trials(settings.invented_trials), settings.ridge);
                let (tolerance, max_steps) = (settings.tolerance, settings.max_steps);
                let settings =
                    Logistic { trials, ridge, tolerance, max_steps, ..Logistic::default() };
                let log = Logistic { errors, threads, ..settings };
                log.fit_columns(names, block).map(Fitted::Log)
            }
            "fisher" => {
                Fisher { prior, errors, threads }.fit_columns(names, block).map(Fitted::Fisher)
            }
            "quad" => {
                Quadratic { prior, errors, threads }.fit_columns(names, block).map(Fitted::Quad)
            }
            "linear" => Linear { errors, threads }.fit_columns(names, block).map(Fitted::Linear),
            _ => return Err(format!("there is no model '{model}'")),
        };
        fitted.map_err(|error| error.to_string())
    });
    told(py, &fitted.map_err(value_error)?)
}

/// What a fit knows, as plain values.
fn told<'py>(py: Python<'py>, fitted: &Fitted) -> PyResult<Bound<'py, PyDict>> {
    let fit = fitted.fit();
    let told = PyDict::new(py);
    told.set_item("names", fit.names())?;
    told.set_item("coefficients", PyArray1::from_vec(py, fit.coefficients()))?;
    told.set_item("covariances", covariances(py, fit)?)?;
    told.set_item("best_errors", fit.uncertainty().best().word())?;
    told.set_item("groups", fit.uncertainty().groups())?;
    told.set_item("rows", fit.rows())?;
    told.set_item("log_likelihood", fit.log_likelihood())?;
    told.set_item("stop", fit.stop().word())?;
    told.set_item("steps", fit.steps())?;
    told.set_item("separated", fit.stop() == StopReason::Separated)?;
    match fitted {
        Fitted::Log(log) => {
            told.set_item("trials", log.trials)?;
            told.set_item("deviance", log.deviance)?;
            told.set_item("null_deviance", log.null_deviance)?;
            told.set_item("separated", log.separated)?;
        }
        Fitted::Fisher(fisher) => told.set_item("distance", fisher.distance)?,
        Fitted::Quad(quad) => {
            let (centre, linear, constant) = quad.around_centre();
            told.set_item("quadratic", matrix(py, &quad.quadratic)?)?;
            told.set_item("linear", PyArray1::from_slice(py, &quad.linear))?;
            told.set_item("constant", quad.constant)?;
            told.set_item("centre", PyArray1::from_slice(py, centre))?;
            told.set_item("linear_at_centre", PyArray1::from_slice(py, linear))?;
            told.set_item("constant_at_centre", constant)?;
        }
        Fitted::Linear(linear) => {
            told.set_item("residual_variance", linear.residual_variance)?;
            told.set_item("r_squared", linear.r_squared)?;
            if let Reference::StudentT(freedom) = linear.reference(ErrorKind::Information) {
                told.set_item("degrees_of_freedom", freedom)?;
            }
        }
    }
    Ok(told)
}

/// The covariance of each kind that was computed: a matrix, or only its
/// diagonal where there are too many estimates for more.
fn covariances<'py>(py: Python<'py>, fit: &dyn Fit) -> PyResult<Bound<'py, PyDict>> {
    let all = PyDict::new(py);
    for kind in KINDS {
        if let Some(full) = fit.covariance(kind) {
            all.set_item(kind.word(), matrix(py, &full)?)?;
        } else if let Some(known) = fit.uncertainty().covariance(kind) {
            all.set_item(kind.word(), PyArray1::from_vec(py, known.variances()))?;
        }
    }
    Ok(all)
}

fn matrix<'py>(py: Python<'py>, matrix: &Matrix) -> PyResult<Bound<'py, PyArray2<f64>>> {
    let order = matrix.order();
    let values: Vec<f64> = (0..order).flat_map(|row| matrix.row(row).to_vec()).collect();
    PyArray1::from_vec(py, values).reshape([order, order])
}
