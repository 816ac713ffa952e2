//! Seeded examples for the tests of this crate.

use discern_board::testing::random_games;
use discern_board::{Color, Score};

use crate::ClassifiedPosition;

/// The positions of random games with the results of their games, one group
/// per game.
pub(crate) fn classified_random_games(seed: u64, games: usize) -> Vec<ClassifiedPosition> {
    let mut positions = Vec::new();
    for (group, game) in (0..).zip(random_games(seed, games)) {
        let black: Score = game.score_black().expect("played to the end");
        for ply in game.plies() {
            let score = if ply.before.mover == Color::Black { black } else { -black };
            positions.push(ClassifiedPosition {
                board: ply.before.board.canonical(),
                games: 1,
                group,
                shared: false,
                outcome: score.outcome(),
                score: Some(score),
            });
        }
    }
    positions
}
