use discern_board::{Board, Square};

/// A small table of one thread's solved positions, near the leaves: it stays
/// in the processor's cache, needs no atomics and keeps the big table for the
/// costly positions.
#[derive(Debug)]
pub struct Memo(Box<[Known; Memo::LEN]>);

/// Bounds of a score and the move that gave them.
#[derive(Debug, Clone, Copy)]
pub struct Known {
    board: Board,
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
        let nobody = Board { mover: Default::default(), opponent: Default::default() };
        let absent = Known { board: nobody, lower: -64, upper: 64, best: Square::A1 };
        let all = vec![absent; Memo::LEN].into_boxed_slice();
        Memo(all.try_into().expect("as long as the array"))
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

    /// What is known of this board.
    #[inline(always)]
    pub fn probe(&self, board: &Board) -> Option<Known> {
        let known = &self.0[Memo::index(board)];
        (known.board == *board).then_some(*known)
    }

    /// Remembers what a null-window search with `alpha` found.
    #[inline(always)]
    pub fn store(&mut self, board: &Board, alpha: i32, score: i32, best: Square) {
        let slot = &mut self.0[Memo::index(board)];
        if slot.board != *board {
            *slot = Known { board: *board, lower: -64, upper: 64, best };
        }
        if score > alpha {
            slot.lower = slot.lower.max(score as i8);
            slot.best = best;
        } else {
            slot.upper = slot.upper.min(score as i8);
        }
    }
}
