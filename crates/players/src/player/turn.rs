use std::time::Duration;

use discern_board::{Color, Game};
use discern_records::{Limits, MoveNote};

/// The game as a player sees it when he is asked.
#[derive(Debug, Clone, Copy)]
pub struct Turn<'a> {
    /// Start and moves so far, passes included.
    pub game: &'a Game,
    /// One note per ply.
    pub notes: &'a [MoveNote],
    /// What Black and White may use.
    pub limits: [Limits; 2],
    /// What is left on the clocks of Black and White, if they have one.
    pub left: [Option<Duration>; 2],
    /// How long a program may keep silent beyond its time.
    pub patience: Duration,
    /// What randomness in this game depends on.
    pub seed: u64,
}

impl Turn<'_> {
    /// What a side may use.
    pub fn limits_of(&self, color: Color) -> &Limits {
        &self.limits[color as usize]
    }

    /// What is left on a side's clock.
    pub fn left_of(&self, color: Color) -> Option<Duration> {
        self.left[color as usize]
    }

    /// The time for the next move of this side, if any limit is one of time.
    pub fn time_for_move(&self, color: Color) -> Option<Duration> {
        let per_move = self.limits_of(color).move_ms.map(Duration::from_millis);
        match (self.left_of(color), per_move) {
            (Some(left), Some(per_move)) => Some(left.min(per_move)),
            (left, per_move) => left.or(per_move),
        }
    }
}
