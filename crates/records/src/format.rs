use std::fmt;
use std::path::Path;
use std::str::FromStr;

use discern_board::{Move, Position};

use crate::archive::HEADER;
use crate::lines::text;
use crate::transcript::without_comment;
use crate::wthor;

/// The formats of games we read and write.
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

impl Format {
    /// All formats.
    pub const ALL: [Format; 6] =
        [Format::Archive, Format::Transcript, Format::Ggf, Format::Sgf, Format::Wthor, Format::Obf];

    /// The usual end of file names.
    pub const fn extension(self) -> &'static str {
        match self {
            Format::Archive => "games",
            Format::Transcript => "txt",
            Format::Ggf => "ggf",
            Format::Sgf => "sgf",
            Format::Wthor => "wtb",
            Format::Obf => "obf",
        }
    }

    /// Lines of text that a pipe can carry?
    pub const fn is_text(self) -> bool {
        !matches!(self, Format::Archive | Format::Wthor)
    }

    /// The format that the end of a file name stands for.
    pub fn from_path(path: &Path) -> Option<Format> {
        let extension = path.extension()?.to_str()?;
        Format::ALL.into_iter().find(|format| extension.eq_ignore_ascii_case(format.extension()))
    }

    /// Tells the format from the beginning of a file (a few kilobytes), and
    /// from its name where the content leaves it open.
    pub fn detect(path: &Path, start: &[u8]) -> Option<Format> {
        let named = Format::from_path(path);
        // Any version: the reader says what is wrong with other ones.
        if start.starts_with(&HEADER[..14]) {
            return Some(Format::Archive);
        }
        if start.is_empty() || matches!(named, Some(Format::Wthor)) {
            return named;
        }
        if wthor::is_plausible(start) {
            return Some(Format::Wthor);
        }
        let start = text(start);
        detect_text(start.trim_start_matches('\u{feff}'), named).or(named)
    }
}

fn detect_text(start: &str, named: Option<Format>) -> Option<Format> {
    let bare = start.trim_start_matches(|c: char| c.is_whitespace() || c.is_ascii_digit());
    if bare.starts_with('(') {
        let kind = bare.split_once("GM[").map(|(_, rest)| rest.trim_start());
        let sgf = match kind {
            Some(kind) => kind.starts_with(|c: char| c.is_ascii_digit()),
            None => named == Some(Format::Sgf),
        };
        return Some(if sgf { Format::Sgf } else { Format::Ggf });
    }
    let line = start.lines().map(without_comment).find(|line| !line.trim().is_empty())?;
    match line.split_once(';') {
        None => {
            let word: String = line.chars().filter(|c| !c.is_whitespace()).take(2).collect();
            word.parse::<Move>().is_ok().then_some(Format::Transcript)
        }
        Some((position, rest)) => {
            position.parse::<Position>().ok()?;
            let rest = rest.trim_start();
            let scored =
                rest.contains(':') || rest.starts_with(['+', '-']) && !rest.starts_with("--");
            let obf = scored || rest.is_empty() && named != Some(Format::Transcript);
            Some(if obf { Format::Obf } else { Format::Transcript })
        }
    }
}

impl fmt::Display for Format {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Format::Archive => "archive",
            Format::Transcript => "transcript",
            Format::Ggf => "ggf",
            Format::Sgf => "sgf",
            Format::Wthor => "wthor",
            Format::Obf => "obf",
        })
    }
}

/// The word names no format.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("'{0}' is not a format (archive, transcript, ggf, sgf, wthor, obf)")]
pub struct ParseFormatError(pub String);

impl FromStr for Format {
    type Err = ParseFormatError;

    fn from_str(text: &str) -> Result<Format, ParseFormatError> {
        let named = |format: &Format| text.eq_ignore_ascii_case(&format.to_string());
        Format::ALL.into_iter().find(named).ok_or_else(|| ParseFormatError(text.to_owned()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn detect(name: &str, start: &str) -> Option<Format> {
        Format::detect(Path::new(name), start.as_bytes())
    }

    #[test]
    fn content_tells_the_format_whatever_the_name() {
        let board = "---------------------------OX------XO--------------------------- X";
        assert_eq!(detect("x", "discern games 1\n"), Some(Format::Archive));
        assert_eq!(detect("x", "2 (;GM[Othello]PC[x]"), Some(Format::Ggf));
        assert_eq!(detect("x", "\n(;FF[4]GM[2]"), Some(Format::Sgf));
        assert_eq!(detect("x", "% games\nF5 d6c3"), Some(Format::Transcript));
        assert_eq!(detect("x", &format!("{board}; f5d6")), Some(Format::Transcript));
        assert_eq!(detect("x", &format!("{board}; F5:+2;")), Some(Format::Obf));
        assert_eq!(detect("x", &format!("{board}; +12;")), Some(Format::Obf));
        assert_eq!(detect("x", &format!("{board};")), Some(Format::Obf));
        assert_eq!(detect("x", "what is this?"), None);
        assert_eq!(detect("x", ""), None);
    }

    #[test]
    fn the_name_decides_where_the_content_does_not() {
        assert_eq!(detect("a.txt", "what is this?"), Some(Format::Transcript));
        assert_eq!(detect("A.GGF", ""), Some(Format::Ggf));
        assert_eq!(detect("a.wtb", "rubbish"), Some(Format::Wthor));
    }

    #[test]
    fn names_survive_printing_and_parsing() {
        for format in Format::ALL {
            assert_eq!(format.to_string().parse(), Ok(format));
        }
        assert!("pgn".parse::<Format>().is_err());
    }
}
