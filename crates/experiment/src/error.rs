use std::error::Error;
use std::fmt;
use std::path::{Path, PathBuf};

use discern_players::player::Failure;
use discern_records::FileFault;

/// Why an experiment came to no end.
#[derive(Debug, thiserror::Error)]
pub enum ExperimentError {
    /// The games or openings cannot be read.
    #[error(transparent)]
    Games(#[from] FileFault),
    /// These openings cannot be played.
    #[error("{}: {reason}", path.display())]
    Openings {
        /// The file.
        path: PathBuf,
        /// What is wrong with them.
        reason: String,
    },
    /// The games do not suffice.
    #[error("the games are too few: {0}")]
    TooFewGames(String),
    /// Another process works in the folder.
    #[error("{}: another reproduction is at work in it", .0.display())]
    Locked(PathBuf),
    /// The folder belongs to another experiment.
    #[error("{} holds a reproduction with other {difference}", folder.display())]
    OtherRun {
        /// The folder.
        folder: PathBuf,
        /// What makes it another one.
        difference: Difference,
    },
    /// The folder has results that nothing explains.
    #[error("{} holds results of unknown origin", .0.display())]
    UnknownResults(PathBuf),
    /// A file of the work was changed.
    #[error("{}: is not what was written", path.display())]
    Damaged {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        source: serde_json::Error,
    },
    /// A player died.
    #[error("{player}: {failure}")]
    Player {
        /// Its name.
        player: String,
        /// What happened.
        failure: Failure,
    },
    /// Matches are left to other machines, in these folders.
    #[error(
        "{} matches are to be played elsewhere: make the shards of {}, then the same command \
         resumes", .0.len(), places(.0)
    )]
    Planned(Vec<PathBuf>),
    /// Somebody asked to stop.
    #[error("stopped in the middle of Table 1; the same command resumes")]
    Stopped,
    /// Anything else, with what was being done or to which file.
    #[error("{doing}")]
    Failed {
        /// What was being done.
        doing: String,
        /// Why it failed.
        source: Box<dyn Error + Send + Sync>,
    },
}

impl ExperimentError {
    /// Would an emptied or another folder help?
    pub fn is_about_the_folder(&self) -> bool {
        matches!(self, Self::OtherRun { .. } | Self::UnknownResults(_) | Self::Damaged { .. })
    }
}

fn places(folders: &[PathBuf]) -> String {
    let names: Vec<String> = folders.iter().map(|folder| folder.display().to_string()).collect();
    names.join(", ")
}

/// What makes two experiments different.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Difference {
    /// What is asked.
    Study,
    /// The games to learn from.
    Games,
    /// The time of the players.
    Times,
    /// The number of openings, or their file.
    Openings,
    /// The random numbers.
    Seed,
    /// The version of the program.
    Version,
    /// The program itself.
    Build,
}

impl fmt::Display for Difference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Study => "questions (--study)",
            Self::Games => "games",
            Self::Times => "times",
            Self::Openings => "openings",
            Self::Seed => "random numbers (--seed)",
            Self::Version => "versions of the program",
            Self::Build => "builds of the program",
        })
    }
}

/// Why some bytes are not the results of an experiment.
#[derive(Debug, thiserror::Error)]
pub enum ReadError {
    /// Not even their version can be read.
    #[error("these are not the numbers of a reproduction")]
    Foreign(#[source] serde_json::Error),
    /// Another layout.
    #[error("format {0}, but this program knows {known}", known = crate::FORMAT)]
    Format(u32),
    /// Damaged.
    #[error("the numbers of a reproduction are damaged")]
    Damaged(#[source] serde_json::Error),
}

/// Says what was being done when something failed.
pub(crate) trait Doing<T> {
    fn doing(self, what: impl FnOnce() -> String) -> Result<T, ExperimentError>;

    /// To this file.
    fn to_file(self, path: &Path) -> Result<T, ExperimentError>
    where
        Self: Sized,
    {
        self.doing(|| path.display().to_string())
    }
}

impl<T, E: Into<Box<dyn Error + Send + Sync>>> Doing<T> for Result<T, E> {
    fn doing(self, what: impl FnOnce() -> String) -> Result<T, ExperimentError> {
        self.map_err(|source| ExperimentError::Failed { doing: what(), source: source.into() })
    }
}
