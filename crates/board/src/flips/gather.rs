#![allow(unsafe_code)]

use crate::Bitboard;

/// The squares of `set` under `mask` as a number: bit *i* stands for the
/// *i*-th square of the mask.
#[inline(always)]
pub fn gather(set: Bitboard, mask: Bitboard) -> usize {
    #[cfg(target_feature = "bmi2")]
    {
        // SAFETY: compiled only when the whole build targets BMI2, and the
        // program checks the processor before it does anything else.
        unsafe { std::arch::x86_64::_pext_u64(set.0, mask.0) as usize }
    }
    #[cfg(not(target_feature = "bmi2"))]
    {
        gather_portable(set, mask)
    }
}

/// [`gather`] on every machine.
#[cfg(any(test, not(target_feature = "bmi2")))]
fn gather_portable(set: Bitboard, mask: Bitboard) -> usize {
    let bit = |(i, square)| usize::from(set.contains(square)) << i;
    mask.squares().enumerate().map(bit).sum()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::random_discs;

    #[test]
    fn the_squares_of_the_mask_become_the_low_bits() {
        assert_eq!(gather_portable(Bitboard(0b1101_0010), Bitboard(0b1010_1010)), 0b1001);
        for board in random_discs(5, 10_000) {
            let (set, mask) = (board.mover(), board.opponent() | Bitboard(board.mover().0 << 3));
            assert_eq!(gather(set, mask), gather_portable(set, mask));
        }
    }
}
