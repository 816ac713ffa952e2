use std::path::{Path, PathBuf};

use discern_arena::tournament::{ResumeError, TournamentError};
use discern_learn::LearnError;
use discern_players::JobError;
use discern_records::Fault;

/// Why a training cannot begin or go on.
#[derive(Debug, thiserror::Error)]
pub enum TrainError {
    /// The folder belongs to a training with other settings.
    #[error("{}: begun with other settings; its own are in it", .0.display())]
    Differs(PathBuf),
    /// A setting makes no sense.
    #[error("{0}")]
    Setting(String),
    /// A file cannot be read or written.
    #[error("{}: {_1}", _0.display())]
    Io(PathBuf, std::io::Error),
    /// A file of the folder is not what was written.
    #[error("{}: {_1}", _0.display())]
    File(PathBuf, String),
    /// Games of a shard cannot be read.
    #[error("{}: {_1}", _0.display())]
    Games(PathBuf, Box<Fault>),
    /// The games were not made.
    #[error(transparent)]
    Job(#[from] JobError),
    /// The positions do not suffice.
    #[error(transparent)]
    Learn(#[from] LearnError),
    /// The match cannot be opened.
    #[error("{}: {_1}", _0.display())]
    Resume(PathBuf, Box<ResumeError>),
    /// The match cannot be played.
    #[error("{}: {_1}", _0.display())]
    Match(PathBuf, Box<TournamentError>),
    /// Somebody asked to stop.
    #[error("stopped; what is finished stays, and the same command resumes")]
    Stopped,
}

impl TrainError {
    pub(crate) fn io(path: &Path) -> impl FnOnce(std::io::Error) -> TrainError {
        let path = path.to_owned();
        |error| TrainError::Io(path, error)
    }
}
