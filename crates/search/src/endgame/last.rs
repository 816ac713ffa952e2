//! The last four empty squares, where most of the nodes of a solve are: one
//! function for each number of empties, null windows only, squares known by
//! name instead of searched for.
//!
//! All functions return a bound of the score in discs from the mover's view:
//! a score above `alpha` is at least that high, one not above it at most.

use discern_board::flips::last_flips;
use discern_board::{Bitboard, Board, Square};

use super::Parity;

/// Below every score.
const NONE: i32 = -127;

/// The squares around each square: without an opponent's disc there, a move
/// turns nothing over, and the flip kernel need not be asked.
static NEIGHBOURS: [Bitboard; 64] = {
    let mut sets = [Bitboard::EMPTY; 64];
    let mut square = 0;
    while square < 64 {
        sets[square] = Bitboard(Bitboard(1 << square).grown().0 & !(1 << square));
        square += 1;
    }
    sets
};

/// The board after a move on `square`, if it is legal.
#[inline(always)]
fn play(board: Board, square: Square) -> Option<Board> {
    if (board.opponent & NEIGHBOURS[square.index()]).is_empty() {
        return None;
    }
    let flips = board.flips(square);
    flips.any().then(|| board.play_unchecked(square, flips))
}

/// The score with one empty square.
#[inline(always)]
fn solve_1(board: Board, square: Square) -> i32 {
    let mine = board.mover.count() as i32;
    let flips = last_flips(board.mover, square) as i32;
    if flips > 0 {
        return 2 * (mine + flips) - 62;
    }
    let flips = last_flips(board.opponent, square) as i32;
    if flips > 0 {
        return 2 * (mine - flips) - 64;
    }
    // Nobody can move: the empty square goes to the winner.
    if mine >= 32 { 2 * mine - 62 } else { 2 * mine - 64 }
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

/// The score bound with three empty squares.
#[inline]
pub fn solve_3(
    board: Board,
    alpha: i32,
    [a, b, c]: [Square; 3],
    parity: Parity,
    nodes: &mut u64,
) -> i32 {
    // One square alone in its quadrant comes first.
    let [a, b, c] = if parity.is_odd(a) {
        [a, b, c]
    } else if parity.is_odd(b) {
        [b, a, c]
    } else {
        [c, a, b]
    };
    let mut board = board;
    let mut alpha = alpha;
    let mut sign = 1;
    // Second round: the mover had to pass, the opponent plays.
    for _ in 0..2 {
        *nodes += 1;
        let mut best = NONE;
        for (square, x, y) in [(a, b, c), (b, a, c), (c, a, b)] {
            if let Some(next) = play(board, square) {
                best = best.max(-solve_2(next, -alpha - 1, x, y, nodes));
                if best > alpha {
                    return sign * best;
                }
            }
        }
        if best > NONE {
            return sign * best;
        }
        board = board.pass();
        alpha = -alpha - 1;
        sign = -sign;
    }
    board.final_score().discs()
}

/// The score bound with four empty squares.
pub fn solve_4(board: Board, alpha: i32, parity: Parity, nodes: &mut u64) -> i32 {
    let [a, b, c, d] = four_squares(board.empty(), parity);
    let mut board = board;
    let mut alpha = alpha;
    let mut sign = 1;
    for _ in 0..2 {
        *nodes += 1;
        let mut best = NONE;
        for (square, rest) in [(a, [b, c, d]), (b, [a, c, d]), (c, [a, b, d]), (d, [a, b, c])] {
            if let Some(next) = play(board, square) {
                let score = -solve_3(next, -alpha - 1, rest, parity.without(square), nodes);
                best = best.max(score);
                if best > alpha {
                    return sign * best;
                }
            }
        }
        if best > NONE {
            return sign * best;
        }
        board = board.pass();
        alpha = -alpha - 1;
        sign = -sign;
    }
    board.final_score().discs()
}

/// The squares of a set of four, those of odd quadrants in front.
#[inline(always)]
fn four_squares(empty: Bitboard, parity: Parity) -> [Square; 4] {
    let odd = empty & parity.odd_squares();
    let even = empty - odd;
    let mut squares = [Square::A1; 4];
    let mut filled = 0;
    for set in [odd, even] {
        for square in set {
            squares[filled & 3] = square;
            filled += 1;
        }
    }
    squares
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
