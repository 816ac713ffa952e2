use std::ffi::OsString;
use std::fs::{self, File};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

use tempfile::NamedTempFile;

use crate::archive::{ArchiveError, ArchiveWriter};
use crate::fault::Fault;
use crate::format::Format;
use crate::lines::write_line;
use crate::record::{GameRecord, RecordError};
use crate::wthor::{WthorFiles, WthorWriter};
use crate::{ggf, obf, sgf, transcript};

/// Why games cannot be written.
#[derive(Debug, thiserror::Error)]
pub enum WriteError {
    /// The operating system refused.
    #[error(transparent)]
    Io(#[from] io::Error),
    /// The file exists, and nothing is overwritten unasked.
    #[error("the file exists")]
    Exists,
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

/// A new file of games in any format, which appears whole or not at all: it is
/// written under another name in the same folder and renamed at the end.
/// Dropped before [`NewGameFile::finish`], it leaves nothing behind.
pub struct NewGameFile {
    sink: Sink,
    place: Option<NewFile>,
    games: u64,
}

enum Sink {
    Archive(Box<ArchiveWriter>),
    Wthor(Box<WthorWriter>),
    Text { output: BufWriter<Box<dyn Write>>, format: Format },
}

impl NewGameFile {
    /// Begins a file. With `force` an existing one is replaced at the end.
    pub fn create(path: &Path, format: Format, force: bool) -> Result<NewGameFile, WriteError> {
        let place = NewFile::create(path, force)?;
        let sink = match format {
            Format::Archive => Sink::Archive(Box::new(ArchiveWriter::start(place.file()?)?)),
            Format::Wthor => {
                // The two files of names stand beside and must be free as well.
                for kind in ["jou", "trn"] {
                    check_free(&path.with_extension(kind), force)?;
                }
                Sink::Wthor(Box::default())
            }
            format => Sink::Text { output: BufWriter::new(Box::new(place.file()?)), format },
        };
        Ok(NewGameFile { sink, place: Some(place), games: 0 })
    }

    /// Writes lines of text into a stream instead of a file.
    ///
    /// # Panics
    ///
    /// If the format is not text ([`Format::is_text`]).
    pub fn stream(output: impl Write + 'static, format: Format) -> NewGameFile {
        assert!(format.is_text(), "{format} is not lines of text");
        let output = BufWriter::new(Box::new(output) as Box<dyn Write>);
        NewGameFile { sink: Sink::Text { output, format }, place: None, games: 0 }
    }

    /// Games written so far.
    pub fn games(&self) -> u64 {
        self.games
    }

    /// Adds a game.
    pub fn append(&mut self, record: &GameRecord) -> Result<(), WriteError> {
        match &mut self.sink {
            Sink::Archive(writer) => writer.append(record)?,
            Sink::Wthor(writer) => writer.append(record)?,
            Sink::Text { output, format } => write_text(output, *format, record)?,
        }
        self.games += 1;
        Ok(())
    }

    /// Ends the file and puts it in its place.
    pub fn finish(self) -> Result<(), WriteError> {
        match self.sink {
            Sink::Archive(mut writer) => writer.commit()?,
            Sink::Text { mut output, .. } => output.flush()?,
            Sink::Wthor(writer) => {
                let place = self.place.expect("WTHOR is never streamed");
                return finish_wthor(writer.finish(), place);
            }
        }
        self.place.map_or(Ok(()), NewFile::finish)
    }
}

fn write_text(
    output: &mut impl Write,
    format: Format,
    record: &GameRecord,
) -> Result<(), WriteError> {
    match format {
        Format::Ggf => write_line(output, &ggf::game(record))?,
        Format::Sgf => write_line(output, &sgf::game(record))?,
        Format::Obf => {
            for position in obf::positions_of(record) {
                write_line(output, &position.to_string())?;
            }
        }
        _ => {
            if record.game.plies().is_empty() {
                return Err(WriteError::Unwritable("a transcript needs at least one move"));
            }
            write_line(output, &transcript::line(record))?;
        }
    }
    Ok(())
}

/// The names go first: games without names would read, but wrongly.
fn finish_wthor(files: WthorFiles, place: NewFile) -> Result<(), WriteError> {
    for (kind, bytes) in [("jou", &files.players), ("trn", &files.tournaments)] {
        let names = NewFile::create(&place.path.with_extension(kind), place.force)?;
        names.file()?.write_all(bytes)?;
        names.finish()?;
    }
    place.file()?.write_all(&files.games)?;
    place.finish()
}

/// A file that appears whole or not at all.
pub struct NewFile {
    path: PathBuf,
    force: bool,
    target: Target,
}

enum Target {
    /// Written aside, renamed at the end.
    Aside(NamedTempFile),
    /// A pipe or device is written as it is: renaming would replace it.
    Direct(File),
}

impl NewFile {
    /// Begins a file beside its place.
    pub fn create(path: &Path, force: bool) -> Result<NewFile, WriteError> {
        let special = fs::metadata(path).is_ok_and(|data| !data.is_file() && !data.is_dir());
        let target = if special {
            Target::Direct(File::options().write(true).open(path)?)
        } else {
            check_free(path, force)?;
            Target::Aside(aside(path)?)
        };
        Ok(NewFile { path: path.to_owned(), force, target })
    }

    /// Another handle on the file.
    pub fn file(&self) -> io::Result<File> {
        match &self.target {
            Target::Aside(file) => file.as_file().try_clone(),
            Target::Direct(file) => file.try_clone(),
        }
    }

    /// Waits for the disk and gives the file its name.
    pub fn finish(self) -> Result<(), WriteError> {
        let Target::Aside(file) = self.target else { return Ok(()) };
        file.as_file().sync_all()?;
        let renamed = match self.force {
            true => file.persist(&self.path),
            false => file.persist_noclobber(&self.path),
        };
        renamed.map(drop).map_err(|error| match error.error.kind() {
            io::ErrorKind::AlreadyExists => WriteError::Exists,
            _ => error.error.into(),
        })
    }
}

fn check_free(path: &Path, force: bool) -> Result<(), WriteError> {
    match fs::metadata(path) {
        Ok(data) if data.is_dir() => Err(io::Error::from(io::ErrorKind::IsADirectory).into()),
        Ok(_) if !force => Err(WriteError::Exists),
        _ => Ok(()),
    }
}

/// A file in the same folder with a name that says what it will be.
fn aside(path: &Path) -> io::Result<NamedTempFile> {
    let folder = match path.parent() {
        Some(folder) if folder != Path::new("") => folder,
        _ => Path::new("."),
    };
    let mut prefix = OsString::from(".");
    prefix.push(path.file_name().unwrap_or_default());
    prefix.push(".");
    let mut builder = tempfile::Builder::new();
    builder.prefix(&prefix).suffix(".part");
    // Temporary files are private; ours becomes an ordinary one.
    #[cfg(unix)]
    builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o666));
    // The folder's own error is clearer than one about a name nobody gave.
    fs::metadata(folder)?;
    builder.tempfile_in(folder).map_err(|error| error.kind().into())
}
