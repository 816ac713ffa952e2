//! The last move of a game only needs the number of flips, and every other
//! square is full: the mover's discs on the lines through the square tell it
//! all, for either side.
#![allow(unsafe_code)]

use super::gather;
use super::rays::RAYS;
use crate::{Bitboard, Square};

/// How many discs each side would turn over on the last empty square.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LastFlips {
    /// If the mover plays there.
    pub mover: i32,
    /// If the opponent does.
    pub opponent: i32,
}

/// The four lines through a square, and where the counts of each begin.
#[derive(Clone, Copy)]
#[repr(C, align(64))]
struct Lines {
    masks: [u64; 4],
    counts: [u16; 4],
}

/// The counts of a line of `n` squares with the empty one at `place` begin
/// here: those of shorter lines come first.
const fn start(n: usize, place: usize) -> usize {
    let (mut start, mut shorter) = (place << n, 1);
    while shorter < n {
        start += shorter << shorter;
        shorter += 1;
    }
    start
}

const COUNTS: usize = start(9, 0);

/// For each length of a line, place of the empty square on it and mover's
/// discs (all others are the opponent's): what the mover turns over in the low
/// byte, what the opponent does in the high one.
static COUNT: [u16; COUNTS] = {
    let mut counts = [0; COUNTS];
    let mut n = 1;
    while n <= 8 {
        let mut place = 0;
        while place < n {
            let mut line = 0;
            while line < 1 << n {
                let others = !line & ((1 << n) - 1) & !(1 << place);
                let count = line_flips(line, n, place) | line_flips(others, n, place) << 8;
                counts[start(n, place) + line] = count;
                line += 1;
            }
            place += 1;
        }
        n += 1;
    }
    counts
};

/// What the owner of `discs` turns over on a line full of other discs.
const fn line_flips(discs: usize, n: usize, place: usize) -> u16 {
    // A run counts only if an own disc ends it.
    let (mut count, mut run, mut at) = (0, 0, place + 1);
    while at < n {
        if discs >> at & 1 != 0 {
            count += run;
            break;
        }
        run += 1;
        at += 1;
    }
    (run, at) = (0, place);
    while at > 0 {
        at -= 1;
        if discs >> at & 1 != 0 {
            count += run;
            break;
        }
        run += 1;
    }
    count
}

static LINES: [Lines; 64] = {
    let mut lines = [Lines { masks: [0; 4], counts: [0; 4] }; 64];
    let mut square = 0;
    while square < 64 {
        let mut line = 0;
        while line < 4 {
            let (up, down) = (RAYS[square][line], RAYS[square][line + 4]);
            let mask = up | down | 1 << square;
            let counts = start(mask.count_ones() as usize, down.count_ones() as usize);
            lines[square].masks[line] = mask;
            lines[square].counts[line] = counts as u16;
            line += 1;
        }
        square += 1;
    }
    lines
};

/// How many discs each side would flip on `square` when it is the only empty
/// square of the board.
#[inline(always)]
pub fn last_flips(mover: Bitboard, square: Square) -> LastFlips {
    let Lines { masks, counts } = &LINES[square.index()];
    let mut sum = 0;
    for (mask, start) in masks.iter().zip(counts) {
        let line = gather(mover, Bitboard(*mask));
        // SAFETY: a line of n squares has 2^n patterns of discs, and as many
        // counts lie behind its start.
        sum += u32::from(unsafe { *COUNT.get_unchecked(usize::from(*start) + line) });
    }
    LastFlips { mover: (sum & 0xff) as i32, opponent: (sum >> 8) as i32 }
}
