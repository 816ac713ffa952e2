//! Phases of a game and the pooling of adjacent ones (Section 4).

/// Phases from `first` to `last`, both included.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
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
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_window_reaches_as_far_on_both_sides() {
        let range = Pooling(2).around(20);
        assert_eq!((18..=22).filter(|&phase| range.contains(phase)).count(), 5);
        assert!(!range.contains(17) && !range.contains(23));
        assert_eq!(Pooling(0).around(7), PhaseRange { first: 7, last: 7 });
        assert!(Pooling(2).around(i32::MAX).contains(i32::MAX));
        let present = PhaseRange { first: 19, last: 60 };
        assert_eq!(range.within(present), PhaseRange { first: 19, last: 22 });
    }
}
