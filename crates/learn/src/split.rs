use std::collections::HashSet;

use crate::ClassifiedPosition;

/// A number in [0, 1) that depends on the group and the seed only: what deals
/// groups to tables and weights, or to training and test.
pub fn deal(group: u32, seed: u64) -> f64 {
    // The upper 53 bits: exact in f64, and below 1.
    (mix(group, seed) >> 11) as f64 / 2f64.powi(53)
}

/// 64 bits that look random (SplitMix64): neighbouring numbers end up far
/// apart.
pub(crate) fn mix(number: u32, seed: u64) -> u64 {
    let mut z = (u64::from(number) ^ seed << 32).wrapping_add(0x9e37_79b9_7f4a_7c15);
    z = (z ^ z >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ z >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ z >> 31
}

/// Positions to learn from and positions to test on, of different games and
/// without a common position.
#[derive(Debug, Clone)]
pub struct Split {
    /// To learn from.
    pub training: Vec<ClassifiedPosition>,
    /// To test on.
    pub test: Vec<ClassifiedPosition>,
    /// Test positions that were dropped because they also occur in training:
    /// of human games 98 % at 12 discs and 37 % at 24.
    pub duplicates: usize,
    /// Positions that were dropped because groups of both sides may share them.
    pub shared: usize,
}

impl Split {
    /// Keeps about this share of the groups apart for the test.
    pub fn by_group(positions: &[ClassifiedPosition], test_share: f64, seed: u64) -> Split {
        let own = positions.iter().copied().filter(|position| !position.shared);
        let (mut test, training): (Vec<_>, Vec<_>) =
            own.partition(|p| deal(p.group, seed) < test_share);
        let shared = positions.len() - test.len() - training.len();
        let known: HashSet<_> = training.iter().map(|position| position.board).collect();
        let before = test.len();
        test.retain(|position| !known.contains(&position.board));
        let duplicates = before - test.len();
        Split { training, test, duplicates, shared }
    }
}

#[cfg(test)]
mod tests {

    use super::*;
    use crate::testing::classified_random_games;

    #[test]
    fn training_and_test_share_neither_games_nor_positions() {
        let mut positions = classified_random_games(1, 300);
        positions[1000].shared = true;
        let split = Split::by_group(&positions, 0.3, 7);
        assert_eq!(split.shared, 1);
        let boards: HashSet<_> = split.training.iter().map(|p| p.board).collect();
        let groups: HashSet<_> = split.training.iter().map(|p| p.group).collect();
        assert!(split.test.iter().all(|p| !boards.contains(&p.board)));
        assert!(split.test.iter().all(|p| !groups.contains(&p.group)));
        let dropped = split.duplicates + split.shared;
        assert_eq!(split.training.len() + split.test.len() + dropped, positions.len());
        // Random games share their first moves and hardly anything later.
        assert!(split.duplicates > 90 && split.duplicates < positions.len() / 10);
    }

    #[test]
    fn groups_are_dealt_evenly_and_differently_by_each_seed() {
        let share = |seed| (0..10_000).filter(|&g| deal(g, seed) < 0.2).count();
        assert!((1800..2200).contains(&share(1)) && (1800..2200).contains(&share(2)));
        let both = (0..10_000).filter(|&g| deal(g, 1) < 0.2 && deal(g, 2) < 0.2).count();
        assert!((300..500).contains(&both), "{both}");
    }
}
