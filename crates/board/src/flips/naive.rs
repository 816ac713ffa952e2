//! The rules as written, one square after the other: slow, and plainly right.

use crate::{Bitboard, Square};

/// Steps of column and row in the eight directions.
const DIRECTIONS: [(isize, isize); 8] =
    [(1, 0), (1, 1), (0, 1), (-1, 1), (-1, 0), (-1, -1), (0, -1), (1, -1)];

/// The discs turned over by the mover on the empty `square`.
pub fn flips(mover: u64, opponent: u64, square: Square) -> u64 {
    let step = |from: Square, (dx, dy): (isize, isize)| {
        Square::at(from.column().wrapping_add_signed(dx), from.row().wrapping_add_signed(dy))
    };
    let mut all = 0;
    for direction in DIRECTIONS {
        let mut run = 0;
        let mut next = step(square, direction);
        while let Some(s) = next
            && Bitboard(opponent).contains(s)
        {
            run |= Bitboard::of(s).0;
            next = step(s, direction);
        }
        if next.is_some_and(|s| Bitboard(mover).contains(s)) {
            all |= run;
        }
    }
    all
}

/// The empty squares on which the mover turns over at least one disc.
pub fn moves(mover: u64, opponent: u64) -> u64 {
    let empty = Bitboard(!(mover | opponent));
    empty.squares().filter(|&s| flips(mover, opponent, s) != 0).collect::<Bitboard>().0
}
