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

/// The squares of `mask` that `bits` stands for: undoes [`gather`].
#[inline(always)]
pub(super) fn spread(bits: usize, mask: Bitboard) -> Bitboard {
    #[cfg(target_feature = "bmi2")]
    {
        // SAFETY: as above.
        Bitboard(unsafe { std::arch::x86_64::_pdep_u64(bits as u64, mask.0) })
    }
    #[cfg(not(target_feature = "bmi2"))]
    {
        spread_portable(bits, mask)
    }
}

/// [`spread`] on every machine.
#[cfg(any(test, not(target_feature = "bmi2")))]
fn spread_portable(bits: usize, mask: Bitboard) -> Bitboard {
    let chosen = mask.squares().enumerate().filter(|(i, _)| bits >> i & 1 != 0);
    chosen.fold(Bitboard::EMPTY, |set, (_, square)| set | Bitboard::of(square))
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
            let bits = gather(set, mask);
            assert_eq!(bits, gather_portable(set, mask));
            assert_eq!(spread(bits, mask), set & mask);
            assert_eq!(spread_portable(bits, mask), set & mask);
        }
    }
}
