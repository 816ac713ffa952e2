//! What the games say: Table 1, balanced openings, time factors.

use discern_arena::stats::{EqualStrength, HandicapMatch, Summary};

use crate::matches::Played;
use crate::models::title;
use crate::paper::{FACTORS, Row, TABLE};
use crate::{MatchRow, TimeFactor};

/// A row of Table 1, the paper's and ours.
pub fn match_row(row: &Row, played: &Played, seed: u64) -> MatchRow {
    MatchRow {
        players: row.players.map(title),
        minutes: row.minutes,
        allowed: played.allowed,
        paper: row.result,
        ours: Summary::new(&played.pairs, seed),
        nodes_per_game: played.nodes,
        depth: played.depth,
        time_losses: played.time_losses,
    }
}

/// Openings all of whose pairs, in every row, were balanced.
pub fn balanced_openings(played: &[Played]) -> usize {
    let openings = played.first().map_or(0, |row| row.pairs.len());
    let balanced = |opening: &usize| played.iter().all(|row| row.pairs[*opening].class() == 2);
    (0..openings).filter(balanced).count()
}

/// The time factors at which the weaker models equal the stronger ones.
pub fn equal_strength(played: &[Played]) -> Vec<TimeFactor> {
    let factor = |(stronger, weaker, paper): (&str, &str, f64)| {
        let rows = TABLE.iter().zip(played).filter(|(row, _)| row.players == [stronger, weaker]);
        let matches: Vec<HandicapMatch> = rows
            .map(|(_, played)| HandicapMatch {
                // The time the clocks gave, rounded as it was.
                factor: played.allowed[1].amount() / played.allowed[0].amount(),
                pairs: (0..).zip(played.pairs.iter().copied()).collect(),
            })
            .collect();
        let found = EqualStrength::fit(&matches);
        TimeFactor { stronger: title(stronger), weaker: title(weaker), paper, found }
    };
    FACTORS.map(factor).into()
}
