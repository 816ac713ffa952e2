//! The model file: what `fit` writes and `predict` reads.

use std::collections::BTreeMap;
use std::path::Path;

use discern_stats::{Matrix, Predict, normal_log_odds};
use serde::ser::SerializeMap;
use serde::{Deserialize, Serialize, Serializer};

use crate::data::{Columns, Facts};
use crate::error::Error;
use crate::models::{FitReport, Settings};

const FORMAT: &str = "discern-model";
const VERSION: u32 = 1;
/// No honest model file is larger.
const MOST_BYTES: u64 = 1 << 30;

/// Fitted models of one table. Every number survives writing and reading to
/// the last bit.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ModelFile {
    format: String,
    version: u32,
    /// Number of equations, to notice a cut-off or edited file.
    count: usize,
    /// Columns the features are read from, in the order of the equations.
    pub features: Vec<String>,
    /// Column of the phase, if there is one equation per phase.
    pub phase_column: Option<String>,
    /// What the models were fitted to.
    pub source: Source,
    /// One entry per phase and model.
    pub models: Vec<Entry>,
}

/// What the models were fitted to, and how.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Source {
    /// The table.
    pub table: String,
    /// Its label column.
    pub label: Option<String>,
    /// Rows of the table.
    pub rows: f64,
    /// Trials per row of LOG.
    pub trials: f64,
    /// Phases pooled on either side.
    pub window: u32,
    /// Version of the program.
    pub discern: String,
}

/// One model of one phase.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Entry {
    /// The phase; `None` if the model is for all rows.
    pub phase: Option<i32>,
    /// The model.
    #[serde(flatten)]
    pub equation: Equation,
}

/// How to turn features into log-odds.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "model", rename_all = "lowercase")]
pub enum Equation {
    /// f(x) = xβ
    Log {
        /// The constant and the weight of each feature.
        coefficients: Named,
    },
    /// f(x) = w·x + c
    Fisher {
        /// The constant and the weight of each feature.
        coefficients: Named,
    },
    /// f(x) = xQx′ + Lx′ + c
    Quad {
        /// Q
        quadratic: Matrix,
        /// L
        linear: Vec<f64>,
        /// c
        constant: f64,
    },
    /// score = xβ + ε
    Ols {
        /// The constant and the weight of each feature.
        coefficients: Named,
        /// Standard deviation of ε.
        residual_deviation: f64,
    },
}

/// Named numbers in the order of the model.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(from = "BTreeMap<String, f64>")]
pub struct Named(Vec<(String, f64)>);

impl Named {
    /// Names next to values.
    #[must_use]
    pub fn new(names: Vec<String>, values: &[f64]) -> Self {
        Self(names.into_iter().zip(values.iter().copied()).collect())
    }
}

impl From<BTreeMap<String, f64>> for Named {
    fn from(map: BTreeMap<String, f64>) -> Self {
        Self(map.into_iter().collect())
    }
}

impl Serialize for Named {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(Some(self.0.len()))?;
        for (name, value) in &self.0 {
            map.serialize_entry(name, value)?;
        }
        map.end()
    }
}

impl ModelFile {
    /// The models of a report, and what they were fitted to.
    #[must_use]
    pub fn of(columns: &Columns, settings: &Settings, facts: &Facts, report: &FitReport) -> Self {
        let source = Source {
            table: facts.table.clone(),
            label: columns.label.clone(),
            rows: facts.rows as f64,
            trials: settings.trials.count(),
            window: settings.pooling.unwrap_or_default().0,
            discern: env!("CARGO_PKG_VERSION").into(),
        };
        let (features, phase_column) = (facts.features.clone(), columns.phase.clone());
        let models = report.entries();
        let (format, version, count) = (FORMAT.into(), VERSION, models.len());
        Self { format, version, count, features, phase_column, source, models }
    }

    /// The file as text.
    #[must_use]
    pub fn text(&self) -> String {
        serde_json::to_string_pretty(self).expect("numbers and words") + "\n"
    }

    /// Reads and checks a file.
    ///
    /// # Errors
    /// If it cannot be read, is no model file of this version, or is damaged.
    pub fn read(path: &Path) -> Result<Self, Error> {
        let failed = |error: std::io::Error| Error::file(path, error.to_string());
        let text = discern_files::read_text(path, MOST_BYTES).map_err(failed)?;
        Self::parse(&text).map_err(|problem| Error::file(path, problem))
    }

