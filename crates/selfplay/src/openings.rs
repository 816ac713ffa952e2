use std::collections::HashMap;

use discern_board::{Board, Game, Position, Square};
use serde::{Deserialize, Serialize};

use crate::dice::Dice;

/// A position after some moves and one way that leads to it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Opening {
    /// The position, the least of its eight images.
    pub board: Board,
    /// Moves from the start to the position or one of its images.
    pub moves: Vec<Square>,
}

impl Opening {
    /// The moves as a game.
    pub fn game(&self) -> Game {
        let mut game = Game::default();
        for &square in &self.moves {
            game.play(square.into()).expect("openings are made of legal moves");
        }
        game
    }
}

/// All positions after `plies` moves that differ by more than symmetry, in the
/// order of their boards.
///
/// There are 1, 3, 14, 60, 322, 1773, 10649, 67245 after 1 to 8 moves. Nobody
/// has to pass in the first eight; a line in which somebody has to, or in
/// which the game is over, is no opening.
pub fn openings(plies: u32) -> Vec<Opening> {
    let start = Opening { board: Position::START.board.canonical(), moves: Vec::new() };
    let mut level = vec![(Position::START.board, start)];
    for _ in 0..plies {
        // The boards of a level are the true ones, not the canonical ones, so
        // that the moves fit them.
        let mut next: HashMap<Board, (Board, Opening)> = HashMap::new();
        for (board, opening) in &level {
            for square in board.moves() {
                let after = board.play_unchecked(square, board.flips(square));
                let canonical = after.canonical();
                next.entry(canonical).or_insert_with(|| {
                    let moves = opening.moves.iter().copied().chain([square]).collect();
                    (after, Opening { board: canonical, moves })
                });
            }
        }
        level = next.into_values().collect();
        level.sort_by_key(|(_, opening)| opening.board);
    }
    level.into_iter().map(|(_, opening)| opening).collect()
}

/// Which openings a plan plays.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Openings {
    /// Their length in moves, at most 8.
    pub plies: u32,
    /// How many of them, drawn by the plan's seed; all if not given.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub count: Option<u32>,
}

impl Default for Openings {
    fn default() -> Openings {
        Openings { plies: 7, count: None }
    }
}

/// How many openings of 0 to 8 moves there are.
const COUNTS: [u32; 9] = [1, 1, 3, 14, 60, 322, 1773, 10_649, 67_245];

impl Openings {
    /// The longest openings that can be planned.
    pub const MAX_PLIES: u32 = 8;

    /// How many openings these are.
    pub fn len(&self) -> u32 {
        let all = COUNTS.get(self.plies as usize).copied().unwrap_or(0);
        self.count.map_or(all, |count| count.min(all))
    }

    /// None at all?
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The openings, each exactly once.
    pub fn list(&self, seed: u64) -> Vec<Opening> {
        let mut all = openings(self.plies);
        if let Some(count) = self.count.map(|count| count as usize).filter(|&n| n < all.len()) {
            // The first steps of a Fisher-Yates shuffle draw a fair sample.
            let mut dice = Dice::new(&[seed, u64::from(self.plies)]);
            for i in 0..count {
                let j = i + dice.below((all.len() - i) as u64) as usize;
                all.swap(i, j);
            }
            all.truncate(count);
            all.sort_by_key(|opening| opening.board);
        }
        all
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn there_are_as_many_openings_as_the_paper_says() {
        let counts: Vec<u32> = (0..=8).map(|plies| openings(plies).len() as u32).collect();
        assert_eq!(counts[1..=7], [1, 3, 14, 60, 322, 1773, 10649]);
        assert_eq!(counts, COUNTS);
    }

    #[test]
    fn the_moves_of_an_opening_lead_to_it() {
        let all = openings(5);
        for opening in &all {
            let game = opening.game();
            assert_eq!(game.plies().len(), 5);
            assert_eq!(game.position().board.canonical(), opening.board);
        }
        assert!(all.windows(2).all(|pair| pair[0].board < pair[1].board));
        assert_eq!(all, openings(5), "the same every time");
    }

    #[test]
    fn a_sample_has_no_opening_twice_and_depends_on_the_seed() {
        let some = Openings { plies: 5, count: Some(100) };
        let [a, b] = [some.list(1), some.list(2)];
        assert_eq!((a.len(), b.len()), (100, 100));
        assert!(a.windows(2).all(|pair| pair[0].board < pair[1].board));
        assert!(a != b && a == some.list(1));
        assert_eq!(Openings { plies: 5, count: Some(400) }.list(1).len(), 322);
    }
}
