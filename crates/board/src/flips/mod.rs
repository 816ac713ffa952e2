//! The two kernels of the rules: which squares are legal, and which discs a
//! move turns over. All SIMD of the crate lives here, behind [`flips`] and
//! [`moves`].
//!
//! | kernel | for | checked against |
//! | --- | --- | --- |
//! | [`naive`] | tests: walks the board square by square | the rules |
//! | [`portable`] | every machine: eight rays in plain 64-bit words | naive |
//! | `avx2` | x86-64-v3: four rays per 256-bit vector | portable |
//! | [`late_flips`] | x86-64-v3, four empty squares at most: tables of lines | naive |
//!
//! How the fastest programs do it: one vector lane per direction, a parallel
//! prefix over four directions at once for the moves, and carry or
//! leading-bit tricks along ray masks for the flips. Ours does the same; the
//! kernel is picked at compile time, because a dispatch per call would cost
//! more than the call.

#[cfg(target_feature = "avx2")]
mod avx2;
mod gather;
mod last;
mod late;
mod lines;
pub mod naive;
pub mod portable;
#[cfg(target_arch = "x86_64")]
mod processor;
mod rays;

pub use gather::gather;
use gather::spread;
pub use last::{LastFlips, last_flips};
pub use late::late_flips;
#[cfg(target_arch = "x86_64")]
pub use processor::has_x86_64_v3;

use crate::{Bitboard, Square};

/// The kernel compiled in: `avx2` or `portable`.
pub const KERNEL: &str = if cfg!(target_feature = "avx2") { "avx2" } else { "portable" };

/// The opponent's discs that turn over when the mover plays on the empty
/// `square`; none means the move is illegal.
#[inline(always)]
pub fn flips(mover: Bitboard, opponent: Bitboard, square: Square) -> Bitboard {
    #[cfg(target_feature = "avx2")]
    {
        Bitboard(avx2::flips_compiled_in(mover.0, opponent.0, square))
    }
    #[cfg(not(target_feature = "avx2"))]
    {
        Bitboard(portable::flips(mover.0, opponent.0, square))
    }
}

/// The empty squares on which the mover turns over at least one disc.
#[inline(always)]
pub fn moves(mover: Bitboard, opponent: Bitboard) -> Bitboard {
    #[cfg(target_feature = "avx2")]
    {
        Bitboard(avx2::moves_compiled_in(mover.0, opponent.0))
    }
    #[cfg(not(target_feature = "avx2"))]
    {
        Bitboard(portable::moves(mover.0, opponent.0))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{Seeded, random_discs, random_game_boards};

    /// Boards of real games, and arbitrary discs, which games rarely produce.
    fn boards() -> impl Iterator<Item = (u64, u64)> {
        let games = random_game_boards(7, 4000).map(|board| (board.mover().0, board.opponent().0));
        games.chain(random_discs(11, 200_000).map(|board| (board.mover().0, board.opponent().0)))
    }

    #[test]
    fn portable_equals_naive_for_every_square() {
        for (mover, opponent) in boards() {
            assert_eq!(portable::moves(mover, opponent), naive::moves(mover, opponent));
            for square in Bitboard(!(mover | opponent)) {
                let expected = naive::flips(mover, opponent, square);
                assert_eq!(portable::flips(mover, opponent, square), expected, "{square}");
            }
        }
    }

    #[test]
    fn compiled_in_kernel_equals_portable_for_every_square() {
        for (mover, opponent) in boards() {
            let (m, o) = (Bitboard(mover), Bitboard(opponent));
            assert_eq!(moves(m, o).0, portable::moves(mover, opponent));
            for square in !(m | o) {
                let expected = portable::flips(mover, opponent, square);
                assert_eq!(flips(m, o, square).0, expected, "{square}");
            }
        }
    }

    #[test]
    fn every_ray_pattern_of_every_square_agrees_with_the_naive_walk() {
        // One ray at a time, all 3^7 contents of it: exhaustive for the
        // logic along a ray, which random boards might miss.
        for square in Square::ALL {
            for ray in rays::RAYS[square.index()] {
                let squares: Vec<Square> = Bitboard(ray).squares().collect();
                for mut code in 0..3u32.pow(squares.len() as u32) {
                    let (mut mover, mut opponent) = (0, 0);
                    for &s in &squares {
                        match code % 3 {
                            1 => mover |= Bitboard::of(s).0,
                            2 => opponent |= Bitboard::of(s).0,
                            _ => {}
                        }
                        code /= 3;
                    }
                    let expected = naive::flips(mover, opponent, square);
                    assert_eq!(portable::flips(mover, opponent, square), expected);
                    let (mover, opponent) = (Bitboard(mover), Bitboard(opponent));
                    assert_eq!(flips(mover, opponent, square).0, expected);
                }
            }
        }
    }

    #[test]
    fn late_flips_equal_flips_beside_any_empty_squares() {
        // One to four squares of every board are empty, the others full.
        let mut random = Seeded::new(29);
        let of = |squares: &[Square]| {
            squares.iter().fold(Bitboard::EMPTY, |set, square| set | Bitboard::of(*square))
        };
        for board in random_discs(23, 60_000) {
            let squares = [(); 4].map(|()| Square::from_index(random.below(64) as u32));
            let [a, b, c, d] = squares;
            if of(&squares).count() < 4 {
                continue;
            }
            let expected = |mover: Bitboard, others: &[Square]| {
                let opponent = !(mover | of(others) | Bitboard::of(a));
                Bitboard(naive::flips(mover.0, opponent.0, a))
            };
            let mover = board.mover() - of(&squares);
            assert_eq!(late_flips(mover, a, []), expected(mover, &[]));
            assert_eq!(late_flips(mover, a, [b]), expected(mover, &[b]), "{a} {b}");
            assert_eq!(late_flips(mover, a, [b, c]), expected(mover, &[b, c]), "{a} {b} {c}");
            assert_eq!(late_flips(mover, a, [b, c, d]), expected(mover, &[b, c, d]), "{squares:?}");
        }
    }

    #[test]
    fn last_flips_equal_the_flips_of_a_full_board() {
        for board in random_discs(3, 20_000) {
            for square in Square::ALL {
                let mover = board.mover() - Bitboard::of(square);
                let opponent = !mover - Bitboard::of(square);
                let count = |mover: Bitboard, opponent: Bitboard| {
                    naive::flips(mover.0, opponent.0, square).count_ones() as i32
                };
                let expected =
                    LastFlips { mover: count(mover, opponent), opponent: count(opponent, mover) };
                assert_eq!(last_flips(mover, square), expected, "{square}");
            }
        }
    }
}
