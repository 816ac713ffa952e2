use std::fmt;
use std::str::FromStr;

use serde::Serialize;

/// A move by what it lost.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Grade {
    /// The best move, or one as good.
    Best,
    /// It lost little, or nothing that the search is sure of.
    Good,
    /// At least 2 % or 2 discs.
    Inaccuracy,
    /// At least 6 % or 6 discs.
    Mistake,
    /// At least 15 % or 12 discs.
    Blunder,
}

impl Grade {
    fn beyond(loss: f64, bounds: [f64; 3]) -> Grade {
        match bounds.iter().filter(|&&bound| loss >= bound).count() {
            0 => Grade::Good,
            1 => Grade::Inaccuracy,
            2 => Grade::Mistake,
            _ => Grade::Blunder,
        }
    }

    /// The grade of a loss of probability.
    pub fn of_probability(loss: f64) -> Grade {
        Grade::beyond(loss, [0.02, 0.06, 0.15])
    }

    /// The grade of a loss of discs.
    pub fn of_discs(loss: i32) -> Grade {
        Grade::beyond(f64::from(loss), [2.0, 6.0, 12.0])
    }

    /// What people call it.
    pub const fn name(self) -> &'static str {
        match self {
            Grade::Best => "best",
            Grade::Good => "good",
            Grade::Inaccuracy => "inaccuracy",
            Grade::Mistake => "mistake",
            Grade::Blunder => "blunder",
        }
    }
}

impl fmt::Display for Grade {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// What counts in a grade.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Counts {
    /// The outcome alone.
    Outcome,
    /// The score alone.
    Discs,
    /// The outcome, and once it is decided, the score.
    #[default]
    Both,
}

/// Probabilities nearer to 0 or 1 than this decide the outcome.
const DECIDED: f64 = 0.05;

impl Counts {
    /// All of them.
    pub const ALL: [Counts; 3] = [Counts::Outcome, Counts::Discs, Counts::Both];

    /// The word for it.
    pub const fn name(self) -> &'static str {
        match self {
            Counts::Outcome => "outcome",
            Counts::Discs => "discs",
            Counts::Both => "both",
        }
    }

    /// Grades what a move lost. `probabilities` are those after the best move
    /// and after the one played.
    pub(crate) fn grade(self, probabilities: [f64; 2], lost: f64, discs: i32) -> Grade {
        let decided = probabilities.iter().all(|&p| p >= 1.0 - DECIDED)
            || probabilities.iter().all(|&p| p <= DECIDED);
        match self {
            Counts::Outcome => Grade::of_probability(lost),
            Counts::Discs => Grade::of_discs(discs),
            Counts::Both if decided => Grade::of_probability(lost).max(Grade::of_discs(discs)),
            Counts::Both => Grade::of_probability(lost),
        }
    }
}

impl FromStr for Counts {
    type Err = String;

    fn from_str(text: &str) -> Result<Counts, String> {
        let found = Counts::ALL.into_iter().find(|counts| counts.name() == text);
        found.ok_or_else(|| format!("'{text}' is not what can count (outcome, discs, both)"))
    }
}
