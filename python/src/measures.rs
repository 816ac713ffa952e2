//! How good predictions are, and tests of coefficients.

use discern_stats::{
    Bins, CalibrationBin, Estimate, Matrix, Prediction, Reference, calibration as bins_of,
    estimates as table_of, metrics, wald_test as test,
};
use numpy::{PyArray1, PyReadonlyArray1, PyReadonlyArray2, PyUntypedArrayMethods};
use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::failure::value_error;

type Floats<'py> = PyReadonlyArray1<'py, f64>;

/// Columns by name: what each takes from a row.
type Columns<const N: usize, R> = [(&'static str, fn(&R) -> f64); N];

fn predictions(
    log_odds: &Floats,
    outcome: &Floats,
    weight: Option<Floats>,
    group: Option<PyReadonlyArray1<u32>>,
) -> PyResult<Vec<Prediction>> {
    let (log_odds, outcome) = (log_odds.as_array(), outcome.as_array());
    let (weight, group) =
        (weight.as_ref().map(|w| w.as_array()), group.as_ref().map(|g| g.as_array()));
    let rows = log_odds.len();
    let lengths = [Some(outcome.len()), weight.map(|w| w.len()), group.map(|g| g.len())];
    if let Some(found) = lengths.into_iter().flatten().find(|&found| found != rows) {
        return Err(value_error(format!("{found} rows where {rows} are expected")));
    }
    (0..rows)
        .map(|row| {
            let outcome = outcome[row];
            if !(0.0..=1.0).contains(&outcome) {
                return Err(value_error(discern_stats::DataError::Outcome(outcome)));
            }
            Ok(Prediction {
                phase: 0,
                log_odds: log_odds[row],
                outcome,
                weight: weight.map_or(1.0, |weight| weight[row]),
                group: group.map(|group| group[row]),
            })
        })
        .collect()
}

/// Discordance, log loss, Brier score and accuracy, each with its standard
/// error.
#[pyfunction]
#[pyo3(signature = (log_odds, outcome, weight=None, group=None))]
pub fn measures<'py>(
    py: Python<'py>,
    log_odds: Floats,
    outcome: Floats,
    weight: Option<Floats>,
    group: Option<PyReadonlyArray1<u32>>,
) -> PyResult<Bound<'py, PyDict>> {
    let predictions = predictions(&log_odds, &outcome, weight, group)?;
    let found = py.detach(|| metrics(&predictions));
    let found = found.ok_or_else(|| value_error("there are no rows"))?;
    let told = PyDict::new(py);
    told.set_item("rows", found.rows)?;
    if let Some(discordance) = found.discordance {
        told.set_item("discordance", (discordance.value, discordance.standard_error))?;
    }
    let measured =
        [("log_loss", found.log_loss), ("brier", found.brier), ("accuracy", found.accuracy)];
    for (name, measured) in measured {
        told.set_item(name, (measured.value, measured.standard_error))?;
    }
    Ok(told)
}

/// The calibration curve in bins of equal width or weight, column by column.
#[pyfunction]
#[pyo3(signature = (log_odds, outcome, weight, group, bins, equal_weight, confidence))]
#[expect(clippy::too_many_arguments, reason = "keyword arguments of Python")]
pub fn calibration<'py>(
    py: Python<'py>,
    log_odds: Floats,
    outcome: Floats,
    weight: Option<Floats>,
    group: Option<PyReadonlyArray1<u32>>,
    bins: usize,
    equal_weight: bool,
    confidence: f64,
) -> PyResult<Bound<'py, PyDict>> {
    let predictions = predictions(&log_odds, &outcome, weight, group)?;
    let bins = if equal_weight { Bins::EqualWeight(bins) } else { Bins::EqualWidth(bins) };
    let found = py.detach(|| bins_of(&predictions, bins, confidence));
    let told = PyDict::new(py);
    let columns: Columns<5, CalibrationBin> = [
        ("predicted", |bin| bin.predicted),
        ("observed", |bin| bin.observed),
        ("low", |bin| bin.interval.0),
        ("high", |bin| bin.interval.1),
        ("weight", |bin| bin.weight),
    ];
    for (name, value) in columns {
        told.set_item(name, PyArray1::from_iter(py, found.iter().map(value)))?;
    }
    Ok(told)
}

/// Statistics, p-values and intervals of estimates; Student's distribution
/// where degrees of freedom are given, else the normal one.
#[pyfunction]
#[pyo3(signature = (values, errors, degrees_of_freedom, confidence))]
pub fn estimates<'py>(
    py: Python<'py>,
    values: Vec<f64>,
    errors: Vec<f64>,
    degrees_of_freedom: Option<f64>,
    confidence: f64,
) -> PyResult<Bound<'py, PyDict>> {
    let reference = degrees_of_freedom.map_or(Reference::Normal, Reference::StudentT);
    let table = table_of(values.iter().map(|_| ""), &values, &errors, reference, confidence);
    let told = PyDict::new(py);
    let columns: Columns<4, Estimate> = [
        ("statistic", |row| row.statistic),
        ("p_value", |row| row.p_value),
        ("low", |row| row.interval.0),
        ("high", |row| row.interval.1),
    ];
    for (name, value) in columns {
        told.set_item(name, PyArray1::from_iter(py, table.iter().map(value)))?;
    }
    Ok(told)
}

/// Tests that the coefficients at some places are all 0: χ², degrees of freedom
/// and p; nothing if their covariance is singular.
#[pyfunction]
pub fn wald_test(
    values: Vec<f64>,
    covariance: PyReadonlyArray2<f64>,
    places: Vec<usize>,
) -> PyResult<Option<(f64, usize, f64)>> {
    let order = values.len();
    if covariance.shape() != [order, order] || places.iter().any(|&place| place >= order) {
        return Err(value_error("coefficients, covariance and places do not fit together"));
    }
    let covariance = covariance.as_array();
    let covariance = Matrix::from_fn(order, |i, j| covariance[[i, j]]);
    let found = test(&values, &covariance, &places);
    Ok(found.map(|found| (found.statistic, found.degrees_of_freedom, found.p_value)))
}
