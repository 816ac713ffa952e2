use discern_board::Board;

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

/// Bounds of a score.
#[derive(Debug, Clone, Copy)]
pub struct Known {
    /// The score is at least this.
    pub lower: i8,
    /// The score is at most this.
    pub upper: i8,
}

impl Known {
    const NOTHING: Known = Known { lower: -64, upper: 64 };
}

/// A place in the memo.
#[derive(Debug, Clone, Copy)]
pub struct Slot(u32);

/// The part of the memo for one number of empty squares.
#[derive(Debug, Clone, Copy)]
struct Part {
    start: u32,
    shift: u32,
}

impl Slot {
    /// Somewhere.
    pub const ANY: Slot = Slot(0);
}

impl Memo {
    /// The fewest empty squares of a board worth remembering.
    const FEWEST: usize = 6;

    /// How many boards with six, seven … twelve empty squares are remembered,
    /// as powers of two. Each number of empty squares has a part of its own,
    /// so that the many small boards never drive out a dear one; and the parts
    /// in constant use fit into the nearest caches.
    const BITS: [u32; 7] = [12, 12, 12, 13, 13, 14, 15];

    /// The parts by empty squares: where each begins, and by how much a hash
    /// is shifted to fall into it.
    const PARTS: [Part; 16] = {
        let mut parts = [Part { start: 0, shift: 63 }; 16];
        let (mut at, mut start) = (0, 0);
        while at < Memo::BITS.len() {
            parts[Memo::FEWEST + at] = Part { start, shift: 64 - Memo::BITS[at] };
            start += 1 << Memo::BITS[at];
            at += 1;
        }
        parts
    };

    /// Boards remembered at a time.
    const LEN: usize = {
        let (mut len, mut at) = (0, 0);
        while at < Memo::BITS.len() {
            len += 1 << Memo::BITS[at];
            at += 1;
        }
        len
    };

    /// No legal position is without discs, so this board marks absence.
    const NOBODY: Board = Board::EMPTY;

    /// An empty table.
    pub fn new() -> Memo {
        Memo { boards: filled(Memo::NOBODY), known: filled(Known::NOTHING) }
    }

    /// Forgets everything.
    pub fn clear(&mut self) {
        self.boards.fill(Memo::NOBODY);
    }

    /// Where a board with so many empty squares is kept, from six to twelve.
    #[inline(always)]
    pub fn slot(board: &Board, empties: u32) -> Slot {
        let mixed = board.mover().0.wrapping_mul(0x9e37_79b9_7f4a_7c15)
            ^ board.opponent().0.wrapping_mul(0xc2b2_ae3d_27d4_eb4f).rotate_left(32);
        let Part { start, shift } = Memo::PARTS[empties as usize % 16];
        Slot((mixed >> shift) as u32 + start)
    }

    /// Brings what may be known of a board near.
    #[inline(always)]
    pub fn prefetch(&self, slot: Slot) {
        prefetch(&self.boards[slot.0 as usize]);
    }

    /// What is known of this board, whose slot this is.
    #[inline(always)]
    pub fn probe(&self, slot: Slot, board: &Board) -> Option<Known> {
        let at = slot.0 as usize;
        (self.boards[at] == *board).then(|| self.known[at])
    }

    /// Remembers what a null-window search with `alpha` found.
    #[inline(always)]
    pub fn store(&mut self, slot: Slot, board: &Board, alpha: i32, score: i32) {
        let at = slot.0 as usize;
        let known = &mut self.known[at];
        if self.boards[at] != *board {
            self.boards[at] = *board;
            *known = Known::NOTHING;
        }
        if score > alpha {
            known.lower = known.lower.max(score as i8);
        } else {
            known.upper = known.upper.min(score as i8);
        }
    }
}

/// A boxed array full of one value, made without a copy on the stack.
fn filled<T: Clone + std::fmt::Debug>(value: T) -> Box<[T; Memo::LEN]> {
    vec![value; Memo::LEN].into_boxed_slice().try_into().expect("as long as the array")
}
