//! Five to a dozen empty squares: null windows, no evaluator. From six on
//! moves are sorted: those that leave the opponent few replies come first
//! (fastest-first), then moves into odd quadrants.

use arrayvec::ArrayVec;
use discern_board::{Bitboard, Board, Square};

use super::last::{solve_4, solve_last};
use super::{Memo, Parity};
use crate::stability::stable_of_opponent;

/// One thread's endgame search without evaluator.
///
/// Aligned so that no two threads count their nodes in the same cache line (or
/// pair of lines, which processors fetch together).
#[derive(Debug)]
#[repr(align(128))]
pub struct Endgame {
    /// Positions visited so far.
    pub nodes: u64,
    memo: Memo,
}

/// With fewer empty squares, sorting moves and remembering positions would
/// cost more than they save.
const MIN_SORTED: u32 = 6;

/// How welcome a square is, other things equal.
static SQUARE_BONUS: [i32; 64] = {
    let corners = Bitboard::CORNERS.0;
    let dangerous = Bitboard::CORNERS.grown().0 & Bitboard::EDGES.0;
    let mut bonus = [0; 64];
    let mut square = 0;
    while square < 64 {
        let bit = 1 << square;
        if corners & bit != 0 {
            bonus[square] = 5;
        } else if Bitboard::X_SQUARES.0 & bit != 0 {
            bonus[square] = -5;
        } else if dangerous & bit != 0 {
            bonus[square] = -2;
        }
        square += 1;
    }
    bonus
};

impl Endgame {
    /// The most empty squares this part solves; beyond, guided search pays.
    pub const MAX_EMPTIES: u32 = 12;

    /// With an empty memory.
    pub fn new() -> Endgame {
        Endgame { nodes: 0, memo: Memo::new() }
    }

    /// Forgets remembered positions.
    pub fn clear(&mut self) {
        self.memo.clear();
    }

    /// A bound of the score: above `alpha`, the score is at least as high;
    /// not above it, at most.
    pub fn solve(&mut self, board: Board, alpha: i32) -> i32 {
        let empty = board.empty();
        match empty.count() {
            0..=4 => solve_last(board, alpha, &mut self.nodes),
            5 => self.solve_5(board, board.moves(), alpha, Parity::of(empty)),
            _ => self.sorted(board, board.moves(), alpha, Parity::of(empty)),
        }
    }

    /// The score bound with five empty squares: quadrant parity and corners
    /// decide the order.
    fn solve_5(&mut self, board: Board, moves: Bitboard, alpha: i32, parity: Parity) -> i32 {
        self.nodes += 1;
        if moves.is_empty() {
            let passed = board.pass();
            let moves = passed.moves();
            return match moves.any() {
                true => -self.solve_5(passed, moves, -alpha - 1, parity),
                false => board.final_score().discs(),
            };
        }
        let odd = moves & parity.odd_squares();
        let odd_corners = odd & Bitboard::CORNERS;
        let mut best = -127;
        for set in [odd_corners, odd - odd_corners, moves - odd] {
            for square in set {
                let next = board.play_unchecked(square, board.flips(square));
                let parity = parity.without(square);
                best = best.max(-solve_4(next, -alpha - 1, parity, &mut self.nodes));
                if best > alpha {
                    return best;
                }
            }
        }
        best
    }

