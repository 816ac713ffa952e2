use super::lookup::Entries;
use crate::patterns::{
    GROUP_OF_QUAD, GROUPS, Indices, PAPER_ENTRIES, PAPER_GROUPS, PAPER_LANES, QUAD, mobility_table,
};
use crate::tables::expanded;
use crate::{Feature, TableSet, TableValue};

/// Tables for the features themselves: every entry is one 64-bit word with
/// up to four numbers of 16 bits in it, so that one addition per lookup adds
/// to two scalars of lines and one or two pattern features at once.
///
/// The numbers are added as in a sum of digits, Σ numberᵢ 2^(16 i), with
/// negative digits; adding half the range to each digit at the end makes them
/// independent again.
#[derive(Debug, Clone)]
pub(super) struct Packed {
    entries: Entries<i64>,
}

/// Groups of the paper's lookups that add to the same word: two groups with one pattern
/// feature each, or one with two.
const WORD_OF_GROUP: [(usize, usize); PAPER_GROUPS] = {
    let mut words = [(0, 0); PAPER_GROUPS];
    let (mut next, mut half_full, mut g) = (0, None, 0);
    while g < PAPER_GROUPS {
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
    while g < PAPER_GROUPS {
        if WORD_OF_GROUP[g].0 + 1 > words {
            words = WORD_OF_GROUP[g].0 + 1;
        }
        g += 1;
    }
    words
};

/// The word of each quad of lanes.
const WORD_OF_QUAD: [usize; PAPER_LANES / QUAD] = {
    let mut words = [0; PAPER_LANES / QUAD];
    let mut quad = 0;
    while quad < PAPER_LANES / QUAD {
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

/// The scalars of lines that have a digit: there is room for two.
fn line_features() -> impl Iterator<Item = (usize, Feature)> {
    Feature::all().filter(|feature| feature.of_line().is_some()).take(2).enumerate()
}

impl Packed {
    pub(super) fn new(set: &TableSet) -> Packed {
        let counts: Vec<_> = line_features().filter_map(|(_, feature)| feature.of_line()).collect();
        let mut entries = vec![0i64; PAPER_ENTRIES];
        for (group, &(_, half)) in GROUPS.iter().zip(&WORD_OF_GROUP) {
            let table = &mut entries[group.offset..][..group.pattern().configurations()];
            for (nth, part) in group.patterns().enumerate() {
                let shift = 32 + 16 * (half + nth);
                let steps = expanded(part, set.classes(part));
                let word = |(&steps, line): (&i16, _)| {
                    let digits = (0..)
                        .zip(&counts)
                        .map(|(digit, count)| i64::from(count(line)) << (16 * digit));
                    (i64::from(steps) << shift) + digits.sum::<i64>()
                };
                let words: Vec<i64> = steps.iter().zip(mobility_table(part)).map(word).collect();
                for run in table.chunks_exact_mut(words.len()) {
                    run.iter_mut().zip(&words).for_each(|(entry, word)| *entry += word);
                }
            }
        }
        Packed { entries: Entries::new(&entries) }
    }

    /// Where a feature is in the vector, and how much one step of it is;
    /// `None` for one that is not packed.
    pub(super) fn slot(feature: Feature) -> Option<(usize, f64)> {
        let Some(pattern) = feature.pattern() else {
            let (place, _) = line_features().find(|&(_, other)| other == feature)?;
            return Some((2 * WORDS + place, 1.0));
        };
        GROUPS.iter().zip(&WORD_OF_GROUP).find_map(|(group, &(word, half))| {
            let nth = group.patterns().position(|part| part == pattern)?;
            Some((2 * word + half + nth, 1.0 / TableValue::STEPS))
        })
    }

    /// The features of the board with these indices, in steps.
    #[inline(always)]
    pub(super) fn features(&self, indices: &Indices) -> [f32; SLOTS] {
        let mut words = [0i64; WORDS];
        for (word, sum) in WORD_OF_QUAD.iter().zip(self.entries.sums::<i64, _, _>(indices)) {
            words[*word] += sum;
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
    use crate::Features;
    use crate::basis::tests::arbitrary_basis;

    #[test]
    fn unpacked_features_are_those_of_the_definition() {
        let basis = arbitrary_basis(Features::default(), 21);
        let packed: Vec<Packed> = basis.tables().sets().iter().map(Packed::new).collect();
        for board in random_game_boards(22, 100).chain(random_discs(23, 5000)) {
            let stage = basis.tables().stages().at(board.discs() as usize);
            let x = packed[stage].features(&Indices::of(&board));
            for (&feature, value) in basis.features().iter().zip(basis.values(&board)) {
                let (slot, unit) = Packed::slot(feature).unwrap();
                assert_eq!(f64::from(x[slot]) * unit, value, "{feature} of {board:?}");
            }
        }
    }
}
