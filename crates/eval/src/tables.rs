use discern_board::{Bitboard, Board};

use crate::feature::{FEATURES, Feature};
use crate::patterns::instances::Instances;
use crate::patterns::{LineMobility, Orbits, PATTERNS};
use crate::phases::{FIRST_PHASE, LAST_PHASE};

/// The value of a configuration: how much more often than not the mover wins
/// where it occurs, V = P(W | configuration) − ½, in steps of 1/8192.
///
/// The step costs nothing in quality, and eight values add up within 16 bits.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct TableValue(i16);

impl TableValue {
    /// Steps in 1.
    pub const STEPS: f64 = 8192.0;
    const MAX: i16 = 4095;

    /// The nearest value to P(W) − ½.
    pub fn nearest(value: f64) -> TableValue {
        let max = f64::from(TableValue::MAX);
        TableValue((value * TableValue::STEPS).round().clamp(-max, max) as i16)
    }

    /// A number of steps; `None` if P(W) would not be between 0 and 1.
    pub fn from_steps(steps: i16) -> Option<TableValue> {
        (-TableValue::MAX..=TableValue::MAX).contains(&steps).then_some(TableValue(steps))
    }

    /// The number of steps.
    pub const fn steps(self) -> i16 {
        self.0
    }

    /// P(W) − ½.
    pub fn value(self) -> f64 {
        f64::from(self.0) / TableValue::STEPS
    }
}

/// The table of every scored pattern for one stage of the game.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TableSet {
    /// For each pattern the steps of each class of its configurations; none
    /// for a pattern that is not scored.
    steps: Vec<Vec<i16>>,
}

impl TableSet {
    /// Asks for the value of every class of configurations: `value(pattern,
    /// class)`.
    pub fn from_fn(mut value: impl FnMut(usize, usize) -> TableValue) -> TableSet {
        let table = |(number, pattern): (usize, &crate::patterns::Pattern)| {
            let classes = if pattern.scored { Orbits::of(number).classes() } else { 0 };
            (0..classes).map(|class| value(number, class).0).collect()
        };
        TableSet { steps: PATTERNS.iter().enumerate().map(table).collect() }
    }

    /// The value of a configuration of a pattern; 0 if it is not scored.
    pub fn value(&self, pattern: usize, configuration: usize) -> TableValue {
        let value = |signed: crate::patterns::Signed| {
            let steps = *self.steps[pattern].get(signed.class)?;
            Some(TableValue(if signed.swapped { -steps } else { steps }))
        };
        Orbits::of(pattern).class(configuration).and_then(value).unwrap_or_default()
    }

    /// The steps of each class of a pattern's configurations.
    pub fn classes(&self, pattern: usize) -> &[i16] {
        &self.steps[pattern]
    }

    /// The steps of every configuration of a pattern, all 0 if not scored.
    pub(crate) fn expanded(&self, pattern: usize) -> Vec<i16> {
        if PATTERNS[pattern].scored {
            Orbits::of(pattern).expand(&self.steps[pattern])
        } else {
            vec![0; PATTERNS[pattern].configurations()]
        }
    }

    /// The features of a board as they are defined, instance by instance: the
    /// reference for everything fast.
    pub fn features(&self, board: &Board) -> [f64; FEATURES] {
        let mut features = [0.0; FEATURES];
        for instance in self.instances(board) {
            features[instance.feature.index()] += instance.value;
        }
        features
    }

    /// What every instance of every feature adds to it.
    pub fn instances(&self, board: &Board) -> Vec<Instance> {
        let mut found = Vec::new();
        for (number, pattern) in PATTERNS.iter().enumerate() {
            let places = Instances::of(pattern);
            for place in &places.squares[..places.len] {
                let squares = &place[..pattern.squares.len()];
                let digit = |square| {
                    1 + usize::from(board.mover.contains(square))
                        - usize::from(board.opponent.contains(square))
                };
                let configuration =
                    squares.iter().rev().fold(0, |sum, &square| 3 * sum + digit(square));
                let squares: Bitboard = squares.iter().copied().collect();
                let mut add = |feature, value| found.push(Instance { feature, squares, value });
                if let Some(feature) = Feature::of_pattern(number) {
                    add(feature, self.value(number, configuration).value());
                }
                let mobility = LineMobility::of(pattern, configuration);
                if pattern.line != crate::patterns::Line::No {
                    add(Feature::MOBILITY, f64::from(mobility.moves));
                }
                if pattern.line == crate::patterns::Line::Inner {
                    add(Feature::POTENTIAL_MOBILITY, f64::from(mobility.potential));
                }
            }
        }
        found
    }
}

