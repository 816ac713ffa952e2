//! The last move of a game only needs the number of flips, and every other
//! square is full: the mover's discs on the lines through the square tell it
//! all, for either side.
#![allow(unsafe_code)]

use super::gather;
use super::lines::COUNTING;
use crate::{Bitboard, Square};

/// How many discs each side would turn over on the last empty square.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LastFlips {
    /// If the mover plays there.
    pub mover: i32,
    /// If the opponent does.
    pub opponent: i32,
}

/// How many discs each side would flip on `square` when it is the only empty
/// square of the board.
#[inline(always)]
pub fn last_flips(mover: Bitboard, square: Square) -> LastFlips {
    let lines = &COUNTING[square.index()];
    let mut sum = 0;
    for (mask, table) in lines.masks.iter().zip(lines.tables) {
        // SAFETY: a line has eight squares at most, and 256 patterns.
        sum += u32::from(unsafe { *table.get_unchecked(gather(mover, *mask)) });
    }
    LastFlips { mover: (sum & 0xff) as i32, opponent: (sum >> 8) as i32 }
}
