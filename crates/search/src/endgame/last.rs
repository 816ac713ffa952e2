//! The last four empty squares, where most of the nodes of a solve are: one
//! function for each number of empties, null windows only, squares known by
//! name instead of searched for.
//!
//! All functions return a bound of the score in discs from the mover's view:
//! a score above `alpha` is at least that high, one not above it at most.

use std::hint::select_unpredictable;

use discern_board::flips::{last_flips, late_flips};
use discern_board::{Bitboard, Board, Square};

use super::Parity;

/// Below every score.
const NONE: i32 = -127;

/// The board after a move on `square`, if it is legal; `others` are all other
/// empty squares.
#[inline(always)]
fn play<const N: usize>(board: Board, square: Square, others: [Square; N]) -> Option<Board> {
    let flips = late_flips(board.mover(), square, others);
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

/// Nodes counted in a register, and where calls count theirs.
struct Tally<'a> {
    here: u64,
    elsewhere: &'a mut u64,
}

/// The mover's best with two empty squares, [`NONE`] without a move.
#[inline(always)]
fn best_of_2(board: Board, alpha: i32, a: Square, b: Square, tally: &mut Tally) -> i32 {
    let mut best = NONE;
    if let Some(next) = play(board, a, [b]) {
        tally.here += 1;
        best = -solve_1(next, b);
        if best > alpha {
            return best;
        }
    }
    if let Some(next) = play(board, b, [a]) {
        tally.here += 1;
        best = best.max(-solve_1(next, a));
    }
    best
}

/// The score bound with two empty squares.
#[inline(always)]
fn solve_2(board: Board, alpha: i32, a: Square, b: Square, tally: &mut Tally) -> i32 {
    tally.here += 1;
    match best_of_2(board, alpha, a, b, tally) {
        NONE => pass_2(board, alpha, a, b, tally.elsewhere),
        best => best,
    }
}

/// [`solve_2`] of a mover without a move.
#[inline(never)]
fn pass_2(board: Board, alpha: i32, a: Square, b: Square, nodes: &mut u64) -> i32 {
    let mut tally = Tally { here: 1, elsewhere: nodes };
    let best = match best_of_2(board.pass(), -alpha - 1, a, b, &mut tally) {
        NONE => board.final_score().discs(),
        best => -best,
    };
    *tally.elsewhere += tally.here;
    best
}

/// The mover's best with three empty squares, [`NONE`] without a move.
#[inline(always)]
fn best_of_3(board: Board, alpha: i32, squares: [Square; 3], tally: &mut Tally) -> i32 {
    let mut best = NONE;
    let [mut a, mut b, mut c] = squares;
    for _ in 0..3 {
        if let Some(next) = play(board, a, [b, c]) {
            best = best.max(-solve_2(next, -alpha - 1, b, c, tally));
            if best > alpha {
                break;
            }
        }
        (a, b, c) = (b, c, a);
    }
    best
}

/// The score bound with three empty squares.
#[inline(always)]
fn solve_3(
    board: Board,
    alpha: i32,
    [a, b, c]: [Square; 3],
    parity: Parity,
    tally: &mut Tally,
) -> i32 {
    tally.here += 1;
    // A square alone in its quadrant comes first.
    let odd = parity.odd_squares();
    let (odd_a, odd_b) = (odd.contains(a), odd.contains(b));
    let squares = [
        select_unpredictable(odd_a, a, select_unpredictable(odd_b, b, c)),
        select_unpredictable(odd_a, b, a),
        select_unpredictable(odd_a | odd_b, c, b),
    ];
    match best_of_3(board, alpha, squares, tally) {
        NONE => pass_3(board, alpha, squares, tally.elsewhere),
        best => best,
    }
}

/// [`solve_3`] of a mover without a move.
#[inline(never)]
fn pass_3(board: Board, alpha: i32, squares: [Square; 3], nodes: &mut u64) -> i32 {
    let mut tally = Tally { here: 1, elsewhere: nodes };
    let best = match best_of_3(board.pass(), -alpha - 1, squares, &mut tally) {
        NONE => board.final_score().discs(),
        best => -best,
    };
    *tally.elsewhere += tally.here;
    best
}

/// The mover's best with four empty squares, [`NONE`] without a move.
#[inline(always)]
fn best_of_4(
    board: Board,
    alpha: i32,
    squares: [Square; 4],
    parity: Parity,
    tally: &mut Tally,
) -> i32 {
    let mut best = NONE;
    let [mut a, mut b, mut c, mut d] = squares;
    for _ in 0..4 {
        if let Some(next) = play(board, a, [b, c, d]) {
            best = best.max(-solve_3(next, -alpha - 1, [b, c, d], parity.without(a), tally));
            if best > alpha {
                break;
            }
        }
        (a, b, c, d) = (b, c, d, a);
    }
    best
}

/// The score bound with four empty squares.
pub fn solve_4(board: Board, alpha: i32, parity: Parity, nodes: &mut u64) -> i32 {
    let mut tally = Tally { here: 1, elsewhere: nodes };
    let squares = four_squares(board.empty(), parity);
    let best = match best_of_4(board, alpha, squares, parity, &mut tally) {
        NONE => pass_4(board, alpha, squares, parity, tally.elsewhere),
        best => best,
    };
    *tally.elsewhere += tally.here;
    best
}

/// [`solve_4`] of a mover without a move.
#[inline(never)]
fn pass_4(board: Board, alpha: i32, squares: [Square; 4], parity: Parity, nodes: &mut u64) -> i32 {
    let mut tally = Tally { here: 1, elsewhere: nodes };
    let best = match best_of_4(board.pass(), -alpha - 1, squares, parity, &mut tally) {
        NONE => board.final_score().discs(),
        best => -best,
    };
    *tally.elsewhere += tally.here;
    best
}

/// The squares of a set of four, those of odd quadrants in front; there are
/// none, two or four of them. If one is alone and three are together, it is the
/// first: 1 % fewer nodes.
#[inline(always)]
fn four_squares(empty: Bitboard, parity: Parity) -> [Square; 4] {
    let odd = empty & parity.odd_squares();
    let front = select_unpredictable(odd.is_empty(), empty, odd);
    let (first, _) = split_first(front);
    let others = empty - Parity::quadrant(first);
    let (alone, _) = split_first(others);
    let a = select_unpredictable(others.count() == 1, alone, first);
    let (b, _) = split_first(front - Bitboard::of(a));
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
    let mut tally = Tally { here: 0, elsewhere: nodes };
    let mut squares = empty.squares();
    let mut next = || squares.next().expect("as many squares as counted");
    let score = match empty.count() {
        0 => {
            tally.here += 1;
            board.final_score().discs()
        }
        1 => {
            tally.here += 1;
            solve_1(board, next())
        }
        2 => solve_2(board, alpha, next(), next(), &mut tally),
        3 => {
            let squares = [next(), next(), next()];
            solve_3(board, alpha, squares, Parity::of(empty), &mut tally)
        }
        _ => solve_4(board, alpha, Parity::of(empty), tally.elsewhere),
    };
    *tally.elsewhere += tally.here;
    score
}
