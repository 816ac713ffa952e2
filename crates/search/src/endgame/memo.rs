use discern_board::{Bitboard, Board, Square};

use crate::prefetch::prefetch;

/// A small table of one thread's solved positions, near the leaves: it stays
/// in the processor's cache, needs no atomics and keeps the big table for the
/// costly positions.
///
/// Boards and what is known of them lie apart: most questions end at a board
/// that differs, and sixteen bytes never lie across two cache lines.
#[derive(Debug)]
pub struct Memo {
    boards: Box<[Board; Memo::LEN]>,
    known: Box<[Known; Memo::LEN]>,
}

/// Bounds of a score and the move that gave them.
#[derive(Debug, Clone, Copy)]
pub struct Known {
    /// The score is at least this.
    pub lower: i8,
    /// The score is at most this.
    pub upper: i8,
    /// The best move found.
    pub best: Square,
}

impl Memo {
    /// Boards remembered at a time.
    const LEN: usize = 1 << 15;
    /// How many of them are for boards with few empty squares, too.
    const SMALL_LEN: usize = 1 << 13;
    /// What counts as few.
    const FEW: u32 = 7;

    /// An empty table.
    pub fn new() -> Memo {
        // No legal position is without discs, so this board marks absence.
        let nobody = Board { mover: Bitboard::EMPTY, opponent: Bitboard::EMPTY };
        let nothing = Known { lower: -64, upper: 64, best: Square::A1 };
        Memo { boards: filled(nobody), known: filled(nothing) }
    }

    /// Forgets everything.
    pub fn clear(&mut self) {
        *self = Memo::new();
    }

    /// Where the board is kept: the many with few empty squares in a part so
    /// small that it stays in the nearest caches, the others anywhere.
    #[inline(always)]
    fn index(board: &Board, empties: u32) -> usize {
        let mixed = board.mover.0.wrapping_mul(0x9e37_79b9_7f4a_7c15)
            ^ board.opponent.0.wrapping_mul(0xc2b2_ae3d_27d4_eb4f).rotate_left(32);
        let range = if empties <= Memo::FEW { Memo::SMALL_LEN } else { Memo::LEN };
        (mixed >> (64 - Memo::LEN.ilog2())) as usize % range
    }

    /// Brings what may be known of this board near.
    #[inline(always)]
    pub fn prefetch(&self, board: &Board, empties: u32) {
        prefetch(&self.boards[Memo::index(board, empties)]);
    }

    /// What is known of this board.
    #[inline(always)]
    pub fn probe(&self, board: &Board, empties: u32) -> Option<Known> {
        let index = Memo::index(board, empties);
        (self.boards[index] == *board).then(|| self.known[index])
    }

    /// Remembers what a null-window search with `alpha` found.
    #[inline(always)]
    pub fn store(&mut self, board: &Board, empties: u32, alpha: i32, score: i32, best: Square) {
        let index = Memo::index(board, empties);
        let known = &mut self.known[index];
        if self.boards[index] != *board {
            self.boards[index] = *board;
            *known = Known { lower: -64, upper: 64, best };
        }
        if score > alpha {
            known.lower = known.lower.max(score as i8);
            known.best = best;
        } else {
            known.upper = known.upper.min(score as i8);
        }
    }
}

/// A boxed array full of one value, made without a copy on the stack.
fn filled<T: Clone + std::fmt::Debug>(value: T) -> Box<[T; Memo::LEN]> {
    vec![value; Memo::LEN].into_boxed_slice().try_into().expect("as long as the array")
}
