use discern_board::{Bitboard, Board};

use crate::patterns::{
    AllIndices, Indices, Line, LineMobility, Occurrence, PATTERNS, configurations,
};
use crate::{Feature, Features, Tables};

/// What the models of a weight file have in common: the list of features and
/// the tables of those that are patterns.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Basis {
    features: Features,
    tables: Tables,
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

impl Basis {
    /// Features and their tables.
    ///
    /// # Panics
    /// If a pattern of the features has no table.
    pub fn new(features: Features, tables: Tables) -> Basis {
        for set in tables.sets() {
            assert!(features.patterns().all(|pattern| set.has(pattern)), "a table is missing");
        }
        Basis { features, tables }
    }

    /// The features, in the order of every model's numbers.
    pub fn features(&self) -> &Features {
        &self.features
    }

    /// The tables of the patterns.
    pub fn tables(&self) -> &Tables {
        &self.tables
    }

    /// The features of a board as they are defined, instance by instance: the
    /// reference for everything fast.
    pub fn values(&self, board: &Board) -> Vec<f64> {
        self.values_of(board, &self.instances(board))
    }

    /// The same when the instances are there already.
    pub(crate) fn values_of(&self, board: &Board, instances: &[Instance]) -> Vec<f64> {
        let lines = Indices::of(board).mobility();
        let sum = |&feature: &Feature| {
            let own = instances.iter().filter(|instance| instance.feature == feature);
            feature.value(board, &lines).unwrap_or_else(|| own.map(|own| own.value).sum())
        };
        self.features.iter().map(sum).collect()
    }

    /// The sum of the table values of each pattern.
    pub(crate) fn pattern_sums(&self, board: &Board) -> [f64; PATTERNS.len()] {
        let (mut sums, set) = ([0.0; PATTERNS.len()], self.tables.at(board.discs() as usize));
        AllIndices::of(board).occurrences(|Occurrence { pattern, configuration }| {
            sums[pattern] += set.value(pattern, configuration).value();
        });
        sums
    }

    /// What every instance of every feature adds to it. A scalar that is no
    /// sum over lines has no instances.
    pub fn instances(&self, board: &Board) -> Vec<Instance> {
        let set = self.tables.at(board.discs() as usize);
        let mut found = Vec::new();
        for (number, pattern) in PATTERNS.iter().enumerate() {
            for (squares, configuration) in configurations(number, board) {
                let mobility = LineMobility::of(pattern, configuration);
                for &feature in self.features.iter() {
                    let value = match (feature.pattern(), feature.of_line()) {
                        (Some(own), _) if own == number => set.value(number, configuration).value(),
                        (_, Some(value)) if pattern.line != Line::No => f64::from(value(&mobility)),
                        _ => continue,
                    };
                    found.push(Instance { feature, squares, value });
                }
            }
        }
        found
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use discern_board::Symmetry;
    use discern_board::testing::{random_discs, random_game_boards};

    use super::*;
    use crate::tables::tests::arbitrary;
    use crate::{Stages, Tables};

    /// All features, or some, with tables of arbitrary values.
    pub(crate) fn arbitrary_basis(features: Features, seed: u64) -> Basis {
        let stages = Stages::default();
        let sets = (0..stages.count() as u64).map(|stage| arbitrary(&features, seed + stage));
        Basis::new(features.clone(), Tables::new(stages, sets.collect()))
    }

    #[test]
    fn all_eight_images_have_the_same_features() {
        let basis = arbitrary_basis(Features::all(), 1);
        for board in random_game_boards(2, 20).chain(random_discs(3, 200)) {
            let values = basis.values(&board);
            for symmetry in Symmetry::ALL {
                let image = basis.values(&symmetry.board(board));
                for ((a, b), feature) in values.iter().zip(&image).zip(basis.features().iter()) {
                    assert!((a - b).abs() < 1e-9, "{feature}: {a} and {b} for {board:?}");
                }
            }
        }
    }

    #[test]
    fn swapped_colours_negate_every_feature_of_the_paper() {
        let basis = arbitrary_basis(Features::default(), 4);
        for board in random_game_boards(5, 20).chain(random_discs(6, 200)) {
            for (own, other) in basis.values(&board).iter().zip(basis.values(&board.pass())) {
                assert!((own + other).abs() < 1e-9);
            }
        }
    }

    #[test]
    fn instances_add_up_to_their_feature_and_lie_on_its_squares() {
        let basis = arbitrary_basis(Features::default(), 7);
        for board in random_game_boards(8, 5) {
            let instances = basis.instances(&board);
            for (&feature, value) in basis.features().iter().zip(basis.values(&board)) {
                let own: Vec<_> = instances.iter().filter(|i| i.feature == feature).collect();
                let sum: f64 = own.iter().map(|instance| instance.value).sum();
                assert!((sum - value).abs() < 1e-9);
                let squares = feature.pattern().map(|p| PATTERNS[p].squares.len() as u32);
                assert!(own.iter().all(|i| squares.is_none_or(|s| i.squares.count() == s)));
            }
        }
    }
}
