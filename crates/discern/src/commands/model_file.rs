//! The model file: what `fit` writes and `predict` reads.

use std::collections::BTreeMap;
use std::io::Write;
use std::path::Path;

use anyhow::{Context, Result, bail};
use discern_stats::{Matrix, logistic, normal_log_odds};
use serde::ser::SerializeMap;
use serde::{Deserialize, Serialize, Serializer};

use super::whole_file::WholeFile;

const FORMAT: &str = "discern-model";
const VERSION: u32 = 1;

/// Fitted models of one table.
#[derive(Serialize, Deserialize)]
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
#[derive(Serialize, Deserialize)]
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
#[derive(Serialize, Deserialize)]
pub struct Entry {
    /// The phase; `None` if the model is for all rows.
    pub phase: Option<i32>,
    /// The model.
    #[serde(flatten)]
    pub equation: Equation,
}

/// How to turn features into log-odds.
#[derive(Serialize, Deserialize)]
#[serde(tag = "model", rename_all = "lowercase")]
pub enum Equation {
    /// f(x) = xβ
    Log {
        /// The constant and the weight of each feature.
        coefficients: Coefficients,
    },
    /// f(x) = w·x + c
    Fisher {
        /// The constant and the weight of each feature.
        coefficients: Coefficients,
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
        coefficients: Coefficients,
        /// Standard deviation of ε.
        residual_deviation: f64,
    },
}

/// Named coefficients in the order of the model.
#[derive(Clone, Debug, Deserialize)]
#[serde(from = "BTreeMap<String, f64>")]
pub struct Coefficients(pub Vec<(String, f64)>);

impl Coefficients {
    /// Names next to values.
    pub fn new<'a>(names: impl Iterator<Item = &'a str>, values: &[f64]) -> Self {
        Self(names.map(String::from).zip(values.iter().copied()).collect())
    }
}

impl From<BTreeMap<String, f64>> for Coefficients {
    fn from(map: BTreeMap<String, f64>) -> Self {
        Self(map.into_iter().collect())
    }
}

impl Serialize for Coefficients {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(Some(self.0.len()))?;
        for (name, value) in &self.0 {
            map.serialize_entry(name, value)?;
        }
        map.end()
    }
}

impl ModelFile {
    /// A file of these models.
    pub fn new(
        features: Vec<String>,
        phase_column: Option<String>,
        source: Source,
        models: Vec<Entry>,
    ) -> Self {
        let count = models.len();
        Self {
            format: FORMAT.into(),
            version: VERSION,
            count,
            features,
            phase_column,
            source,
            models,
        }
    }

    /// Writes the file whole.
    pub fn write(&self, path: &Path, force: bool) -> Result<()> {
        let mut file = WholeFile::create(path, force)?;
        serde_json::to_writer_pretty(&mut file, self)
            .with_context(|| format!("{}: cannot be written", path.display()))?;
        writeln!(file).with_context(|| format!("{}: cannot be written", path.display()))?;
        file.finish()
    }

    /// Reads and checks a file.
    pub fn read(path: &Path) -> Result<Self> {
        let shown = path.display();
        let text = std::fs::read_to_string(path).with_context(|| format!("{shown}"))?;
        // Only the head, so that a foreign file is told apart from a damaged one.
        #[derive(Deserialize)]
        struct Head {
            format: String,
            version: u32,
        }
        match serde_json::from_str::<Head>(&text) {
            Ok(head) if head.format != FORMAT => {
                bail!("{shown}: is a '{}' file, not a {FORMAT}", head.format)
            }
            Ok(head) if head.version != VERSION => {
                bail!("{shown}: has version {}, this program reads {VERSION}", head.version)
            }
            Ok(_) => {}
            Err(error) => bail!("{shown}: is not a {FORMAT} file ({error})"),
        }
        let file: Self =
            serde_json::from_str(&text).with_context(|| format!("{shown}: is damaged"))?;
        if file.models.is_empty() || file.models.len() != file.count {
            bail!(
                "{shown}: is damaged: {} models where {} are announced",
                file.models.len(),
                file.count
            );
        }
        for entry in &file.models {
            entry
                .equation
                .weights(&file.features)
                .with_context(|| format!("{shown}: is damaged"))?;
        }
        Ok(file)
    }
}

/// An equation ready to be applied.
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
    pub fn weights(&self, features: &[String]) -> Result<Weights> {
        let ordered = |coefficients: &Coefficients| -> Result<Vec<f64>> {
            let by_name: BTreeMap<&str, f64> =
                coefficients.0.iter().map(|(name, value)| (name.as_str(), *value)).collect();
            if by_name.len() != features.len() + 1 {
                bail!("{} coefficients for {} features", by_name.len(), features.len());
            }
            std::iter::once("(intercept)")
                .chain(features.iter().map(String::as_str))
                .map(|name| {
                    by_name.get(name).copied().with_context(|| format!("no coefficient '{name}'"))
                })
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
                    bail!("quadratic terms do not fit {} features", features.len());
                }
                Ok(Weights::Quadratic(quadratic.clone(), linear.clone(), *constant))
            }
        }
    }
}

impl Weights {
    /// Log-odds of a win.
    pub fn log_odds(&self, x: &[f64]) -> f64 {
        let linear = |weights: &[f64]| -> f64 {
            weights[0] + weights[1..].iter().zip(x).map(|(w, x)| w * x).sum::<f64>()
        };
        match self {
            Self::LogOdds(weights) => linear(weights),
            Self::Quadratic(quadratic, weights, constant) => {
                quadratic.quadratic_form(x)
                    + weights.iter().zip(x).map(|(w, x)| w * x).sum::<f64>()
                    + constant
            }
            Self::Score(weights, deviation) => normal_log_odds(linear(weights) / deviation),
        }
    }

    /// P(W|x)
    pub fn probability(&self, x: &[f64]) -> f64 {
        logistic(self.log_odds(x))
    }

    /// The expected score, for models of one.
    pub fn score(&self, x: &[f64]) -> Option<f64> {
        match self {
            Self::Score(weights, _) => {
                Some(weights[0] + weights[1..].iter().zip(x).map(|(w, x)| w * x).sum::<f64>())
            }
            _ => None,
        }
    }
}
