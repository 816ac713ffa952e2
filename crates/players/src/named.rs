use std::path::{Path, PathBuf};

use discern_eval::{AnyEvaluator, MissingModel, STRONGEST, Weights, evaluator, hand_set};
use discern_search::{Engine, Options, engine};

use crate::error::JobError;

/// An engine as people ask for one: by the name of a model and a weight file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NamedEngine {
    /// The evaluation function; the strongest one if nobody says.
    pub model: Option<String>,
    /// The weight file; the shipped weights without one.
    pub weights: Option<PathBuf>,
    /// Memory and threads.
    pub options: Options,
}

impl NamedEngine {
    /// The name of the evaluation function.
    pub fn model(&self) -> &str {
        self.model.as_deref().unwrap_or(STRONGEST)
    }

    /// The weights.
    ///
    /// # Errors
    /// If the file cannot be used.
    pub fn weights(&self) -> Result<Weights, JobError> {
        weights_of(self.weights.as_deref())
    }

    /// The weights that the model needs, if any.
    ///
    /// # Errors
    /// If the file cannot be used.
    pub fn needed_weights(&self) -> Result<Option<Weights>, JobError> {
        let learned = hand_set(self.model()).is_none();
        learned.then(|| self.weights()).transpose()
    }

    /// The engine. Weights without the strongest model play by the one that
    /// they have first.
    ///
    /// # Errors
    /// If there is no such model, or no memory for the table.
    pub fn engine(&self) -> Result<Box<dyn Engine>, JobError> {
        let weights = self.needed_weights()?;
        let strongest = weights.as_ref().and_then(|weights| weights.strongest());
        let model = match (&self.model, strongest) {
            (None, Some(strongest)) => strongest.name(),
            _ => self.model(),
        };
        let found = evaluator(model, weights.as_ref());
        engine_of(found.map_err(|error| JobError::Plan(error.to_string()))?, self.options)
    }
}

/// The weights of a file, or the shipped ones.
///
/// # Errors
/// If the file cannot be used.
pub fn weights_of(path: Option<&Path>) -> Result<Weights, JobError> {
    let Some(path) = path else { return Ok(discern_data::weights().clone()) };
    Weights::load(path)
        .map_err(|error| JobError::Plan(format!("cannot use {}: {error}", path.display())))
}

/// The evaluators of these names in weight files, or of all models; those of
/// several files are named after them.
///
/// # Errors
/// If a file cannot be used, or has no model of some name.
pub fn evaluators_of(
    paths: &[PathBuf],
    names: &[String],
) -> Result<Vec<(String, AnyEvaluator)>, JobError> {
    let mut all = Vec::new();
    for path in paths {
        let missing = |error: MissingModel| JobError::File(path.clone(), error.to_string());
        let found = weights_of(Some(path))?.evaluators(names).map_err(missing)?;
        let file = path.file_stem().unwrap_or_default().to_string_lossy();
        let name = |name| if paths.len() > 1 { format!("{file}:{name}") } else { name };
        all.extend(found.into_iter().map(|(model, evaluator)| (name(model), evaluator)));
    }
    Ok(all)
}

/// A searcher with this evaluator.
///
/// # Errors
/// If there is no memory for its table.
pub(crate) fn engine_of(
    evaluator: AnyEvaluator,
    options: Options,
) -> Result<Box<dyn Engine>, JobError> {
    let mebibytes = options.table_mebibytes;
    let room = discern_files::check_memory((mebibytes as u64) << 20);
    room.and_then(|()| engine(evaluator, options)).map_err(|error| {
        JobError::Plan(format!("no memory for a table of {mebibytes} MiB: {error}"))
    })
}
