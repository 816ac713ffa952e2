use discern_board::{Bitboard, Square};

/// Which of the four quadrants hold an odd number of empty squares, one bit
/// each. Whoever moves last in a region gains from it, so a move into an odd
/// quadrant is tried first.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Parity(u8);

/// The quadrant's bit of every square.
const QUADRANT: [u8; 64] = {
    let mut bits = [0; 64];
    let mut square = 0;
    while square < 64 {
        bits[square] = 1 << ((square >> 2 & 1) + (square >> 4 & 2));
        square += 1;
    }
    bits
};

/// The squares of the odd quadrants for every parity.
const ODD: [Bitboard; 16] = {
    let mut sets = [Bitboard::EMPTY; 16];
    let mut parity = 0;
    while parity < 16 {
        let mut square = 0;
        while square < 64 {
            if QUADRANT[square] & parity as u8 != 0 {
                sets[parity].0 |= 1 << square;
            }
            square += 1;
        }
        parity += 1;
    }
    sets
};

impl Parity {
    /// The parity of these empty squares.
    #[inline]
    pub fn of(empty: Bitboard) -> Parity {
        let quadrants: [u64; 4] = [0x0f0f_0f0f, 0xf0f0_f0f0, 0x0f0f_0f0f << 32, 0xf0f0_f0f0 << 32];
        let mut bits = 0;
        for (i, quadrant) in quadrants.into_iter().enumerate() {
            bits |= ((empty.0 & quadrant).count_ones() as u8 & 1) << i;
        }
        Parity(bits)
    }

    /// The parity after `square` is filled.
    #[inline(always)]
    pub fn without(self, square: Square) -> Parity {
        Parity(self.0 ^ QUADRANT[square.index()])
    }

    /// The sixteen squares around this one.
    #[inline(always)]
    pub fn quadrant(square: Square) -> Bitboard {
        let corner = square.index() & 0b100_100;
        Bitboard(0x0f0f_0f0f << corner)
    }

    /// Is the number of empty squares around this one odd?
    #[inline(always)]
    pub fn is_odd(self, square: Square) -> bool {
        self.0 & QUADRANT[square.index()] != 0
    }

    /// All squares of odd quadrants.
    #[inline(always)]
    pub fn odd_squares(self) -> Bitboard {
        ODD[usize::from(self.0 & 15)]
    }
}

#[cfg(test)]
mod tests {
    use discern_board::testing::random_game_boards;

    use super::*;

    #[test]
    fn parity_counts_empty_squares_by_quadrant() {
        for board in random_game_boards(1, 50) {
            let empty = board.empty();
            let parity = Parity::of(empty);
            for square in Square::ALL {
                let same_quadrant = |other: &Square| {
                    (other.column() / 4, other.row() / 4) == (square.column() / 4, square.row() / 4)
                };
                let odd = empty.squares().filter(same_quadrant).count() % 2 == 1;
                assert_eq!(parity.is_odd(square), odd);
                assert_eq!(parity.odd_squares().contains(square), odd);
                let quadrant = Square::ALL.iter().filter(|s| same_quadrant(s));
                assert_eq!(Parity::quadrant(square).squares().count(), 16);
                assert!(quadrant.copied().all(|s| Parity::quadrant(square).contains(s)));
                if empty.contains(square) {
                    let rest = empty - Bitboard::of(square);
                    assert_eq!(parity.without(square), Parity::of(rest));
                }
            }
        }
    }
}
