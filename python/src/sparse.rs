//! The sparse logistic regression, from compressed rows as SciPy keeps them.

use discern_stats::sparse::{
    Intercepts, MAX_WEIGHTS, SparseDataset, SparseExample, SparseLogistic, WeightPrior,
};
use numpy::{PyArray1, PyReadonlyArray1};
use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::dense::{threads, trials};
use crate::failure::value_error;

/// What the sparse estimator may be told.
#[derive(FromPyObject)]
pub struct Settings {
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
    fit_intercept: bool,
}

/// Compressed rows, and what is known of each row.
#[derive(FromPyObject)]
pub struct Rows<'py> {
    #[pyo3(item)]
    ends: PyReadonlyArray1<'py, i64>,
    #[pyo3(item)]
    indices: PyReadonlyArray1<'py, i64>,
    #[pyo3(item)]
    values: PyReadonlyArray1<'py, f64>,
    #[pyo3(item)]
    outcome: PyReadonlyArray1<'py, f64>,
    #[pyo3(item)]
    weight: Option<PyReadonlyArray1<'py, f64>>,
    #[pyo3(item)]
    trials: Option<PyReadonlyArray1<'py, f64>>,
}

impl Rows<'_> {
    fn dataset(&self, weights: usize) -> PyResult<SparseDataset> {
        if weights > MAX_WEIGHTS {
            return Err(value_error(format!("{weights} weights are too many")));
        }
        let (ends, indices) = (self.ends.as_array(), self.indices.as_array());
        let (values, outcome) = (self.values.as_array(), self.outcome.as_array());
        let weight = self.weight.as_ref().map(|weight| weight.as_array());
        let trials = self.trials.as_ref().map(|trials| trials.as_array());
        let mut builder = SparseDataset::builder(weights);
        let mut entries = Vec::new();
        let mut start = 0;
        for row in 0..outcome.len() {
            let end = ends.get(row).map_or(usize::MAX, |&end| end as usize);
            if end < start || end > indices.len() || end > values.len() {
                return Err(value_error("the rows of the sparse matrix do not fit its entries"));
            }
            entries.clear();
            for at in start..end {
                let index = u32::try_from(indices[at]).map_err(value_error)?;
                entries.push((index, values[at]));
            }
            start = end;
            let example = SparseExample {
                weight: weight.map(|weight| weight[row]),
                trials: trials.map(|trials| trials[row]),
                ..SparseExample::new(&entries, outcome[row])
            };
            builder.push(&example).map_err(value_error)?;
        }
        Ok(builder.finish())
    }
}

/// Fits one weight for each of `weights` columns.
#[pyfunction]
pub fn fit_sparse<'py>(
    py: Python<'py>,
    rows: Rows<'py>,
    weights: usize,
    settings: Settings,
) -> PyResult<Bound<'py, PyDict>> {
    let data = rows.dataset(weights)?;
    let estimator = SparseLogistic {
        trials: trials(settings.invented_trials),
        prior: WeightPrior::ridge(settings.ridge),
        intercepts: if settings.fit_intercept { Intercepts::One } else { Intercepts::None },
        tolerance: settings.tolerance,
        max_steps: settings.max_steps,
        threads: threads(settings.threads)?,
        ..SparseLogistic::default()
    };
    let fit = py.detach(|| estimator.fit(&data)).map_err(value_error)?;
    let intercept = fit.intercepts.first();
    let told = PyDict::new(py);
    told.set_item("intercept", intercept.map_or(0.0, |intercept| intercept.value))?;
    told.set_item("intercept_error", intercept.map(|intercept| intercept.error))?;
    told.set_item("error_kind", fit.error_kind.word())?;
    told.set_item("stop", fit.stop.word())?;
    told.set_item("steps", fit.steps)?;
    told.set_item("log_likelihood", fit.log_likelihood)?;
    told.set_item("penalty", fit.penalty)?;
    told.set_item("rows", fit.rows)?;
    told.set_item("weights", PyArray1::from_vec(py, fit.weights))?;
    told.set_item("errors", PyArray1::from_vec(py, fit.errors))?;
    told.set_item("counts", PyArray1::from_vec(py, fit.counts))?;
    Ok(told)
}
