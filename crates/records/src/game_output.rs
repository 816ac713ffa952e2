use std::path::{Path, PathBuf};

use crate::archive::{ArchiveWriter, Tail};
use crate::format::Format;
use crate::output::{NewGameFile, WriteError};
use crate::record::GameRecord;

/// Games on their way into a new file or to the end of an archive.
pub enum GameOutput {
    /// A new file.
    New(NewGameFile),
    /// Nothing is written before all games are known to be good: an archive
    /// that is added to cannot take games back.
    Append {
        /// The archive.
        writer: Box<ArchiveWriter>,
        /// Plans of the games.
        plans: Vec<String>,
        /// The games.
        waiting: Vec<GameRecord>,
    },
}

/// Where games are to be written.
#[derive(Debug, Clone, Copy)]
pub struct GameTarget<'a> {
    /// The file; standard output without one.
    pub path: Option<&'a Path>,
    /// The format; what the file's name ends in if left out.
    pub format: Option<Format>,
    /// Replace the file if it exists.
    pub force: bool,
    /// Add to the archive that the file is.
    pub append: bool,
}

impl GameTarget<'_> {
    /// The format to write.
    ///
    /// # Errors
    /// If it is unknown, or cannot be written there.
    pub fn format(&self) -> Result<Format, TargetError> {
        let format = self.format.or_else(|| Format::from_path(self.path?));
        let Some(path) = self.path else {
            let format = format.unwrap_or(Format::Transcript);
            return if format.is_text() { Ok(format) } else { Err(TargetError::NoText(format)) };
        };
        match format {
            None => Err(TargetError::NoFormat(path.to_owned())),
            Some(Format::Archive) => Ok(Format::Archive),
            Some(_) if self.append => Err(TargetError::NoArchive(path.to_owned())),
            Some(format) => Ok(format),
        }
    }

    /// Begins to write.
    ///
    /// # Errors
    /// If the file cannot be written, or exists and must not be replaced.
    pub fn begin(&self, format: Format) -> Result<GameOutput, WriteError> {
        match self.path {
            None => Ok(GameOutput::New(NewGameFile::stream(std::io::stdout(), format))),
            Some(path) if self.append => {
                ArchiveWriter::open_or_create(path).map(GameOutput::append_to)
            }
            Some(path) => NewGameFile::create(path, format, self.force).map(GameOutput::New),
        }
    }
}

/// Why games cannot be written to a place.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum TargetError {
    /// Standard output takes text only.
    #[error("{0} is not text: name a file with --output")]
    NoText(Format),
    /// The name says nothing.
    #[error("{}: the name does not say which format; give it with --format", _0.display())]
    NoFormat(PathBuf),
    /// Not an archive.
    #[error("{}: only archives can be added to", _0.display())]
    NoArchive(PathBuf),
}

impl GameOutput {
    /// What is missing at the end of the archive that is added to.
    pub fn cut(&self) -> Option<Tail> {
        match self {
            GameOutput::New(_) => None,
            GameOutput::Append { writer, .. } => writer.cut(),
        }
    }

    /// Adds to an archive, all games or none.
    pub fn append_to(writer: ArchiveWriter) -> GameOutput {
        let (plans, waiting) = (Vec::new(), Vec::new());
        GameOutput::Append { writer: Box::new(writer), plans, waiting }
    }

    /// Adds the plan of games to come.
    pub fn add_plan(&mut self, text: &str) -> Result<(), WriteError> {
        match self {
            GameOutput::New(file) => file.add_plan(text)?,
            GameOutput::Append { plans, .. } => plans.push(text.to_owned()),
        }
        Ok(())
    }

    /// Adds a game.
    pub fn append(&mut self, record: GameRecord) -> Result<(), WriteError> {
        match self {
            GameOutput::New(file) => file.append(&record),
            GameOutput::Append { waiting, .. } => {
                record.check()?;
                waiting.push(record);
                Ok(())
            }
        }
    }

    /// Ends the output and puts it in its place.
    pub fn finish(self) -> Result<(), WriteError> {
        match self {
            GameOutput::New(file) => file.finish(),
            GameOutput::Append { mut writer, plans, waiting } => {
                let mut add = || {
                    plans.iter().try_for_each(|plan| writer.add_plan(plan))?;
                    waiting.iter().try_for_each(|record| writer.append(record))?;
                    writer.commit()
                };
                // Should taking back fail too, the archive still is a row of
                // whole blocks.
                add().inspect_err(|_| drop(writer.take_back()))
            }
        }
    }
}