/// One place on the board and what it adds to a feature.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Instance {
    /// The feature.
    pub feature: Feature,
    /// The place.
    pub squares: Bitboard,
    /// P(W) − ½ of the configuration there, or its count of moves.
    pub value: f64,
}

/// Table sets for the whole game, each for a few adjacent disc counts.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Tables {
    stage: Stages,
    sets: Vec<TableSet>,
}

/// How the game is cut into stages with a table set each: the first begins
/// with four discs, the last takes what is left.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Stages {
    discs: usize,
}

impl Stages {
    /// Stages of this many disc counts, 1 to 61; `None` beyond.
    pub const fn new(discs: usize) -> Option<Stages> {
        if discs >= 1 && discs <= LAST_PHASE - FIRST_PHASE + 1 {
            Some(Stages { discs })
        } else {
            None
        }
    }

    /// Disc counts in a stage.
    pub const fn discs(self) -> usize {
        self.discs
    }

    /// How many stages there are. A rest of fewer disc counts than half a
    /// stage belongs to the last one.
    pub const fn count(self) -> usize {
        let phases = LAST_PHASE - FIRST_PHASE + 1;
        let rounded = (phases + self.discs / 2) / self.discs;
        if rounded == 0 { 1 } else { rounded }
    }

    /// The stage of a disc count.
    #[inline(always)]
    pub const fn at(self, discs: usize) -> usize {
        let stage = discs.saturating_sub(FIRST_PHASE) / self.discs;
        let last = self.count() - 1;
        if stage < last { stage } else { last }
    }

    /// The disc count in the middle of a stage.
    pub fn middle(self, stage: usize) -> f64 {
        let first = FIRST_PHASE + stage * self.discs;
        let last = if stage + 1 == self.count() { LAST_PHASE } else { first + self.discs - 1 };
        (first + last) as f64 / 2.0
    }
}

impl Default for Stages {
    /// Four disc counts, as the author of the paper had them.
    fn default() -> Stages {
        Stages { discs: 4 }
    }
}

impl Tables {
    /// Tables with one set per stage.
    ///
    /// # Panics
    /// If there are more or fewer sets than stages.
    pub fn new(stage: Stages, sets: Vec<TableSet>) -> Tables {
        assert_eq!(sets.len(), stage.count(), "one set per stage");
        Tables { stage, sets }
    }

    /// The stages of the sets.
    pub fn stages(&self) -> Stages {
        self.stage
    }

    /// The sets in the order of the stages.
    pub fn sets(&self) -> &[TableSet] {
        &self.sets
    }

    /// The set for a disc count.
    pub fn at(&self, discs: usize) -> &TableSet {
        &self.sets[self.stage.at(discs)]
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use discern_board::Symmetry;
    use discern_board::testing::{Seeded, random_discs, random_game_boards};

    use super::*;

    /// A table set of arbitrary values.
    pub(crate) fn arbitrary(seed: u64) -> TableSet {
        let mut random = Seeded::new(seed);
        TableSet::from_fn(|_, _| TableValue::from_steps(random.below(8191) as i16 - 4095).unwrap())
    }

    #[test]
    fn all_eight_images_have_the_same_features() {
        let tables = arbitrary(1);
        for board in random_game_boards(2, 20).chain(random_discs(3, 200)) {
            let features = tables.features(&board);
            for symmetry in Symmetry::ALL {
                let image = tables.features(&symmetry.board(board));
                for feature in Feature::ALL {
                    let (a, b) = (features[feature.index()], image[feature.index()]);
                    assert!((a - b).abs() < 1e-9, "{feature}: {a} and {b} for {board:?}");
                }
            }
        }
    }

    #[test]
    fn swapped_colours_negate_every_feature() {
        let tables = arbitrary(4);
        for board in random_game_boards(5, 20).chain(random_discs(6, 200)) {
            let features = tables.features(&board);
            let swapped = tables.features(&board.pass());
            for feature in Feature::ALL {
                assert!((features[feature.index()] + swapped[feature.index()]).abs() < 1e-9);
            }
        }
    }

    #[test]
    fn stages_cover_all_phases_in_order() {
        for discs in 1..=61 {
            let stages = Stages::new(discs).unwrap();
            let found: Vec<usize> = (FIRST_PHASE..=LAST_PHASE).map(|d| stages.at(d)).collect();
            assert!(found.is_sorted());
            assert_eq!((found[0], found[60] + 1), (0, stages.count()));
        }
        assert_eq!(Stages::default().count(), 15);
        assert_eq!([4, 7, 8, 59, 60, 64].map(|d| Stages::default().at(d)), [0, 0, 1, 13, 14, 14]);
        assert_eq!(Stages::default().middle(14), 62.0);
    }
}
