use discern_board::Board;

use crate::Features;
use crate::scalars::Count;

/// What the counts of a board add to a folded sum.
#[derive(Debug, Clone)]
pub(super) struct CountTables([[i32; Count::BEYOND]; Count::ALL.len()]);

impl CountTables {
    /// Of the features that are counts, `unit` steps of the sum for one:
    /// `weight(place, n)` is what the number n of the feature at this place
    /// adds. `None` without such features.
    pub(super) fn new(
        features: &Features,
        unit: f64,
        weight: impl Fn(usize, usize) -> f64,
    ) -> Option<CountTables> {
        let mut tables = CountTables([[0; Count::BEYOND]; Count::ALL.len()]);
        let mut some = false;
        for (place, feature) in features.iter().enumerate() {
            let Some(count) = feature.of_count() else { continue };
            let step = |n| (weight(place, n) * unit).round() as i32;
            tables.0[count as usize] = std::array::from_fn(step);
            some = true;
        }
        some.then_some(tables)
    }

    #[inline(always)]
    pub(super) fn sum(&self, board: &Board) -> i32 {
        Count::ALL.iter().zip(&self.0).map(|(count, table)| table[count.of(board)]).sum()
    }
}