    /// The score bound with [`MIN_SORTED`] empty squares and more; whoever
    /// knows the board knows its moves.
    fn sorted(&mut self, board: Board, moves: Bitboard, alpha: i32, parity: Parity) -> i32 {
        self.nodes += 1;
        let empties = board.empties();
        // Below this so many discs are hardly ever stable already.
        if alpha >= 2 * empties as i32 - 10
            && let Some(bound) = stability_cut(&board, alpha)
        {
            return bound;
        }
        if moves.is_empty() {
            let passed = board.pass();
            let moves = passed.moves();
            return match moves.any() {
                true => -self.sorted(passed, moves, -alpha - 1, parity),
                false => board.final_score().discs(),
            };
        }
        let mut best = -127;
        let mut best_move = Square::A1;
        let mut others = moves;
        if let Some(known) = self.memo.probe(&board, empties) {
            if i32::from(known.lower) > alpha {
                return known.lower.into();
            }
            if i32::from(known.upper) <= alpha {
                return known.upper.into();
            }
            // What was best before most often is again: the others wait.
            best_move = known.best;
            others = moves - Bitboard::of(best_move);
            let next = board.play_unchecked(best_move, board.flips(best_move));
            best = self.reply(next, next.moves(), empties, alpha, parity.without(best_move));
            if best > alpha || others.is_empty() {
                self.memo.store(&board, empties, alpha, best, best_move);
                return best;
            }
        }

        let mut candidates: ArrayVec<(Square, Board, Bitboard), 32> = ArrayVec::new();
        for square in others {
            let next = board.play_unchecked(square, board.flips(square));
            if empties > MIN_SORTED {
                self.memo.prefetch(&next, empties - 1);
            }
            candidates.push((square, next, Bitboard::EMPTY));
        }
        // When to try each candidate, least first, its number in the low bits.
        let mut turns: ArrayVec<i32, 32> = ArrayVec::new();
        let mut turn = i32::MAX;
        let forced = candidates.len() == 1;
        for (square, next, replies) in &mut candidates {
            if empties > MIN_SORTED
                && let Some(known) = self.memo.probe(next, empties - 1)
                && -i32::from(known.upper) > alpha
            {
                return -i32::from(known.upper);
            }
            *replies = next.moves();
            let haste = if forced { 0 } else { haste(next, *replies, *square, parity) };
            let this = haste << 5 | turns.len() as i32;
            turns.push(this);
            turn = turn.min(this);
        }
        // Picking one at a time beats sorting: most nodes stop after the first.
        while turn != i32::MAX {
            let at = turn as usize % 32;
            let (square, next, replies) = candidates[at];
            let score = self.reply(next, replies, empties, alpha, parity.without(square));
            if score > best {
                best = score;
                best_move = square;
                if best > alpha {
                    break;
                }
            }
            turns[at] = i32::MAX;
            turn = turns.iter().fold(i32::MAX, |least, &turn| least.min(turn));
        }
        self.memo.store(&board, empties, alpha, best, best_move);
        best
    }

    /// The mover's score after his move.
    #[inline(always)]
    fn reply(
        &mut self,
        next: Board,
        replies: Bitboard,
        empties: u32,
        alpha: i32,
        parity: Parity,
    ) -> i32 {
        if empties == MIN_SORTED {
            -self.solve_5(next, replies, -alpha - 1, parity)
        } else {
            -self.sorted(next, replies, -alpha - 1, parity)
        }
    }
}

/// How soon to try a move, least first: the opponent's replies, corners
/// counting double, with a bonus for an odd quadrant; then corners themselves
/// before, and the squares that give them away after the rest; and the mover's
/// corners and their neighbours on the rim, which are his for good.
#[inline(always)]
fn haste(next: &Board, replies: Bitboard, square: Square, parity: Parity) -> i32 {
    let mobility = replies.count() + (replies & Bitboard::CORNERS).count();
    let corners = next.opponent & Bitboard::CORNERS;
    let anchored = next.opponent & corners.grown() & Bitboard::EDGES;
    20 * mobility as i32
        - 10 * i32::from(parity.is_odd(square))
        - SQUARE_BONUS[square.index()]
        - 4 * anchored.count() as i32
}

/// The opponent's stable discs may already deny the mover more than `alpha`.
#[inline(always)]
pub fn stability_cut(board: &Board, alpha: i32) -> Option<i32> {
    // Without this many discs even all of them stable would not do.
    if 64 - 2 * (board.opponent.count() as i32) > alpha {
        return None;
    }
    let bound = 64 - 2 * stable_of_opponent(board).count() as i32;
    (bound <= alpha).then_some(bound)
}
