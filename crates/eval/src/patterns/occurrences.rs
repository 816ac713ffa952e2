use std::sync::LazyLock;

use super::{Lanes, LineMobility, PATTERNS};

/// A configuration of a scored pattern somewhere on a board.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Occurrence {
    /// Number of the pattern.
    pub pattern: usize,
    /// The configuration as the mover sees it.
    pub configuration: usize,
}

/// The mobility of every configuration of a pattern, computed once.
pub(crate) fn mobility_table(pattern: usize) -> &'static [LineMobility] {
    static ALL: LazyLock<Vec<Vec<LineMobility>>> = LazyLock::new(|| {
        let of = |pattern: &super::Pattern| {
            (0..pattern.configurations()).map(|c| LineMobility::of(pattern, c)).collect()
        };
        PATTERNS.iter().map(of).collect()
    });
    &ALL[pattern]
}

impl<const START: usize, const WIDTH: usize> Lanes<START, WIDTH> {
    /// The configurations of all instances of all scored patterns that are here.
    #[inline]
    pub fn occurrences(&self, mut visit: impl FnMut(Occurrence)) {
        self.configurations(|pattern, configuration| {
            if PATTERNS[pattern].scored {
                visit(Occurrence { pattern, configuration });
            }
        });
    }

    /// The mobility measures MOB and PMOB: the sums over all lines.
    pub fn mobility(&self) -> LineMobility {
        let mut sum = LineMobility::default();
        self.configurations(|pattern, configuration| {
            let line = mobility_table(pattern)[configuration];
            sum.moves += line.moves;
            sum.potential += line.potential;
        });
        sum
    }

    /// Every instance of every pattern, the extended ones included.
    #[inline]
    fn configurations(&self, mut visit: impl FnMut(usize, usize)) {
        for (group, lanes) in self.groups() {
            let pattern = group.pattern();
            for &lane in lanes {
                let configuration = pattern.centre().wrapping_add_signed(isize::from(lane));
                visit(group.pattern, configuration);
                if let Some(base) = pattern.extends {
                    // Its squares come first: the low digits.
                    visit(base, configuration % PATTERNS[base].configurations());
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use discern_board::testing::{random_discs, random_game_boards};

    use super::*;
    use crate::basis::tests::arbitrary_basis;
    use crate::patterns::AllIndices;
    use crate::{Feature, Features};

    #[test]
    fn occurrences_and_mobility_give_the_features_of_the_definition() {
        let basis = arbitrary_basis(Features::all(), 51);
        for board in random_game_boards(52, 30).chain(random_discs(53, 1000)) {
            let (indices, set) =
                (AllIndices::of(&board), basis.tables().at(board.discs() as usize));
            let mut sums = [0.0; PATTERNS.len()];
            indices.occurrences(|Occurrence { pattern, configuration }| {
                sums[pattern] += set.value(pattern, configuration).value();
            });
            let lines = indices.mobility();
            let value = |feature: &Feature| {
                feature.value(&board, &lines).or(feature.pattern().map(|pattern| sums[pattern]))
            };
            let found: Option<Vec<f64>> = basis.features().iter().map(value).collect();
            assert_eq!(found.unwrap(), basis.values(&board), "{board:?}");
        }
    }
}
