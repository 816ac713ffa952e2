use std::fmt;
use std::io;
use std::path::PathBuf;

use discern_board::{IllegalMove, ParsePositionError, ParseTranscriptError};

use crate::archive::ArchiveError;
use crate::format::Format;
use crate::ggf::GgfError;
use crate::obf::ObfError;
use crate::record::RecordError;
use crate::sgf::SgfError;
use crate::tags::TagError;
use crate::wthor::WthorError;

/// Where in a file something stands. Everything counts from 1 except the byte
/// offset; what is not known is left out of the text.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Place {
    /// The number of the game in the file.
    pub game: Option<u64>,
    /// The line, in text formats.
    pub line: Option<u64>,
    /// The byte, in binary formats.
    pub offset: Option<u64>,
}

impl Place {
    /// This game, on this line.
    pub const fn line(game: u64, line: u64) -> Place {
        Place { game: Some(game), line: Some(line), offset: None }
    }

    /// This game, at this byte.
    pub const fn offset(game: u64, offset: u64) -> Place {
        Place { game: Some(game), line: None, offset: Some(offset) }
    }

    /// Somewhere in this game.
    pub const fn game(game: u64) -> Place {
        Place { game: Some(game), line: None, offset: None }
    }
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let parts = [("game", self.game), ("line", self.line), ("byte", self.offset)];
        let mut separator = "";
        for (word, number) in parts {
            if let Some(number) = number {
                write!(f, "{separator}{word} {number}")?;
                separator = ", ";
            }
        }
        Ok(())
    }
}

/// Something in a file that cannot be read as a game: where, and why.
///
/// Readers hand faults out between the games and go on behind them where the
/// format allows it, so that one bad game never hides the others.
#[derive(Debug, thiserror::Error)]
pub struct Fault {
    /// Where it stands.
    pub place: Place,
    /// What is wrong.
    pub reason: Reason,
}

impl Fault {
    /// Reading failed, so nobody knows what the file holds: leaving the fault
    /// out would leave games out unseen.
    pub fn is_io(&self) -> bool {
        matches!(self.reason, Reason::Io(_))
    }

    /// A fault at this place.
    pub fn new(place: Place, reason: impl Into<Reason>) -> Fault {
        Fault { place, reason: reason.into() }
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.place != Place::default() {
            write!(f, "{}: ", self.place)?;
        }
        write!(f, "{}", self.reason)
    }
}

/// Why something cannot be read as a game.
#[derive(Debug, thiserror::Error)]
pub enum Reason {
    /// The operating system refused.
    #[error(transparent)]
    Io(#[from] io::Error),
    /// A line or game so long that it cannot be one.
    #[error("longer than {limit} bytes: this is not a {what}")]
    TooLong {
        /// The most we accept.
        limit: usize,
        /// What was expected.
        what: &'static str,
    },
    /// A number that no game has.
    #[error("there is no game {number}, the last one is {last}")]
    NoGame {
        /// The game asked for.
        number: u64,
        /// The last one.
        last: u64,
    },
    /// An opening from which nobody can play on.
    #[error("a finished game is no opening")]
    FinishedOpening,
    /// A file without openings.
    #[error("there is no opening in it")]
    NoOpening,
    /// A folder without games.
    #[error("no files of games in this folder")]
    NoFiles,
    /// No format fits the content.
    #[error("not a format of games we know ({})", Format::names())]
    UnknownFormat,
    /// Neither moves nor a position.
    #[error(transparent)]
    Transcript(#[from] ParseTranscriptError),
    /// Not a position.
    #[error(transparent)]
    Position(#[from] ParsePositionError),
    /// A move against the rules.
    #[error("move {number}: {source}")]
    Illegal {
        /// The number of the move in the game, passes counted where the
        /// format writes them.
        number: usize,
        /// The move and who tried it.
        source: IllegalMove,
    },
    /// A game that contradicts itself.
    #[error(transparent)]
    Record(#[from] RecordError),
    /// Brackets that do not match.
    #[error(transparent)]
    Tags(#[from] TagError),
    /// Bad GGF.
    #[error(transparent)]
    Ggf(#[from] GgfError),
    /// Bad SGF.
    #[error(transparent)]
    Sgf(#[from] SgfError),
    /// Bad WTHOR.
    #[error(transparent)]
    Wthor(#[from] WthorError),
    /// Bad OBF.
    #[error(transparent)]
    Obf(#[from] ObfError),
    /// A damaged archive.
    #[error(transparent)]
    Archive(#[from] ArchiveError),
}

/// A [`Fault`] with the file it was found in.
#[derive(Debug, thiserror::Error)]
#[error("{}: {fault}", path.display())]
pub struct FileFault {
    /// The file.
    pub path: PathBuf,
    /// Where in it, and why.
    pub fault: Fault,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn faults_say_where_and_why() {
        let error = "f5f5".parse::<discern_board::Game>().unwrap_err();
        let fault = Fault::new(Place::line(3, 17), error);
        let file = FileFault { path: "a.txt".into(), fault };
        assert_eq!(
            file.to_string(),
            "a.txt: game 3, line 17: move 2, column 3: f5 is not a legal move for white"
        );
        let nowhere = Fault::new(Place::default(), Reason::UnknownFormat);
        assert!(nowhere.to_string().starts_with("not a format"));
    }
}
