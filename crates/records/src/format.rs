use std::fmt;
use std::path::Path;
use std::str::FromStr;

use discern_files::NewFile;

use crate::lines::text;
use crate::output::GameSink;
use crate::read::{Games, Input};
use crate::{Fault, GameRecord, WriteError, archive, ggf, lines, obf, sgf, transcript, wthor};

/// The formats of games we read and write.
///
/// Each is described by the module that reads and writes it; here is the list.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Format {
    /// Our own archive.
    Archive,
    /// One game per line.
    Transcript,
    /// The format of the game server.
    Ggf,
    /// The smart game format as Edax writes it.
    Sgf,
    /// The database of the French federation.
    Wthor,
    /// Positions with scores.
    Obf,
}

/// All that a format is to the rest of the program.
pub(crate) struct Description {
    /// What users call it.
    pub name: &'static str,
    /// The usual end of file names.
    pub extension: &'static str,
    /// Does a file begin like this?
    pub fits: fn(&Start) -> bool,
    /// Reads a file; the path is where more may lie beside it.
    pub read: fn(Input, &Path) -> Result<Games, Fault>,
    /// Writes a file.
    pub write: Writing,
}

/// How games are written.
pub(crate) enum Writing {
    /// As lines of text, which a pipe can carry; without the last line end.
    Lines(fn(&GameRecord) -> Result<String, WriteError>),
    /// Into a file; further ones may stand beside this path, and the last
    /// argument says whether they may be replaced.
    File(fn(NewFile, &Path, bool) -> NewSink),
}

type NewSink = Result<Box<dyn GameSink>, WriteError>;

impl Format {
    /// All formats.
    pub const ALL: [Format; 6] =
        [Format::Archive, Format::Transcript, Format::Ggf, Format::Sgf, Format::Wthor, Format::Obf];

    pub(crate) const fn description(self) -> &'static Description {
        match self {
            Format::Archive => &archive::FORMAT,
            Format::Transcript => &transcript::FORMAT,
            Format::Ggf => &ggf::FORMAT,
            Format::Sgf => &sgf::FORMAT,
            Format::Wthor => &wthor::FORMAT,
            Format::Obf => &obf::FORMAT,
        }
    }

    /// The usual end of file names.
    pub const fn extension(self) -> &'static str {
        self.description().extension
    }

    /// Lines of text that a pipe can carry?
    pub const fn is_text(self) -> bool {
        matches!(self.description().write, Writing::Lines(_))
    }

    /// The format that the end of a file name stands for.
    pub fn from_path(path: &Path) -> Option<Format> {
        let extension = path.extension()?.to_str()?;
        Format::ALL.into_iter().find(|format| extension.eq_ignore_ascii_case(format.extension()))
    }

    /// Tells the format from the beginning of a file (a few kilobytes), and
    /// from its name where the content leaves it open.
    pub fn detect(path: &Path, start: &[u8]) -> Option<Format> {
        let start = Start::new(start, Format::from_path(path));
        Format::ALL.into_iter().find(|f| (f.description().fits)(&start)).or(start.named)
    }

    /// The names of all formats, for sentences.
    pub(crate) fn names() -> String {
        Format::ALL.map(|format| format.description().name).join(", ")
    }
}

/// The beginning of a file.
pub(crate) struct Start<'a> {
    pub bytes: &'a [u8],
    text: String,
    /// What the file's name promises.
    pub named: Option<Format>,
}

impl<'a> Start<'a> {
    fn new(bytes: &'a [u8], named: Option<Format>) -> Start<'a> {
        Start { bytes, text: text(bytes), named }
    }

    /// The text behind a `(` that begins the file; blanks, and the number of
    /// games in GGF, may stand before.
    pub fn behind_bracket(&self) -> Option<&str> {
        let before = |c: char| c.is_whitespace() || c.is_ascii_digit() || c == '\u{feff}';
        self.text.trim_start_matches(before).strip_prefix('(')
    }

    /// The first line that is not empty, without its comment.
    pub fn line(&self) -> Option<&str> {
        let text = self.text.trim_start_matches('\u{feff}');
        text.lines().map(lines::without_comment).find(|line| !line.trim().is_empty())
    }
}

impl fmt::Display for Format {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.description().name)
    }
}

/// The word names no format.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("'{0}' is not a format ({known})", known = Format::names())]
pub struct ParseFormatError(pub String);

impl FromStr for Format {
    type Err = ParseFormatError;

    fn from_str(text: &str) -> Result<Format, ParseFormatError> {
        let named = |format: &Format| text.eq_ignore_ascii_case(format.description().name);
        Format::ALL.into_iter().find(named).ok_or_else(|| ParseFormatError(text.to_owned()))
    }
}
