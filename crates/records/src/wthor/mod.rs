//! WTHOR, the database of the French Othello federation: fixed records of 68
//! bytes, with players' and tournaments' names in two files beside.

mod header;
mod names;
mod reader;
mod writer;

pub use names::WthorNames;
pub use reader::WthorReader;
pub use writer::{WthorFiles, WthorWriter};

use std::io::Write;
use std::path::Path;

use discern_files::{NewFile, finish_together};

use crate::fault::{Fault, Place};
use crate::format::{Description, Writing};
use crate::output::{GameSink, WriteError};
use crate::read::Games;
use crate::record::GameRecord;

pub(crate) const FORMAT: Description = Description {
    name: "wthor",
    extension: "wtb",
    fits: |start| header::Header::is_plausible(start.bytes),
    read: |input, path| {
        let names = WthorNames::beside(path);
        let names = names.map_err(|error| Fault::new(Place::default(), error))?;
        Ok(Games::other(WthorReader::new(input, names)?))
    },
    write: Writing::File(|file, path, replace| {
        Ok(Box::new(NewFiles::create(file, path, replace)?))
    }),
};

/// The three files in the making.
struct NewFiles {
    writer: WthorWriter,
    games: NewFile,
    players: NewFile,
    tournaments: NewFile,
}

impl NewFiles {
    fn create(games: NewFile, path: &Path, replace: bool) -> Result<NewFiles, WriteError> {
        let beside = |kind: &str| NewFile::create(path.with_extension(kind), replace);
        let (players, tournaments) = (beside("jou")?, beside("trn")?);
        Ok(NewFiles { writer: WthorWriter::default(), games, players, tournaments })
    }
}

impl GameSink for NewFiles {
    fn append(&mut self, record: &GameRecord) -> Result<(), WriteError> {
        self.writer.append(record)
    }

    fn finish(self: Box<Self>) -> Result<(), WriteError> {
        let NewFiles { writer, mut games, mut players, mut tournaments } = *self;
        let files = writer.finish();
        players.write_all(&files.players)?;
        tournaments.write_all(&files.tournaments)?;
        games.write_all(&files.games)?;
        // The names go first: games without names would read, but wrongly.
        Ok(finish_together([players, tournaments, games])?)
    }
}

/// Bytes of a game.
const RECORD_SIZE: usize = 68;
/// Bytes of a player's name.
const PLAYER_SIZE: usize = 20;
/// Bytes of a tournament's name.
const TOURNAMENT_SIZE: usize = 26;
/// Empty squares at which today's files give the theoretical score.
const USUAL_DEPTH: u8 = 24;

/// Why a file is not WTHOR that we understand.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum WthorError {
    /// Not even a header.
    #[error("{found} bytes are too few for the header of 16 bytes")]
    NoHeader {
        /// Bytes in the file.
        found: usize,
    },
    /// Another board.
    #[error("games on a board of {0}x{0} squares, only 8x8 is supported")]
    Size(u8),
    /// Puzzles, not games.
    #[error("a file of solitaire problems, not of games")]
    Solitaire,
    /// Fewer records than the header says.
    #[error("the file ends within record {number} of {announced}")]
    Short {
        /// The broken record.
        number: u64,
        /// Records announced by the header.
        announced: u32,
    },
    /// More bytes than the header says.
    #[error("there is more in the file after its {announced} records")]
    Long {
        /// Records announced by the header.
        announced: u32,
    },
    /// Not a move.
    #[error("move {number}: {code} is not the number of a square")]
    Square {
        /// The number of the move in the record, from 1.
        number: usize,
        /// The byte.
        code: u8,
    },
    /// Not a number of discs.
    #[error("{0} discs for black are more than the board has squares")]
    Score(u8),
}
