use std::path::{Path, PathBuf};

use discern_records::{FileFault, WriteError};

use crate::build::Build;
use crate::player::StartError;

/// Why work on a plan cannot begin or resume.
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
    /// Somebody asked to stop.
    #[error("stopped; finished shards stay, and the same command makes the others")]
    Halted,
    /// A player cannot be made.
    #[error("{0}")]
    Player(String, #[source] Box<JobError>),
    /// A program does not start.
    #[error(transparent)]
    Start(#[from] StartError),
    /// Something was begun with other settings.
    #[error("begun with other settings: {0}")]
    Differs(String),
    /// Something was begun by another build: who began, and who would resume.
    #[error(
        "begun by {}; this is {}, whose games may differ: --other-build resumes anyway",
        _0[0], _0[1]
    )]
    OtherBuild(Box<[Build; 2]>),
}

impl JobError {
    /// Puts a path to an error of writing games.
    pub fn writing(path: &Path, error: WriteError) -> JobError {
        match error {
            WriteError::Io(error) => JobError::Io(path.to_owned(), error),
            error => JobError::File(path.to_owned(), error.to_string()),
        }
    }
}
