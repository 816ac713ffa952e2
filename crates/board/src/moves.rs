use std::fmt;
use std::str::FromStr;

use crate::Square;

/// What a player does with a turn.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Move {
    /// Puts a disc on this square.
    Place(Square),
    /// Gives the turn over, legal only without a placing move.
    Pass,
}

impl Move {
    /// The square a disc is put on, if any.
    pub const fn square(self) -> Option<Square> {
        match self {
            Move::Place(square) => Some(square),
            Move::Pass => None,
        }
    }
}

impl From<Square> for Move {
    fn from(square: Square) -> Move {
        Move::Place(square)
    }
}

impl fmt::Display for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Move::Place(square) => square.fmt(f),
            Move::Pass => f.pad("pass"),
        }
    }
}

/// The text is neither a square nor a pass.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("'{0}' is not a move (a square like f5, or pass)")]
pub struct ParseMoveError(pub String);

impl FromStr for Move {
    type Err = ParseMoveError;

    /// Reads a square or one of the words for a pass that programs use:
    /// `pass`, `pa`, `ps`, `--`, in any case.
    fn from_str(text: &str) -> Result<Move, ParseMoveError> {
        if ["pass", "pa", "ps", "--"].iter().any(|word| text.eq_ignore_ascii_case(word)) {
            return Ok(Move::Pass);
        }
        text.parse().map(Move::Place).map_err(|_| ParseMoveError(text.to_owned()))
    }
}
