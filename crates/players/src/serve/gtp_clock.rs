use std::time::Duration;

use discern_search::{Clock, MoveTime};

use crate::player::usable;

/// What `time_settings main byo stones` means. Programs disagree.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum TimeMeaning {
    /// GTP's own: after the main time, so many stones in each period.
    #[default]
    Canadian,
    /// The second number is added after every move.
    Fischer,
    /// After the main time, the second number of seconds for every move.
    Byoyomi,
}

impl TimeMeaning {
    /// The words for them, and what they mean.
    pub const WORDS: [(&str, &str, TimeMeaning); 3] = [
        (
            "canadian",
            "Main time, then a number of stones in each period (as GTP defines it)",
            TimeMeaning::Canadian,
        ),
        (
            "fischer",
            "Main time, and the second number added after every move",
            TimeMeaning::Fischer,
        ),
        ("byoyomi", "Main time, then the second number for every move", TimeMeaning::Byoyomi),
    ];
}

/// The clock of one side as a GTP controller tells it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct GtpClock {
    meaning: TimeMeaning,
    period: Duration,
    stones: u32,
    left: Duration,
    /// Stones to play in what is left; 0 in the main time.
    stones_left: u32,
}

impl GtpClock {
    /// A full clock; `None` if the settings mean no limit at all.
    pub fn new(
        meaning: TimeMeaning,
        main: Duration,
        period: Duration,
        stones: u32,
    ) -> Option<GtpClock> {
        let unlimited = match meaning {
            // GTP says so in as many words.
            TimeMeaning::Canadian => stones == 0 && !period.is_zero(),
            _ => main.is_zero() && period.is_zero(),
        };
        (!unlimited).then_some(GtpClock { meaning, period, stones, left: main, stones_left: 0 })
    }

    /// What the controller says is left.
    pub fn set_left(&mut self, left: Duration, stones: u32) {
        (self.left, self.stones_left) = (left, stones);
    }

    /// Takes off the time of a move.
    pub fn spend(&mut self, time: Duration) {
        self.left = self.left.saturating_sub(time);
        match self.meaning {
            TimeMeaning::Fischer => self.left += self.period,
            TimeMeaning::Byoyomi => {}
            TimeMeaning::Canadian => {
                self.stones_left = self.stones_left.saturating_sub(1);
                if self.stones_left == 0 && self.left.is_zero() && self.stones > 0 {
                    (self.left, self.stones_left) = (self.period, self.stones);
                }
            }
        }
    }

    /// How long to think with so many empty squares.
    pub fn move_time(&self, empties: u32) -> MoveTime {
        if self.stones_left > 0 {
            return MoveTime::fixed(usable(self.left / self.stones_left));
        }
        let per_move = match self.meaning {
            TimeMeaning::Canadian if self.stones > 0 => self.period / self.stones,
            TimeMeaning::Canadian => Duration::ZERO,
            TimeMeaning::Fischer | TimeMeaning::Byoyomi => self.period,
        };
        if self.meaning != TimeMeaning::Fischer && self.left < per_move {
            // The main time is over, and every move has time of its own.
            return MoveTime::fixed(usable(per_move));
        }
        Clock { left: self.left, increment: per_move }.move_time(empties)
    }
}
