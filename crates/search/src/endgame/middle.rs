//! Five to a dozen empty squares: null windows, no evaluator. From six on
//! moves are sorted: those that leave the opponent few replies come first
//! (fastest-first), then moves into odd quadrants.

use arrayvec::ArrayVec;
use discern_board::flips::gather;
use discern_board::{Bitboard, Board, Square};

use super::last::{solve_4, solve_last};
use super::memo::Slot;
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
            empties => {
                debug_assert!(empties <= Endgame::MAX_EMPTIES);
                let slot = Memo::slot(&board, empties);
                if let Some(known) = self.memo.probe(slot, &board) {
                    let (lower, upper) = (i32::from(known.lower), i32::from(known.upper));
                    if lower > alpha {
                        return lower;
                    }
                    if upper <= alpha {
                        return upper;
                    }
                }
                let task = Task { board, moves: board.moves(), slot, square: Square::A1 };
                self.sorted(&task, empties, alpha, Parity::of(empty))
            }
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

    /// The score bound with [`MIN_SORTED`] empty squares and more. Whoever
    /// comes here has asked the memo, and knows the moves from rating them.
    fn sorted(
        &mut self,
        &Task { board, moves, slot, .. }: &Task,
        empties: u32,
        alpha: i32,
        parity: Parity,
    ) -> i32 {
        self.nodes += 1;
        // Below this so many discs are hardly ever stable already.
        if alpha >= 2 * empties as i32 - 10
            && let Some(bound) = stability_cut(&board, alpha)
        {
            return bound;
        }
        if moves.is_empty() {
            let board = board.pass();
            let moves = board.moves();
            if moves.is_empty() {
                return board.pass().final_score().discs();
            }
            let slot = Memo::slot(&board, empties);
            let task = Task { board, moves, slot, square: Square::A1 };
            return -self.sorted(&task, empties, -alpha - 1, parity);
        }
        let remembered = empties > MIN_SORTED;
        // Filled as far as there are moves: clearing it all took a thirtieth
        // of the time of this function.
        let mut tasks = ArrayVec::<Task, MAX_MOVES>::new();
        for square in moves {
            let next = board.play_unchecked(square, board.flips(square));
            let mut task = Task { board: next, moves: Bitboard::EMPTY, slot: Slot::ANY, square };
            if remembered {
                task.slot = Memo::slot(&next, empties - 1);
                self.memo.prefetch(task.slot);
            }
            tasks.push(task);
        }
        let mut best = -127;
        // When to try each move, least first, its number in the low bits.
        let mut turns = [NOBODY; MAX_MOVES];
        let mut turn = NOBODY;
        let odd = parity.odd_squares();
        for (at, (task, this)) in tasks.iter_mut().zip(&mut turns).enumerate() {
            if remembered && let Some(known) = self.memo.probe(task.slot, &task.board) {
                if -i32::from(known.upper) > alpha {
                    return -i32::from(known.upper);
                }
                if -i32::from(known.lower) <= alpha {
                    best = best.max(-i32::from(known.lower));
                    continue;
                }
            }
            task.moves = task.board.moves();
            debug_assert!((0..1 << 12).contains(&(haste(task, odd) + MOST_HASTE)));
            *this = ((haste(task, odd) + MOST_HASTE) as u16) << 4 | at as u16;
            turn = turn.min(*this);
        }
        // Picking one at a time beats sorting: most nodes stop after the first.
        while turn != NOBODY {
            let at = usize::from(turn) % MAX_MOVES;
            let task = &tasks[at];
            let parity = parity.without(task.square);
            let score = match remembered {
                true => -self.sorted(task, empties - 1, -alpha - 1, parity),
                false => -self.solve_5(task.board, task.moves, -alpha - 1, parity),
            };
            best = best.max(score);
            if best > alpha {
                break;
            }
            turn = take_turn(&mut turns, turn);
        }
        self.memo.store(slot, &board, alpha, best);
        best
    }
}

/// A board to search: its moves and where it is remembered.
#[derive(Debug, Clone, Copy)]
struct Task {
    board: Board,
    moves: Bitboard,
    slot: Slot,
    /// The move that led here, if the one above rated it.
    square: Square,
}

/// More than a dozen empty squares have.
const MAX_MOVES: usize = 16;

/// More than any turn, in two bytes: sixteen of them are one vector register.
const NOBODY: u16 = u16::MAX;

/// Whose turn is next, once `done` has had its own. All lanes are compared instead
/// of writing the one: reading lanes together just after a single one was written
/// waits for the write to leave the processor's buffer.
#[inline(always)]
fn take_turn(turns: &mut [u16; MAX_MOVES], done: u16) -> u16 {
    let mut next = NOBODY;
    for turn in turns {
        *turn = if *turn == done { NOBODY } else { *turn };
        next = next.min(*turn);
    }
    next
}

/// What [`haste`] is never below, negated: an odd quadrant, a corner, and all twelve
/// squares anchored.
const MOST_HASTE: i32 = 10 + 5 + 4 * 12;

/// How soon to try a move, least first: the opponent's replies, corners
/// counting double, with a bonus for an odd quadrant; then corners themselves
/// before, and the squares that give them away after the rest; and the mover's
/// corners and their neighbours on the rim, which are his for good.
#[inline(always)]
fn haste(next: &Task, odd: Bitboard) -> i32 {
    let mobility = next.moves.count() + (next.moves & Bitboard::CORNERS).count();
    20 * mobility as i32
        - 10 * i32::from(odd.contains(next.square))
        - SQUARE_BONUS[next.square.index()]
        - i32::from(ANCHORED[gather(next.board.opponent(), CORNERS_AND_NEIGHBOURS)])
}

/// The corners and their neighbours on the rim.
const CORNERS_AND_NEIGHBOURS: Bitboard = Bitboard(Bitboard::CORNERS.0 | Bitboard::C_SQUARES.0);

/// The bonus for own discs on these squares: 4 for each corner and for each
/// neighbour of an own corner.
static ANCHORED: [i8; 1 << 12] = {
    let mut bonus = [0; 1 << 12];
    let mut at = 0;
    while at < bonus.len() {
        let (mut discs, mut left, mut i) = (0, CORNERS_AND_NEIGHBOURS.0, 0);
        while left != 0 {
            if at >> i & 1 != 0 {
                discs |= left & left.wrapping_neg();
            }
            left &= left - 1;
            i += 1;
        }
        let anchors = Bitboard(discs & Bitboard::CORNERS.0).grown().0;
        bonus[at] = 4 * (discs & anchors).count_ones() as i8;
        at += 1;
    }
    bonus
};

/// The opponent's stable discs may already deny the mover more than `alpha`.
#[inline(always)]
pub fn stability_cut(board: &Board, alpha: i32) -> Option<i32> {
    // Without this many discs even all of them stable would not do.
    if 64 - 2 * (board.opponent().count() as i32) > alpha {
        return None;
    }
    let bound = 64 - 2 * stable_of_opponent(board).count() as i32;
    (bound <= alpha).then_some(bound)
}
