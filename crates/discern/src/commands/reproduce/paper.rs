//! What the paper reports (Buro 1995, Section 4): the yardstick.

use discern_search::Model;

/// The three players, the same program but for the combination of features.
pub const PLAYERS: [Model; 3] = [Model::Log, Model::Fisher, Model::Quad];

/// A row of Table 1.
pub struct Row {
    pub players: [Model; 2],
    /// Minutes for a game.
    pub minutes: [f64; 2],
    /// Wins, draws and losses of the first player.
    pub result: [usize; 3],
    /// What the paper concludes from it.
    pub claim: Claim,
}

/// What a row says of its players.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Claim {
    /// The first player is stronger.
    Stronger,
    /// With this handicap they are equal.
    Equal,
}

/// Minutes a side has for a game without handicap.
pub const MINUTES: f64 = 30.0;

/// Table 1.
pub const TABLE: [Row; 7] = {
    use Claim::{Equal, Stronger};
    use Model::{Fisher, Log, Quad};
    const fn row(players: [Model; 2], second: f64, result: [usize; 3], claim: Claim) -> Row {
        Row { players, minutes: [MINUTES, second], result, claim }
    }
    [
        row([Log, Quad], 30.0, [116, 15, 69], Stronger),
        row([Fisher, Quad], 30.0, [112, 15, 73], Stronger),
        row([Log, Fisher], 30.0, [93, 35, 72], Stronger),
        row([Log, Fisher], 36.0, [86, 24, 90], Equal),
        row([Log, Quad], 38.0, [93, 33, 74], Stronger),
        row([Fisher, Quad], 38.0, [84, 30, 86], Equal),
        row([Log, Quad], 45.0, [88, 26, 86], Equal),
    ]
};

/// Time factors of equal strength: stronger, weaker, factor. The first two
/// are stated; the third is that of the balanced row FISHER–QUAD 30–38.
pub const FACTORS: [(Model, Model, f64); 3] = [
    (Model::Log, Model::Fisher, 1.2),
    (Model::Log, Model::Quad, 1.5),
    (Model::Fisher, Model::Quad, 38.0 / 30.0),
];

/// Speed of the search with QUAD over that with LOG.
pub const QUAD_SPEED: f64 = 0.8;

/// Openings, and those that always led to balanced pairs.
pub const OPENINGS: usize = 100;
pub const BALANCED_OPENINGS: usize = 6;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_has_two_hundred_games_a_row_and_the_percentages_printed() {
        let printed = [61.8, 59.8, 55.3, 49.0, 54.8, 49.5, 50.5];
        for (row, printed) in TABLE.iter().zip(printed) {
            let [wins, draws, losses] = row.result;
            assert_eq!(wins + draws + losses, 2 * OPENINGS);
            let percentage = 100.0 * (wins as f64 + draws as f64 / 2.0) / 200.0;
            assert!((percentage - printed).abs() <= 0.0501, "{percentage} {printed}");
        }
    }
}
