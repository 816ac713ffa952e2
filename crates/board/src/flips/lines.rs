//! Tables of what the mover's discs on the four lines through a square tell,
//! when all other squares, or nearly all, are the opponent's.

use super::rays::RAYS;
use crate::Bitboard;

/// The lines through a square, each with a table for the square's place on it.
/// A pointer to the table instead of an offset spares an addition a line: 4 %
/// of the solver's time.
#[derive(Clone, Copy)]
#[repr(C, align(64))]
pub(super) struct Lines<T: 'static> {
    pub masks: [Bitboard; 4],
    pub tables: [&'static [T; 256]; 4],
}

/// What an own disc on each square turns over, by the mover's discs on the
/// line, if all other squares are the opponent's.
pub(super) static TURNING: [Lines<u8>; 64] = {
    let mut all = [Lines { masks: [Bitboard::EMPTY; 4], tables: [&TURNED[0]; 4] }; 64];
    let mut square = 0;
    while square < 64 {
        let mut line = 0;
        while line < 4 {
            let (mask, place) = line_of(square, line);
            all[square].masks[line] = mask;
            all[square].tables[line] = &TURNED[place];
            line += 1;
        }
        square += 1;
    }
    all
};

/// How many discs that are: the mover's move in the low byte, the opponent's
/// in the high one.
pub(super) static COUNTING: [Lines<u16>; 64] = {
    let mut all = [Lines { masks: [Bitboard::EMPTY; 4], tables: [&COUNTS[0][0]; 4] }; 64];
    let mut square = 0;
    while square < 64 {
        let mut line = 0;
        while line < 4 {
            let (mask, place) = line_of(square, line);
            all[square].masks[line] = mask;
            all[square].tables[line] = &COUNTS[mask.0.count_ones() as usize - 1][place];
            line += 1;
        }
        square += 1;
    }
    all
};

/// `BEHIND[a][b]`: the whole ray from `a` on which `b` lies.
pub(super) static BEHIND: [[Bitboard; 64]; 64] = {
    let mut behind = [[Bitboard::EMPTY; 64]; 64];
    let mut square = 0;
    while square < 64 {
        let mut direction = 0;
        while direction < 8 {
            let ray = RAYS[square][direction];
            let mut left = ray;
            while left != 0 {
                behind[square][left.trailing_zeros() as usize] = Bitboard(ray);
                left &= left - 1;
            }
            direction += 1;
        }
        square += 1;
    }
    behind
};

/// `TURNED[place][discs]`: what an own disc at `place` of a line turns over.
static TURNED: [[u8; 256]; 8] = {
    let mut turned = [[0; 256]; 8];
    let mut place = 0;
    while place < 8 {
        let mut discs = 0;
        while discs < 256 {
            turned[place][discs] = line_turned(discs, place);
            discs += 1;
        }
        place += 1;
    }
    turned
};

/// `COUNTS[n - 1][place][discs]`: how many discs either side's move turns over
/// on a line of `n` squares.
static COUNTS: [[[u16; 256]; 8]; 8] = {
    let mut counts = [[[0; 256]; 8]; 8];
    let mut n = 1;
    while n <= 8 {
        let mut place = 0;
        while place < n {
            let mut discs = 0;
            while discs < 1 << n {
                let others = !discs & ((1 << n) - 1) & !(1 << place);
                let mine = line_turned(discs, place).count_ones();
                let his = line_turned(others, place).count_ones();
                counts[n - 1][place][discs] = (mine | his << 8) as u16;
                discs += 1;
            }
            place += 1;
        }
        n += 1;
    }
    counts
};

/// A line through a square, and the square's place on it.
const fn line_of(square: usize, line: usize) -> (Bitboard, usize) {
    let (up, down) = (RAYS[square][line], RAYS[square][line + 4]);
    (Bitboard(up | down | 1 << square), down.count_ones() as usize)
}

/// What lies between `place` and the next own discs on either side.
const fn line_turned(discs: usize, place: usize) -> u8 {
    let above = discs & (0xff << place) & !(1 << place);
    let below = discs & ((1 << place) - 1);
    let mut turned = 0;
    if above != 0 {
        turned |= (1 << above.trailing_zeros()) - (2 << place);
    }
    if below != 0 {
        turned |= (1 << place) - (2 << below.ilog2());
    }
    turned as u8
}
