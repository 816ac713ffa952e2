//! The kernels in plain 64-bit arithmetic, for every machine.

use super::rays::RAYS;
use crate::Square;

/// The discs turned over by the mover on the empty `square`.
///
/// Along each ray the first square that is not the opponent's decides: if it
/// is the mover's, all squares before it turn over.
#[inline]
pub fn flips(mover: u64, opponent: u64, square: Square) -> u64 {
    let [up @ .., d0, d1, d2, d3] = RAYS[square.index()];
    let mut all = 0;
    for ray in up {
        let others = ray & !opponent;
        let first = others & others.wrapping_neg();
        if first & mover != 0 {
            all |= ray & (first - 1);
        }
    }
    for ray in [d0, d1, d2, d3] {
        let others = ray & !opponent;
        if others != 0 {
            let first = 1 << (63 - others.leading_zeros());
            if first & mover != 0 {
                all |= ray & !(first | (first - 1));
            }
        }
    }
    all
}

/// The empty squares on which the mover turns over at least one disc.
///
/// Floods from the mover's discs through the opponent's in the eight
/// directions by doubling steps (1, 1, 2, 2: up to six discs), then takes the
/// squares one step further that are empty.
#[inline]
pub fn moves(mover: u64, opponent: u64) -> u64 {
    // Discs in columns a and h cannot be flipped along a row or a diagonal;
    // without them no step wraps around the board.
    const INNER_COLUMNS: u64 = 0x7e7e_7e7e_7e7e_7e7e;
    let mut all = 0;
    for (step, runs) in [
        (1, opponent & INNER_COLUMNS),
        (7, opponent & INNER_COLUMNS),
        (8, opponent),
        (9, opponent & INNER_COLUMNS),
    ] {
        let mut up = runs & mover << step;
        let mut down = runs & mover >> step;
        up |= runs & up << step;
        down |= runs & down >> step;
        let pairs_up = runs & runs << step;
        let pairs_down = pairs_up >> step;
        up |= pairs_up & up << (2 * step);
        down |= pairs_down & down >> (2 * step);
        up |= pairs_up & up << (2 * step);
        down |= pairs_down & down >> (2 * step);
        all |= up << step | down >> step;
    }
    all & !(mover | opponent)
}
