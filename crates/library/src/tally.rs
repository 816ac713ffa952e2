use discern_board::Outcome;
use serde::Serialize;

/// Games by their result, for one side.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize)]
pub struct Tally {
    /// All games, those without a result among them.
    pub games: u32,
    /// Those won.
    pub wins: u32,
    /// Those drawn.
    pub draws: u32,
    /// Those lost.
    pub losses: u32,
}

impl Tally {
    /// Counts a game.
    pub fn add(&mut self, outcome: Option<Outcome>) {
        self.games += 1;
        match outcome {
            Some(Outcome::Win) => self.wins += 1,
            Some(Outcome::Draw) => self.draws += 1,
            Some(Outcome::Loss) => self.losses += 1,
            None => {}
        }
    }
}
