//! The last four empty squares, where most of the nodes of a solve are: one
//! function for each number of empties, null windows only, squares known by
//! name instead of searched for.
//!
//! All functions return a bound of the score in discs from the mover's view:
//! a score above `alpha` is at least that high, one not above it at most.

use std::hint::select_unpredictable;

use discern_board::flips::last_flips;
use discern_board::{Bitboard, Board, Square};

use super::Parity;

/// Below every score.
const NONE: i32 = -127;

/// The board after a move on `square`, if it is legal.
#[inline(always)]
fn play(board: Board, square: Square) -> Option<Board> {
    let flips = board.flips(square);
    flips.any().then(|| board.play_unchecked(square, flips))
}

/// The score with one empty square. Who moves is anyone's guess, but hardly
/// ever nobody.
#[inline(always)]
fn solve_1(board: Board, square: Square) -> i32 {
    let mine = 2 * board.mover().count() as i32;
    let flips = last_flips(board.mover(), square);
    if flips.mover | flips.opponent == 0 {
        // Nobody can move: the empty square goes to the winner.
        return if mine >= 64 { mine - 62 } else { mine - 64 };
    }
    let (moved, passed) = (mine + 2 * flips.mover - 62, mine - 2 * flips.opponent - 64);
    select_unpredictable(flips.mover > 0, moved, passed)
}

/// The mover's best with two empty squares, [`NONE`] without a move.
#[inline(always)]
fn best_of_2(board: Board, alpha: i32, a: Square, b: Square, nodes: &mut u64) -> i32 {
    let mut best = NONE;
    if let Some(next) = play(board, a) {
        *nodes += 1;
        best = -solve_1(next, b);
        if best > alpha {
            return best;
        }
    }
    if let Some(next) = play(board, b) {
        *nodes += 1;
        best = best.max(-solve_1(next, a));
    }
    best
}

/// The score bound with two empty squares.
#[inline]
pub fn solve_2(board: Board, alpha: i32, a: Square, b: Square, nodes: &mut u64) -> i32 {
    *nodes += 1;
    let best = best_of_2(board, alpha, a, b, nodes);
    if best > NONE {
        return best;
    }
    *nodes += 1;
    let best = best_of_2(board.pass(), -alpha - 1, a, b, nodes);
    if best > NONE { -best } else { board.final_score().discs() }
}

/// The mover's best with three empty squares, [`NONE`] without a move.
#[inline(always)]
fn best_of_3(board: Board, alpha: i32, [a, b, c]: [Square; 3], nodes: &mut u64) -> i32 {
    let mut best = NONE;
    let mut beats = |square, x, y| {
        if let Some(next) = play(board, square) {
            best = best.max(-solve_2(next, -alpha - 1, x, y, nodes));
        }
        best > alpha
    };
    let _ = beats(a, b, c) || beats(b, a, c) || beats(c, a, b);
    best
}

/// The score bound with three empty squares.
#[inline]
pub fn solve_3(
    board: Board,
    alpha: i32,
    [a, b, c]: [Square; 3],
    parity: Parity,
    nodes: &mut u64,
) -> i32 {
    *nodes += 1;
    // A square alone in its quadrant comes first.
    let (odd_a, odd_b) = (parity.is_odd(a), parity.is_odd(b));
    let squares = [
        select_unpredictable(odd_a, a, select_unpredictable(odd_b, b, c)),
        select_unpredictable(odd_a, b, a),
        select_unpredictable(odd_a | odd_b, c, b),
    ];
    let best = best_of_3(board, alpha, squares, nodes);
    if best > NONE {
        return best;
    }
    *nodes += 1;
    let best = best_of_3(board.pass(), -alpha - 1, squares, nodes);
    if best > NONE { -best } else { board.final_score().discs() }
}

/// The mover's best with four empty squares, [`NONE`] without a move.
#[inline(always)]
fn best_of_4(
    board: Board,
    alpha: i32,
    [a, b, c, d]: [Square; 4],
    parity: Parity,
    nodes: &mut u64,
) -> i32 {
    let mut best = NONE;
    let mut beats = |square, rest| {
        if let Some(next) = play(board, square) {
            best = best.max(-solve_3(next, -alpha - 1, rest, parity.without(square), nodes));
        }
        best > alpha
    };
    let _ =
        beats(a, [b, c, d]) || beats(b, [a, c, d]) || beats(c, [a, b, d]) || beats(d, [a, b, c]);
    best
}

/// The score bound with four empty squares.
pub fn solve_4(board: Board, alpha: i32, parity: Parity, nodes: &mut u64) -> i32 {
    *nodes += 1;
    let squares = four_squares(board.empty(), parity);
    let best = best_of_4(board, alpha, squares, parity, nodes);
    if best > NONE {
        return best;
    }
    *nodes += 1;
    let best = best_of_4(board.pass(), -alpha - 1, squares, parity, nodes);
    if best > NONE { -best } else { board.final_score().discs() }
}

/// The squares of a set of four, those of odd quadrants in front. There are
/// none, two or four of them.
#[inline(always)]
fn four_squares(empty: Bitboard, parity: Parity) -> [Square; 4] {
    let odd = empty & parity.odd_squares();
    let front = select_unpredictable(odd.is_empty(), empty, odd);
    let (a, front) = split_first(front);
    let (b, _) = split_first(front);
    let (c, rest) = split_first(empty - Bitboard::of(a) - Bitboard::of(b));
    let (d, _) = split_first(rest);
    [a, b, c, d]
}

/// The first square of a set, which must not be empty, and the others.
#[inline(always)]
fn split_first(set: Bitboard) -> (Square, Bitboard) {
    (Square::from_index(set.0.trailing_zeros()), Bitboard(set.0 & set.0.wrapping_sub(1)))
}

/// The score bound with at most four empty squares.
pub fn solve_last(board: Board, alpha: i32, nodes: &mut u64) -> i32 {
    let empty = board.empty();
    let mut squares = empty.squares();
    let mut next = || squares.next().expect("as many squares as counted");
    match empty.count() {
        0 => {
            *nodes += 1;
            board.final_score().discs()
        }
        1 => {
            *nodes += 1;
            solve_1(board, next())
        }
        2 => solve_2(board, alpha, next(), next(), nodes),
        3 => solve_3(board, alpha, [next(), next(), next()], Parity::of(empty), nodes),
        _ => solve_4(board, alpha, Parity::of(empty), nodes),
    }
}
