//! Models of tables that lie in many places, more rows than one machine holds.

use std::path::Path;

use discern_stats::{
    ErrorKind, Estimator, Fisher, Fits, Gathered, Logistic, LogisticSteps, PartSums, Pass,
    PhaseRange, Quadratic, Threads,
};
use serde::{Deserialize, Serialize};

use crate::data::{Columns, TableData};
use crate::error::Error;
use crate::models::{FitReport, Fitted, ModelKind, ModelReport, PhaseReport, Settings};

/// What every table is asked: sums over its rows, and which column plays which
/// part.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PartRequest {
    format: String,
    columns: Columns,
    /// A −1 among the labels of some table: a 0 is a draw in all of them.
    signed: bool,
    pass: Pass,
}

/// What one table answers.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PartAnswer {
    format: String,
    /// Rows of the table.
    pub rows: u64,
    /// A −1 was among the labels.
    signed: bool,
    /// A 0 was, and counted as a loss.
    zeros: bool,
    sums: PartSums,
}

impl PartRequest {
    const FORMAT: &'static str = "discern pass 1";

    /// The sums of one table.
    ///
    /// # Errors
    /// If the table cannot be read, or the request is of another version.
    pub fn answer(
        &self,
        path: &Path,
        memory: usize,
        threads: Threads,
    ) -> Result<PartAnswer, Error> {
        if self.format != Self::FORMAT {
            let what = format!("a '{}', not a '{}'", self.format, Self::FORMAT);
            return Err(Error::Asked(what));
        }
        let data = TableData::read_part(path, &self.columns, self.signed, memory)?;
        let at = |error: discern_stats::FitError| Error::file(path, error.to_string());
        Ok(PartAnswer {
            format: PartAnswer::FORMAT.into(),
            rows: data.facts().rows,
            signed: data.labels.signed,
            zeros: data.labels.zeros,
            sums: self.pass.sum(data.examples(), threads).map_err(at)?,
        })
    }
}

impl PartAnswer {
    const FORMAT: &'static str = "discern sums 1";
}

/// LOG, FISHER and QUAD of many tables: asks for passes, and is given what the
/// tables answer. The estimates are those of one table with all rows, but for
/// rounding.
pub struct PartialFit {
    columns: Columns,
    settings: Settings,
    signed: bool,
    rows: u64,
    gathered: Option<Gathered>,
    log: Option<LogisticSteps>,
}

impl PartialFit {
    /// Begins.
    ///
    /// # Errors
    /// If it takes the rows themselves and not only sums: linear regression,
    /// groups, held-out metrics, comparisons of the classes, robust errors.
    pub fn new(columns: Columns, settings: Settings) -> Result<Self, Error> {
        let cannot = |what: &str| Err(Error::Asked(format!("{what}, not from sums of parts")));
        if settings.models.contains(&ModelKind::Ols) {
            return cannot("ols is fitted to whole tables");
        }
        if columns.group.is_some() || settings.errors.is_some_and(|e| e > ErrorKind::Corrected) {
            return cannot("robust and clustered errors come from whole tables");
        }
        if settings.folds > 0 || settings.diagnostics {
            return cannot("held-out metrics and diagnostics come from whole tables");
        }
        if columns.label.is_none() {
            return Err(Error::Asked("the column of results is needed".into()));
        }
        let (signed, rows) = (false, 0);
        Ok(Self { columns, settings, signed, rows, gathered: None, log: None })
    }

    /// What to ask next; `None` at the end.
    pub fn request(&self) -> Option<PartRequest> {
        let pass = match (&self.gathered, &self.log) {
            (None, _) => Pass::moments(self.settings.trials),
            (Some(_), Some(log)) => log.request()?,
            (Some(_), None) => return None,
        };
        let format = PartRequest::FORMAT.into();
        Some(PartRequest { format, columns: self.columns.clone(), signed: self.signed, pass })
    }

    /// Is the answer of one table enough, best of the one with most rows?
    pub fn is_rough(&self) -> bool {
        self.log.as_ref().is_some_and(LogisticSteps::is_rough)
    }

