//! Fits of tables in many places: the driver's half.

use discern_fit::{Columns, Facts, ModelFile, ModelKind, PartAnswer, PartialFit as Fit, Settings};
use discern_stats::{Pooling, Prior, Threads, Trials};
use pyo3::prelude::*;

use crate::failure::value_error;

/// LOG, FISHER and QUAD of many tables, by sums that each of them is asked for.
#[pyclass(module = "discern._native")]
pub struct PartialFit {
    fit: Option<Fit>,
    columns: Columns,
    settings: Settings,
}

#[pymethods]
impl PartialFit {
    #[new]
    #[pyo3(signature = (*, label, of, weight, phase, features, exclude, models, window, trials,
                        ridge, prior_of_data))]
    #[allow(clippy::too_many_arguments, reason = "the options of a command")]
    fn new(
        label: String,
        of: Option<String>,
        weight: Option<String>,
        phase: Option<String>,
        features: Vec<String>,
        exclude: Vec<String>,
        models: Vec<String>,
        window: u32,
        trials: u32,
        ridge: f64,
        prior_of_data: bool,
    ) -> PyResult<PartialFit> {
        let kind = |name: &String| {
            let found = ModelKind::ALL.into_iter().find(|kind| kind.name() == name);
            found.ok_or_else(|| value_error(format!("there is no model '{name}'")))
        };
        let mut models = models.iter().map(kind).collect::<PyResult<Vec<_>>>()?;
        models.sort_unstable();
        models.dedup();
        let settings = Settings {
            models,
            pooling: phase.as_ref().map(|_| Pooling(window)),
            trials: if trials == 1 { Trials::One } else { Trials::Each(trials.into()) },
            ridge,
            prior: if prior_of_data { Prior::FromData } else { Prior::Equal },
            threads: Threads::ONE,
            ..Settings::default()
        };
        let (score, group) = (None, None);
        let columns = Columns {
            label: Some(label),
            trials: of,
            score,
            weight,
            phase,
            group,
            features,
            exclude,
        };
        let fit = Fit::new(columns.clone(), settings.clone()).map_err(value_error)?;
        Ok(PartialFit { fit: Some(fit), columns, settings })
    }

    /// What to ask every table next, as JSON; `None` at the end.
    fn request(&self) -> PyResult<Option<String>> {
        let request = self.fit()?.request();
        request.map(|request| serde_json::to_string(&request).map_err(value_error)).transpose()
    }

    /// Is the answer of one table enough?
    #[getter]
    fn is_rough(&self) -> PyResult<bool> {
        Ok(self.fit()?.is_rough())
    }

    #[getter]
    fn rows(&self) -> PyResult<u64> {
        Ok(self.fit()?.rows())
    }

    /// Goes on with the answers in the order of the tables.
    fn advance(&mut self, py: Python<'_>, answers: Vec<String>) -> PyResult<()> {
        let fit = self.fit.as_mut().ok_or_else(|| value_error("this fit is finished"))?;
        py.detach(|| {
            let parsed: Result<Vec<PartAnswer>, _> =
                answers.iter().map(|answer| serde_json::from_str(answer)).collect();
            let parsed = parsed.map_err(|error| error.to_string())?;
            fit.advance(parsed).map_err(|error| error.to_string())
        })
        .map_err(value_error)
    }

    /// The models as lines of JSON, the model file, and what is doubtful.
    fn finish(&mut self, table: String) -> PyResult<(Vec<String>, String, Vec<String>)> {
        let fit = self.fit.take().ok_or_else(|| value_error("this fit is finished"))?;
        let (rows, features) = (fit.rows(), fit.features().to_vec());
        let report = fit.finish().map_err(value_error)?;
        let lines: Result<Vec<String>, _> =
            report.lines().map(|line| serde_json::to_string(&line)).collect();
        let facts = Facts { table, features, rows, groups: None, streamed: false };
        let file = ModelFile::of(&self.columns, &self.settings, &facts, &report);
        let doubts = report.failures().chain(report.warnings()).collect();
        Ok((lines.map_err(value_error)?, file.text(), doubts))
    }
}

impl PartialFit {
    fn fit(&self) -> PyResult<&Fit> {
        self.fit.as_ref().ok_or_else(|| value_error("this fit is finished"))
    }
}
