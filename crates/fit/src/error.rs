//! What can go wrong between a table and a prediction.

use std::path::{Path, PathBuf};

use discern_stats::{DataError, FitError};
use discern_table::{Place, TableError};
use thiserror::Error;

/// Why a table or a model file cannot be used, in one sentence with its place.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum Error {
    /// The table cannot be read.
    #[error(transparent)]
    Table(#[from] TableError),
    /// The models cannot be fitted to the data as a whole.
    #[error(transparent)]
    Fit(#[from] FitError),
    /// A row does not hold what its columns promise.
    #[error("{}, {place}: {problem}", path.display())]
    Row {
        /// The table.
        path: PathBuf,
        /// The row.
        place: Place,
        /// What is wrong.
        problem: String,
    },
    /// A file as a whole cannot be used.
    #[error("{}: {problem}", path.display())]
    File {
        /// The table or model file.
        path: PathBuf,
        /// What is wrong.
        problem: String,
    },
    /// The output fails.
    #[error("cannot write the predictions")]
    Output(#[from] std::io::Error),
    /// What was asked for makes no sense, or gave nothing.
    #[error("{0}")]
    Asked(String),
}

impl Error {
    pub(crate) fn file(path: &Path, problem: impl Into<String>) -> Self {
        Self::File { path: path.to_path_buf(), problem: problem.into() }
    }
}

impl From<Error> for DataError {
    fn from(error: Error) -> Self {
        Self::Read(error.to_string())
    }
}
