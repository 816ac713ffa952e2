use discern_board::{Bitboard, Board, Square};

use crate::worth::{Grade, Worth};

/// The best unexamined move of a position, as a search saw it: where the book
/// ends, and where it may be continued.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Deviation {
    /// The move; one of those that are the same up to symmetry.
    pub square: Square,
    /// What it is worth to the mover.
    pub worth: Worth,
    /// How it was found.
    pub grade: Grade,
}

/// Whoever searches for the book. This crate refuses to know how.
pub trait Judge: Send {
    /// The best move outside of `except`; `None` if there is none.
    ///
    /// For books that grow alike every time, the answer may depend on nothing
    /// but the arguments.
    fn judge(&mut self, board: &Board, except: Bitboard) -> Option<Deviation>;
}

impl<F: FnMut(&Board, Bitboard) -> Option<Deviation> + Send> Judge for F {
    fn judge(&mut self, board: &Board, except: Bitboard) -> Option<Deviation> {
        self(board, except)
    }
}
