//! A library of games in memory.
//!
//! [`Library::open`] reads files of any format once; afterwards games are
//! found by player, opponent, year, event, opening and position
//! ([`Query`]), and a player's results are summed up ([`PlayerReport`]).
//!
//! A game takes about a hundred bytes: its moves, and numbers in the place of
//! names. Positions are not indexed. A game holds a position at one place
//! only, given by the number of discs, so that a search replays each game up
//! to there and compares it with the eight images of the position. That costs
//! a tenth of a microsecond a game and ply; an index would take ten times the
//! memory of the games.
//!
//! This crate refuses to know what a move is worth and how anything is shown.
//!
//! ```
//! use discern_library::{Library, Query};
//! use discern_records::{GameRecord, Player};
//!
//! let mut record = GameRecord::new("f5d6c3d3c4".parse()?);
//! record.players.black = Player::named("Anna");
//! let mut library = Library::default();
//! library.add(&record)?;
//!
//! // The same opening, mirrored.
//! let game: discern_board::Game = "d3c5".parse()?;
//! let query = Query { player: "ann".into(), ..Query::default() }.at(game.position().board);
//! let found = library.find(&query, &mut || true);
//! assert_eq!((found.games, library.game(found.page[0]).unwrap().opening), (1, Some("Tiger")));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod find;
mod library;
mod names;
mod place;
mod query;
mod read;
mod report;
mod tally;

pub use find::{Continuation, Found};
pub use library::{Full, Library, StoredGame};
pub use names::NamedCount;
pub use place::Place;
pub use query::Query;
pub use read::Bound;
pub use report::{Line, PlayerReport, Theory, Year};
pub use tally::Tally;