    /// Rows of all tables.
    pub fn rows(&self) -> u64 {
        self.rows
    }

    /// The names of the features, once the first answers are in.
    pub fn features(&self) -> &[String] {
        self.gathered.as_ref().map_or(&[], discern_stats::Examples::features)
    }

    /// Goes on with the answers of all tables in their order, or of one if that
    /// is enough.
    ///
    /// # Errors
    /// If the answers do not belong together.
    pub fn advance(&mut self, answers: Vec<PartAnswer>) -> Result<(), Error> {
        if answers.iter().any(|answer| answer.format != PartAnswer::FORMAT) {
            return Err(Error::Asked("answers of another version of the program".into()));
        }
        if let Some(log) = &mut self.log {
            let sums = answers.into_iter().map(|answer| answer.sums).collect();
            return Ok(log.advance(sums)?);
        }
        // A −1 in one table shows what the zeros of the others mean: once more.
        let signed = answers.iter().any(|answer| answer.signed);
        let mistaken = answers.iter().any(|answer| answer.zeros && !answer.signed);
        if signed && mistaken && !self.signed {
            self.signed = true;
            return Ok(());
        }
        self.rows = answers.iter().map(|answer| answer.rows).sum();
        let gathered = Gathered::new(answers.into_iter().map(|answer| answer.sums))?;
        if self.settings.models.contains(&ModelKind::Log) {
            let Settings { trials, ridge, plain_newton, threads, .. } = self.settings;
            let sampling = !plain_newton;
            let log = Logistic { trials, ridge, sampling, threads, ..Logistic::default() };
            self.log = Some(log.steps(&gathered, self.settings.pooling)?);
        }
        self.gathered = Some(gathered);
        Ok(())
    }

    /// The models.
    ///
    /// # Errors
    /// If not one could be fitted.
    pub fn finish(self) -> Result<FitReport, Error> {
        let Self { settings, gathered, log, .. } = self;
        let gathered = gathered.ok_or_else(|| Error::Asked("no table was asked".into()))?;
        let &Settings { prior, threads, pooling, .. } = &settings;
        let errors = ErrorKind::Corrected;
        let mut log = log.map(LogisticSteps::finish);
        let mut phases: Vec<PhaseReport> = Vec::new();
        for &kind in &settings.models {
            let fits: Fits<Option<i32>, Fitted> = match kind {
                ModelKind::Log => as_fitted(log.take().unwrap_or_default(), Fitted::Log),
                ModelKind::Fisher => {
                    let fisher = Fisher { prior, errors, threads };
                    as_fitted(fisher.fit_windows(&gathered, pooling)?, Fitted::Fisher)
                }
                ModelKind::Quad => {
                    let quad = Quadratic { prior, errors, threads };
                    as_fitted(quad.fit_windows(&gathered, pooling)?, Fitted::Quad)
                }
                ModelKind::Ols => unreachable!("refused at the beginning"),
            };
            for (phase, fitted) in fits {
                let model = ModelReport { kind, fitted, held_out: None, calibration: Vec::new() };
                match phases.iter_mut().find(|report| report.phase == phase) {
                    Some(report) => report.models.push(model),
                    None => {
                        let range = match (phase, pooling) {
                            (Some(phase), Some(pooling)) => pooling.around(phase),
                            _ => PhaseRange::ALL,
                        };
                        let moments = gathered.moments().pooled(range);
                        let models = vec![model];
                        phases.push(PhaseReport {
                            phase,
                            range,
                            moments,
                            models,
                            diagnostics: None,
                        });
                    }
                }
            }
        }
        FitReport::of(phases)
    }
}

fn as_fitted<F>(
    fits: Fits<Option<i32>, F>,
    fitted: impl Fn(F) -> Fitted,
) -> Fits<Option<i32>, Fitted> {
    fits.into_iter().map(|(phase, fit)| (phase, fit.map(&fitted))).collect()
}
