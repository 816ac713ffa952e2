//! GGF, the format of the Generic Game Server: `(;GM[Othello]…;)`.
//!
//! Understood: players, ratings, clocks, type, result, board, moves with
//! evaluation and time, date, place, comment, and the count in front of the
//! two games of a synchro match. Unknown tags are skipped.
//!
//! GGF has no room for some of what we know. The writer puts that into a
//! comment of its own that the reader understands:
//! `CO[discern: evals=log-odds ended=crash opening=7]`. With `evals=log-odds`
//! the evaluations are log-odds instead of discs, and a proven score *s* is
//! written as ±(20 + |s|/1000).

mod clock;
mod moves;
mod reader;
mod writer;

pub use reader::GgfReader;
pub use writer::game;

use discern_board::Color;

use crate::format::{Description, Writing};
use crate::read::Games;
use crate::sgf;

pub(crate) const FORMAT: Description = Description {
    name: "ggf",
    extension: "ggf",
    fits: |start| start.behind_bracket().is_some() && !(sgf::FORMAT.fits)(start),
    read: |input, _| Ok(Games::other(GgfReader::new(input))),
    write: Writing::Lines(|record| Ok(game(record))),
};

/// Begins a comment with what GGF itself has no room for.
const OUR_COMMENT: &str = "discern:";

/// Why a game is not GGF that we understand.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum GgfError {
    /// Another game.
    #[error("a game of '{0}', not of Othello")]
    Game(String),
    /// Another kind of Othello.
    #[error("type '{0}': only the usual game on 8x8 squares is supported")]
    Type(String),
    /// No board.
    #[error("the start position (tag BO) is missing")]
    NoBoard,
    /// Not 8×8 squares and a mover.
    #[error("'{0}' is not a board of 8x8 squares with the side to move")]
    Board(String),
    /// Not a move.
    #[error("line {line}: '{found}' is not a move with evaluation and time")]
    Move {
        /// Where it stands.
        line: u64,
        /// What stands there.
        found: String,
    },
    /// The wrong side moves.
    #[error("line {line}: {color} moves out of turn")]
    Turn {
        /// Where it stands.
        line: u64,
        /// Who moves.
        color: Color,
    },
    /// Not a result.
    #[error("'{0}' is not a result")]
    Result(String),
    /// Not a time control.
    #[error("'{0}' is not a clock (main time/increment/grace)")]
    Clock(String),
}
