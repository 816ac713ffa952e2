//! The last move of a game only needs the number of flips, and every other
//! square is full: one byte per line tells it all.

use crate::{Bitboard, Square};

/// `COUNT[i][line]`: discs flipped on a line of eight by a move on its square
/// `i`, where `line` has the mover's discs and all others are the opponent's.
static COUNT: [[u8; 256]; 8] = {
    let mut count = [[0; 256]; 8];
    let mut place = 0;
    while place < 8 {
        let mut line = 0;
        while line < 256 {
            // A run of opponent discs counts only if a mover's disc ends it.
            let mut run = 0;
            let mut at = place + 1;
            while at < 8 {
                if line >> at & 1 != 0 {
                    count[place][line] += run;
                    break;
                }
                run += 1;
                at += 1;
            }
            run = 0;
            at = place;
            while at > 0 {
                at -= 1;
                if line >> at & 1 != 0 {
                    count[place][line] += run;
                    break;
                }
                run += 1;
            }
            line += 1;
        }
        place += 1;
    }
    count
};

/// The two diagonals through each square.
static DIAGONALS: [[u64; 2]; 64] = {
    let mut masks = [[0; 2]; 64];
    let mut square = 0;
    while square < 64 {
        let rays = &super::rays::RAYS[square];
        let rising = rays[1] | rays[5] | 1 << square;
        let falling = rays[3] | rays[7] | 1 << square;
        masks[square] = [rising, falling];
        square += 1;
    }
    masks
};

/// How many discs the mover flips on `square` when it is the only empty
/// square of the board.
///
/// A diagonal is gathered into one byte by a multiplication that adds its
/// rows; squares off a short diagonal then look like the opponent's, which is
/// harmless: no mover's disc lies beyond them.
#[inline]
pub fn last_flips(mover: Bitboard, square: Square) -> u32 {
    let mover = mover.0;
    let (column, row) = (square.column(), square.row());
    let [rising, falling] = DIAGONALS[square.index()];
    let add_rows = |discs: u64| (discs.wrapping_mul(0x0101_0101_0101_0101) >> 56) as usize;
    let horizontal = (mover >> (8 * row) & 0xff) as usize;
    // One column to a byte, row 1 in the lowest bit.
    let vertical = ((mover >> column & 0x0101_0101_0101_0101).wrapping_mul(0x0102_0408_1020_4080)
        >> 56) as usize;
    let by_column = &COUNT[column];
    u32::from(by_column[horizontal])
        + u32::from(COUNT[row][vertical])
        + u32::from(by_column[add_rows(mover & rising)])
        + u32::from(by_column[add_rows(mover & falling)])
}
