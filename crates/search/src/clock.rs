use std::time::Duration;

use crate::MoveTime;

/// A player's clock for the whole game.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Clock {
    /// Time left for all remaining moves.
    pub left: Duration,
    /// Time added after every move.
    pub increment: Duration,
}

impl Clock {
    /// Kept back for what the engine does not control: the operating system,
    /// pipes, a busy machine.
    const RESERVE: Duration = Duration::from_millis(15);

    /// How long to think in a position with so many empty squares.
    ///
    /// Endgames are solved quickly once they can be solved at all, so the
    /// time is meant for the moves up to then, with a share for the solve.
    pub fn move_time(&self, empties: u32) -> MoveTime {
        let usable = self.left.saturating_sub(Clock::RESERVE.max(self.left / 20));
        let moves = (empties.saturating_sub(16) / 2 + 3).min(empties / 2 + 1);
        let maximum = (usable / 3 + self.increment / 2).min(usable);
        let target = (usable / moves + self.increment * 3 / 4).min(maximum);
        MoveTime { target, maximum }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_game_that_takes_the_maximum_for_every_move_still_keeps_its_reserve() {
        for (left, increment) in [(200, 0), (1000, 10), (60_000, 0), (20, 0), (5, 0), (0, 100)] {
            let mut clock = Clock {
                left: Duration::from_millis(left),
                increment: Duration::from_millis(increment),
            };
            for empties in (1..=60).rev().step_by(2) {
                let time = clock.move_time(empties);
                assert!(time.target <= time.maximum);
                let before = clock.left;
                assert!(time.maximum <= before.saturating_sub(Clock::RESERVE));
                clock.left = before - time.maximum + clock.increment;
            }
        }
    }

    #[test]
    fn most_of_the_time_is_used() {
        let mut clock = Clock { left: Duration::from_secs(60), increment: Duration::ZERO };
        for empties in (2..=60).rev().step_by(2) {
            clock.left -= clock.move_time(empties).target;
        }
        assert!(clock.left < Duration::from_secs(15), "{:?} left over", clock.left);
    }
}
