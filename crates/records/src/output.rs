use std::io::{self, BufWriter, Write};
use std::path::Path;

use discern_files::NewFile;

use crate::archive::ArchiveError;
use crate::fault::Fault;
use crate::format::{Format, Writing};
use crate::record::{GameRecord, RecordError};

/// Why games cannot be written.
#[derive(Debug, thiserror::Error)]
pub enum WriteError {
    /// The operating system refused, or the file exists (`AlreadyExists`) or is
    /// being written by another process.
    #[error(transparent)]
    Io(#[from] io::Error),
    /// The record contradicts itself.
    #[error(transparent)]
    Record(#[from] RecordError),
    /// The archive to add to cannot be used.
    #[error(transparent)]
    Archive(#[from] ArchiveError),
    /// The archive to add to cannot be read.
    #[error(transparent)]
    Read(#[from] Fault),
    /// The format has no way to say it.
    #[error("{0}")]
    Unwritable(&'static str),
}

impl WriteError {
    /// Only this game cannot be written; others may.
    pub fn is_about_the_game(&self) -> bool {
        matches!(self, WriteError::Record(_) | WriteError::Unwritable(_))
    }
}

/// An error of the operating system stays one.
impl From<WriteError> for io::Error {
    fn from(error: WriteError) -> io::Error {
        match error {
            WriteError::Io(error) => error,
            error => io::Error::other(error),
        }
    }
}

/// Takes games and ends the file.
pub(crate) trait GameSink {
    /// Keeps the plan of the games to come, where the format has a place.
    fn add_plan(&mut self, _text: &str) -> Result<(), WriteError> {
        Ok(())
    }

    fn append(&mut self, record: &GameRecord) -> Result<(), WriteError>;
    fn finish(self: Box<Self>) -> Result<(), WriteError>;
}

/// A new file of games in any format, which appears whole or not at all.
/// Dropped before [`NewGameFile::finish`], it leaves nothing behind.
pub struct NewGameFile {
    sink: Box<dyn GameSink>,
    games: u64,
}

impl NewGameFile {
    /// Begins a file. With `force` an existing one is replaced at the end,
    /// unless another process is writing to it.
    pub fn create(path: &Path, format: Format, force: bool) -> Result<NewGameFile, WriteError> {
        let file = NewFile::create(path, force)?;
        let sink = match format.description().write {
            Writing::Lines(lines) => Box::new(TextFile { file, lines }),
            Writing::File(begin) => begin(file, path, force)?,
        };
        Ok(NewGameFile { sink, games: 0 })
    }

    /// Writes lines of text into a stream instead of a file.
    ///
    /// # Panics
    ///
    /// If the format is not text ([`Format::is_text`]).
    pub fn stream(output: impl Write + 'static, format: Format) -> NewGameFile {
        let Writing::Lines(lines) = format.description().write else {
            panic!("{format} is not lines of text");
        };
        NewGameFile { sink: Box::new(Stream { output: BufWriter::new(output), lines }), games: 0 }
    }

    /// Games written so far.
    pub fn games(&self) -> u64 {
        self.games
    }

    /// Adds the plan of the games to come; only archives keep plans.
    pub fn add_plan(&mut self, text: &str) -> Result<(), WriteError> {
        self.sink.add_plan(text)
    }

    /// Adds a game.
    pub fn append(&mut self, record: &GameRecord) -> Result<(), WriteError> {
        self.sink.append(record)?;
        self.games += 1;
        Ok(())
    }

    /// Ends the file and puts it in its place.
    pub fn finish(self) -> Result<(), WriteError> {
        self.sink.finish()
    }
}

type ToLines = fn(&GameRecord) -> Result<String, WriteError>;

struct TextFile {
    file: NewFile,
    lines: ToLines,
}

impl GameSink for TextFile {
    fn append(&mut self, record: &GameRecord) -> Result<(), WriteError> {
        Ok(writeln!(self.file, "{}", (self.lines)(record)?)?)
    }

    fn finish(self: Box<Self>) -> Result<(), WriteError> {
        Ok(self.file.finish()?)
    }
}

struct Stream<W: Write> {
    output: BufWriter<W>,
    lines: ToLines,
}

impl<W: Write> GameSink for Stream<W> {
    fn append(&mut self, record: &GameRecord) -> Result<(), WriteError> {
        Ok(writeln!(self.output, "{}", (self.lines)(record)?)?)
    }

    fn finish(mut self: Box<Self>) -> Result<(), WriteError> {
        Ok(self.output.flush()?)
    }
}
