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
    const LEN: usize = 1 << 15;

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

    #[inline(always)]
    fn index(board: &Board) -> usize {
        let mixed = board.mover.0.wrapping_mul(0x9e37_79b9_7f4a_7c15)
            ^ board.opponent.0.wrapping_mul(0xc2b2_ae3d_27d4_eb4f).rotate_left(32);
        (mixed >> (64 - Memo::LEN.ilog2())) as usize
    }

    /// Brings what may be known of this board near.
    #[inline(always)]
    pub fn prefetch(&self, board: &Board) {
        prefetch(&self.boards[Memo::index(board)]);
    }

    /// What is known of this board.
    #[inline(always)]
    pub fn probe(&self, board: &Board) -> Option<Known> {
        let index = Memo::index(board);
        (self.boards[index] == *board).then(|| self.known[index])
    }

    /// Remembers what a null-window search with `alpha` found.
    #[inline(always)]
    pub fn store(&mut self, board: &Board, alpha: i32, score: i32, best: Square) {
        let index = Memo::index(board);
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
