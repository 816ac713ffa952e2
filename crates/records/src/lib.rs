//! Records of games: reading, writing, keeping.
//!
//! One type, [`GameRecord`], holds a game and all we know about it; six
//! formats are read into it and written from it; our own [`archive`] keeps all
//! of it in about 20 bytes per game. This crate refuses to know what a game is
//! good for: it counts games ([`GameCounts`]); labels, features and estimates are
//! made elsewhere.
//!
//! * [`GameFile`] reads a file of any format, [`NewGameFile`] writes one.
//! * [`archive::ArchiveWriter`] and [`archive::ArchiveReader`] serve long jobs.
//! * [`pasted`] reads what people paste, which follows no format.
//! * [`Fault`] says what is wrong in a file and where. Readers hand faults out
//!   between the games: whatever the bytes, they neither panic nor drop a game
//!   silently.
//! * [`GameId`] names a game by its moves, [`CanonicalGame`] up to symmetry.
//!
//! A format is a module with a description of itself (name, how a file of it
//! begins, reader, writer) and an entry in the list of [`Format`]. The formats
//! are described byte by byte in `docs/formats.md`.
//!
//! ```
//! use discern_records::{Ending, GameRecord, ggf};
//!
//! let text = "(;GM[Othello]PB[Ada]PW[Bo]RE[?]BO[8 ---------------------------O*------*O--------------------------- *]B[f5/0.5/1.2]W[d6];)";
//! let games: Vec<GameRecord> = ggf::GgfReader::new(text.as_bytes()).collect::<Result<_, _>>()?;
//! assert_eq!(games[0].game.transcript(), "f5d6");
//! assert_eq!(games[0].ending, Ending::Unfinished);
//! assert_eq!(games[0].notes[0].time_ms, Some(1200));
//! # Ok::<(), discern_records::Fault>(())
//! ```

pub mod archive;
mod ending;
mod evaluation;
mod fault;
mod format;
mod game_output;
pub mod ggf;
mod given;
mod identity;
mod limits;
mod lines;
pub mod obf;
mod output;
mod pasted;
mod provenance;
mod read;
mod reading;
mod record;
pub mod sgf;
mod summary;
mod tags;
pub mod transcript;
pub mod wthor;

pub use ending::{Ending, ParseEndingError};
pub use evaluation::{Evaluation, MoveNote, Verdict};
pub use fault::{Fault, FileFault, Place, Reason};
pub use format::{Format, ParseFormatError};
pub use game_output::{GameOutput, GameTarget, TargetError};
pub use given::{GivenError, parse_game, read_problems};
pub use identity::CanonicalGame;
pub use limits::{Clock, Limits};
pub use output::{NewGameFile, WriteError};
pub use pasted::pasted;
pub use provenance::{Correction, GameId, Solved, Source};
pub use read::{GameFile, files_of, files_of_all};
pub use reading::{Copied, Findings, Reading};
pub use record::{GameRecord, Name, Player, Players, RecordError};
pub use summary::{GameCounts, GamesSummary, OpeningLine, PlayerLine, SideResults};
pub use tags::TagError;
