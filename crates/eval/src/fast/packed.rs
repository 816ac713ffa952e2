use super::lookup::Entries;
use crate::patterns::{
    ENTRIES, GROUP_COUNT, GROUP_OF_QUAD, GROUPS, Indices, LANES, QUAD, mobility_table,
};
use crate::weights::Expanded;
use crate::{Feature, TableValue};

/// Tables for the features themselves: every entry is one 64-bit word with
/// up to four numbers of 16 bits in it, so that one addition per lookup adds
/// to mobility, potential mobility and one or two pattern features at once.
///
/// The numbers are added as in a sum of digits, Σ numberᵢ 2^(16 i), with
/// negative digits; adding half the range to each digit at the end makes them
/// independent again.
#[derive(Debug, Clone)]
pub(super) struct Packed {
    entries: Entries<i64>,
}

/// Groups of lookups that add to the same word: two groups with one pattern
/// feature each, or one with two.
const WORD_OF_GROUP: [(usize, usize); GROUP_COUNT] = {
    let mut words = [(0, 0); GROUP_COUNT];
    let (mut next, mut half_full, mut g) = (0, None, 0);
    while g < GROUP_COUNT {
        let pattern = GROUPS[g].pattern();
        if pattern.extends.is_some() {
            words[g] = (next, 0);
            next += 1;
        } else if let Some(word) = half_full {
            words[g] = (word, 1);
            half_full = None;
        } else {
            words[g] = (next, 0);
            half_full = Some(next);
            next += 1;
        }
        g += 1;
    }
    words
};

/// How many words are summed.
const WORDS: usize = {
    let (mut words, mut g) = (0, 0);
    while g < GROUP_COUNT {
        if WORD_OF_GROUP[g].0 + 1 > words {
            words = WORD_OF_GROUP[g].0 + 1;
        }
        g += 1;
    }
    words
};

/// The word of each quad of lanes.
const WORD_OF_QUAD: [usize; LANES / QUAD] = {
    let mut words = [0; LANES / QUAD];
    let mut quad = 0;
    while quad < LANES / QUAD {
        words[quad] = WORD_OF_GROUP[GROUP_OF_QUAD[quad]].0;
        quad += 1;
    }
    words
};

/// Numbers of a feature vector: two per word, the two mobilities, and zeros
/// that fill whole vectors of eight.
pub(super) const SLOTS: usize = USED.next_multiple_of(8);
/// Those that are not always zero.
pub(super) const USED: usize = 2 * WORDS + 2;

/// Half the range of each of the four numbers.
const MIDDLE: i64 = 0x8000_8000_8000_8000_u64 as i64;

impl Packed {
    pub(super) fn new(set: &Expanded) -> Packed {
        let mut entries = vec![0i64; ENTRIES];
        for (group, &(_, half)) in GROUPS.iter().zip(&WORD_OF_GROUP) {
            let table = &mut entries[group.offset..][..group.pattern().configurations()];
            for (nth, part) in group.patterns().enumerate() {
                let shift = 32 + 16 * (half + nth);
                let (steps, mobility) = (set.steps(part), mobility_table(part));
                for run in table.chunks_exact_mut(steps.len()) {
                    for (i, entry) in run.iter_mut().enumerate() {
                        *entry += (i64::from(steps[i]) << shift)
                            + i64::from(mobility[i].moves)
                            + (i64::from(mobility[i].potential) << 16);
                    }
                }
            }
        }
        Packed { entries: Entries::new(&entries) }
    }

    /// Where a feature is in the vector, and how much one step of it is.
    pub(super) fn slot(feature: Feature) -> (usize, f64) {
        let Some(pattern) = feature.pattern() else {
            return (2 * WORDS + feature.index(), 1.0);
        };
        for (group, &(word, half)) in GROUPS.iter().zip(&WORD_OF_GROUP) {
            if let Some(nth) = group.patterns().position(|part| part == pattern) {
                return (2 * word + half + nth, 1.0 / TableValue::STEPS);
            }
        }
        unreachable!("every pattern is in a group")
    }

    /// The features of the board with these indices, in steps.
    #[inline(always)]
    pub(super) fn features(&self, indices: &Indices) -> [f32; SLOTS] {
        let mut words = [0i64; WORDS];
        for (quad, sum) in self.entries.sums::<i64>(indices).into_iter().enumerate() {
            words[WORD_OF_QUAD[quad]] += sum;
        }
        let mut x = [0f32; SLOTS];
        // The low halves alone, since the high ones of all words together
        // could overflow.
        let mut mobility = 0i32;
        for (word, &sum) in words.iter().enumerate() {
            mobility = mobility.wrapping_add(sum as i32);
            let digits = sum.wrapping_add(MIDDLE) ^ MIDDLE;
            x[2 * word] = f32::from((digits >> 32) as i16);
            x[2 * word + 1] = f32::from((digits >> 48) as i16);
        }
        let digits = mobility.wrapping_add(MIDDLE as i32) ^ MIDDLE as i32;
        x[2 * WORDS] = f32::from(digits as i16);
        x[2 * WORDS + 1] = f32::from((digits >> 16) as i16);
        x
    }
}

#[cfg(test)]
mod tests {
    use discern_board::testing::{random_discs, random_game_boards};

    use super::*;
    use crate::tables::tests::arbitrary;

    #[test]
    fn unpacked_features_are_those_of_the_definition() {
        let set = arbitrary(21);
        let packed = Packed::new(&Expanded::new(&set));
        for board in random_game_boards(22, 100).chain(random_discs(23, 5000)) {
            let x = packed.features(&Indices::of(&board));
            for (feature, value) in Feature::ALL.into_iter().zip(set.features(&board)) {
                let (slot, unit) = Packed::slot(feature);
                assert_eq!(f64::from(x[slot]) * unit, value, "{feature} of {board:?}");
            }
        }
    }
}
