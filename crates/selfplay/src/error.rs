use std::path::{Path, PathBuf};

use discern_records::{FileFault, WriteError};

/// Why work on a plan cannot go on.
#[derive(Debug, thiserror::Error)]
pub enum JobError {
    /// The plan makes no sense.
    #[error("{0}")]
    Plan(String),
    /// A file cannot be used.
    #[error("{}: {_1}", _0.display())]
    File(PathBuf, String),
    /// The operating system refused to read or write a file.
    #[error("{}: {_1}", _0.display())]
    Io(PathBuf, std::io::Error),
    /// Games cannot be read.
    #[error(transparent)]
    Games(#[from] FileFault),
    /// The shards in the folder are not those of the plan.
    #[error("{0}")]
    Shards(String),
}

impl JobError {
    /// Puts a path to an error of writing games.
    pub(crate) fn writing(path: &Path, error: WriteError) -> JobError {
        match error {
            WriteError::Io(error) => JobError::Io(path.to_owned(), error),
            error => JobError::File(path.to_owned(), error.to_string()),
        }
    }
}
