use std::cmp::Ordering;
use std::fmt;
use std::ops::Neg;

/// Result of a game as a disc difference from the mover's view, −64 to 64,
/// with the empty squares counted for the winner.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[must_use]
pub struct Score(i8);

impl Score {
    /// All 64 squares.
    pub const MAX: Score = Score(64);
    /// No square at all.
    pub const MIN: Score = Score(-64);
    /// Equal discs.
    pub const DRAW: Score = Score(0);

    /// A score of this many discs; `None` outside −64 to 64.
    pub const fn new(discs: i32) -> Option<Score> {
        if discs >= -64 && discs <= 64 { Some(Score(discs as i8)) } else { None }
    }

    /// The disc difference.
    pub const fn discs(self) -> i32 {
        self.0 as i32
    }

    /// Win, draw or loss for the mover.
    pub fn outcome(self) -> Outcome {
        match self.0.cmp(&0) {
            Ordering::Greater => Outcome::Win,
            Ordering::Equal => Outcome::Draw,
            Ordering::Less => Outcome::Loss,
        }
    }
}

impl Neg for Score {
    type Output = Score;

    fn neg(self) -> Score {
        Score(-self.0)
    }
}

impl fmt::Display for Score {
    /// `+6`, `0`, `-12`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&if self.0 > 0 { format!("+{}", self.0) } else { self.0.to_string() })
    }
}

/// How a game ends for the mover. Ordered: `Loss < Draw < Win`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[must_use]
pub enum Outcome {
    /// The opponent has more discs.
    Loss,
    /// Equal discs.
    Draw,
    /// The mover has more discs.
    Win,
}

impl Neg for Outcome {
    type Output = Outcome;

    fn neg(self) -> Outcome {
        match self {
            Outcome::Loss => Outcome::Win,
            Outcome::Draw => Outcome::Draw,
            Outcome::Win => Outcome::Loss,
        }
    }
}

impl fmt::Display for Outcome {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Outcome::Loss => "loss",
            Outcome::Draw => "draw",
            Outcome::Win => "win",
        })
    }
}
