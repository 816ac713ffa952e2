/// Seeded random numbers (SplitMix64): the same on every machine, for ever.
/// Games, samples and intervals that were published depend on them.
///
/// ```
/// let mut dice = discern_board::Dice::new(&[1995, 7]);
/// assert_eq!(dice.next_u64(), 0xf4b0_97bc_aa38_51be);
/// assert!(dice.below(6) < 6);
/// ```
#[derive(Debug, Clone)]
pub struct Dice(u64);

impl Dice {
    /// Dice whose throws depend on all of these numbers.
    pub fn new(numbers: &[u64]) -> Dice {
        let mut dice = Dice(0);
        for &number in numbers {
            dice.0 = dice.next_u64() ^ number;
        }
        dice.next_u64();
        dice
    }

    /// The next 64 bits.
    pub fn next_u64(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.0 ^ self.0 >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ mixed >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ mixed >> 31
    }

    /// A number below `bound`, which must not be 0. The upper half of a
    /// product: its bias is below 2⁻³² for the small bounds used here.
    pub fn below(&mut self, bound: u64) -> u64 {
        ((u128::from(self.next_u64()) * u128::from(bound)) >> 64) as u64
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_number_matters_and_so_does_its_place() {
        let first = |numbers: &[u64]| Dice::new(numbers).next_u64();
        let all = [first(&[1, 2]), first(&[2, 1]), first(&[1, 3]), first(&[0, 2]), first(&[1])];
        for (i, a) in all.iter().enumerate() {
            assert!(all[..i].iter().all(|b| a != b));
        }
    }

    #[test]
    fn throws_are_even() {
        let mut dice = Dice::new(&[7]);
        let mut counts = [0; 6];
        (0..60_000).for_each(|_| counts[dice.below(6) as usize] += 1);
        assert!(counts.iter().all(|count| (9_600..10_400).contains(count)), "{counts:?}");
    }
}