    /// Reads and checks the text of a file, or says what it is.
    ///
    /// # Errors
    /// If it is no model file of this version, or damaged.
    pub fn parse(text: &str) -> Result<Self, String> {
        // Only the head, so that a foreign file is told apart from a damaged one.
        #[derive(Deserialize)]
        struct Head {
            format: String,
            version: u32,
        }
        match serde_json::from_str::<Head>(text) {
            Ok(head) if head.format != FORMAT => {
                return Err(format!("is a '{}' file, not a {FORMAT}", head.format));
            }
            Ok(head) if head.version != VERSION => {
                return Err(format!("has version {}, this program reads {VERSION}", head.version));
            }
            Ok(_) => {}
            Err(error) => return Err(format!("is not a {FORMAT} file ({error})")),
        }
        let damaged = |problem: String| format!("is damaged: {problem}");
        let file: Self = serde_json::from_str(text).map_err(|error| damaged(error.to_string()))?;
        let (found, count) = (file.models.len(), file.count);
        if found == 0 || found != count {
            return Err(damaged(format!("{found} models where {count} are announced")));
        }
        for entry in &file.models {
            entry.equation.weights(&file.features).map_err(damaged)?;
        }
        Ok(file)
    }
}

/// An equation ready to be applied to features in a known order.
#[derive(Clone, Debug, PartialEq)]
pub enum Weights {
    /// Constant and weights giving log-odds.
    LogOdds(Vec<f64>),
    /// Quadratic form giving log-odds.
    Quadratic(Matrix, Vec<f64>, f64),
    /// Constant and weights giving a score, and its deviation.
    Score(Vec<f64>, f64),
}

impl Equation {
    /// The word used for the model everywhere.
    #[must_use]
    pub fn name(&self) -> &'static str {
        match self {
            Self::Log { .. } => "log",
            Self::Fisher { .. } => "fisher",
            Self::Quad { .. } => "quad",
            Self::Ols { .. } => "ols",
        }
    }

    /// The equation over features in this order.
    ///
    /// # Errors
    /// If a feature has no coefficient or the sizes do not fit.
    pub fn weights(&self, features: &[String]) -> Result<Weights, String> {
        let ordered = |coefficients: &Named| -> Result<Vec<f64>, String> {
            let by_name: BTreeMap<&str, f64> =
                coefficients.0.iter().map(|(name, value)| (name.as_str(), *value)).collect();
            if by_name.len() != features.len() + 1 {
                return Err(format!(
                    "{} coefficients for {} features",
                    by_name.len(),
                    features.len()
                ));
            }
            std::iter::once("(intercept)")
                .chain(features.iter().map(String::as_str))
                .map(|name| by_name.get(name).copied().ok_or(format!("no coefficient '{name}'")))
                .collect()
        };
        match self {
            Self::Log { coefficients } | Self::Fisher { coefficients } => {
                Ok(Weights::LogOdds(ordered(coefficients)?))
            }
            Self::Ols { coefficients, residual_deviation } => {
                Ok(Weights::Score(ordered(coefficients)?, *residual_deviation))
            }
            Self::Quad { quadratic, linear, constant } => {
                if quadratic.order() != features.len() || linear.len() != features.len() {
                    return Err(format!("quadratic terms do not fit {} features", features.len()));
                }
                Ok(Weights::Quadratic(quadratic.clone(), linear.clone(), *constant))
            }
        }
    }
}

impl Predict for Weights {
    fn log_odds(&self, x: &[f64]) -> f64 {
        match self {
            Self::Score(_, deviation) => normal_log_odds(self.value(x) / deviation),
            _ => self.value(x),
        }
    }

    fn value(&self, x: &[f64]) -> f64 {
        let sum = |weights: &[f64]| weights.iter().zip(x).map(|(w, x)| w * x).sum::<f64>();
        match self {
            Self::LogOdds(weights) | Self::Score(weights, _) => weights[0] + sum(&weights[1..]),
            Self::Quadratic(quadratic, linear, constant) => {
                quadratic.quadratic_form(x) + sum(linear) + constant
            }
        }
    }
}
