//! What the paper reports (Buro 1995, Section 4): the yardstick.

use discern_arena::stats::Tally;
use serde::{Deserialize, Serialize};

/// The three models by name, in one and the same program.
pub const PLAYERS: [&str; 3] = ["log", "fisher", "quad"];

/// A row of Table 1.
#[derive(Debug, Clone, Copy)]
pub struct Row {
    /// The two models by name.
    pub players: [&'static str; 2],
    /// Minutes for a game.
    pub minutes: [f64; 2],
    /// Games of the first player.
    pub result: Tally,
    /// What the paper concludes from it.
    pub conclusion: Conclusion,
}

/// What a row says of its players.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Conclusion {
    /// The first player is stronger.
    Stronger,
    /// With this handicap they are equal.
    Equal,
}

/// Minutes a side has for a game without handicap.
pub const MINUTES: f64 = 30.0;

/// Table 1.
pub const TABLE: [Row; 7] = {
    use Conclusion::{Equal, Stronger};
    const fn row(
        players: [&'static str; 2],
        second: f64,
        [wins, draws, losses]: [u64; 3],
        conclusion: Conclusion,
    ) -> Row {
        let result = Tally { wins, draws, losses };
        Row { players, minutes: [MINUTES, second], result, conclusion }
    }
    [
        row(["log", "quad"], 30.0, [116, 15, 69], Stronger),
        row(["fisher", "quad"], 30.0, [112, 15, 73], Stronger),
        row(["log", "fisher"], 30.0, [93, 35, 72], Stronger),
        row(["log", "fisher"], 36.0, [86, 24, 90], Equal),
        row(["log", "quad"], 38.0, [93, 33, 74], Stronger),
        row(["fisher", "quad"], 38.0, [84, 30, 86], Equal),
        row(["log", "quad"], 45.0, [88, 26, 86], Equal),
    ]
};

/// Time factors of equal strength: stronger, weaker, factor. The first two
/// are stated; the third is that of the balanced row FISHER–QUAD 30–38.
pub const FACTORS: [(&str, &str, f64); 3] =
    [("log", "fisher", 1.2), ("log", "quad", 1.5), ("fisher", "quad", 38.0 / 30.0)];

/// Speed of the search with QUAD over that with LOG.
pub const QUAD_SPEED: f64 = 0.8;

/// Openings, and those that always led to balanced pairs.
pub const OPENINGS: usize = 100;
/// See [`OPENINGS`].
pub const BALANCED_OPENINGS: usize = 6;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_has_two_hundred_games_a_row_and_the_percentages_printed() {
        let printed = [61.8, 59.8, 55.3, 49.0, 54.8, 49.5, 50.5];
        for (row, printed) in TABLE.iter().zip(printed) {
            assert_eq!(row.result.games(), 2 * OPENINGS as u64);
            let percentage = row.result.percentage();
            assert!((percentage - printed).abs() <= 0.0501, "{percentage} {printed}");
        }
    }
}
