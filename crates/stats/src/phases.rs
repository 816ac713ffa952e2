//! Phases of a game and the pooling of adjacent ones (Section 4).

use serde::{Deserialize, Serialize};

/// Phases from `first` to `last`, both included.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PhaseRange {
    /// The first phase.
    pub first: i32,
    /// The last phase.
    pub last: i32,
}

impl PhaseRange {
    /// Every phase.
    pub const ALL: Self = Self { first: i32::MIN, last: i32::MAX };

    /// The part of this range that lies in another one.
    pub fn within(self, other: Self) -> Self {
        Self { first: self.first.max(other.first), last: self.last.min(other.last) }
    }

    /// Whether a phase lies in the range.
    pub fn contains(self, phase: i32) -> bool {
        (self.first..=self.last).contains(&phase)
    }
}

/// How many phases on either side lend their rows to the fit of a phase.
///
/// The paper uses adjacent disc counts "in order to smooth the data and to
/// ensure almost equal numbers of won and lost positions".
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Pooling(pub u32);

impl Default for Pooling {
    /// Two phases on either side.
    fn default() -> Self {
        Self(2)
    }
}

impl Pooling {
    /// The phases whose rows fit `phase`.
    pub fn around(self, phase: i32) -> PhaseRange {
        PhaseRange {
            first: phase.saturating_sub_unsigned(self.0),
            last: phase.saturating_add_unsigned(self.0),
        }
    }
}
