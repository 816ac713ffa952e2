use std::fmt;

use discern_board::{Outcome, Score};

/// What a player thought of a move, from the mover's view.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Evaluation {
    /// Log-odds of winning in thousandths, the unit of our own search.
    LogOdds(i32),
    /// Expected disc difference in hundredths, the unit of most programs.
    Discs(i32),
    /// Proven by search to the end.
    Proven(Verdict),
}

impl fmt::Display for Evaluation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Evaluation::LogOdds(milli) => write!(f, "{:+.3} log-odds", f64::from(milli) / 1e3),
            Evaluation::Discs(centi) => write!(f, "{:+.2} discs", f64::from(centi) / 1e2),
            Evaluation::Proven(verdict) => write!(f, "{verdict}"),
        }
    }
}

/// A proven result for the mover: win, draw or loss, or even the exact score.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Verdict {
    /// Only who wins.
    Outcome(Outcome),
    /// The exact disc difference.
    Score(Score),
}

impl Verdict {
    /// Win, draw or loss for the mover.
    pub fn outcome(self) -> Outcome {
        match self {
            Verdict::Outcome(outcome) => outcome,
            Verdict::Score(score) => score.outcome(),
        }
    }

    /// The exact score, if that was solved.
    pub fn score(self) -> Option<Score> {
        match self {
            Verdict::Outcome(_) => None,
            Verdict::Score(score) => Some(score),
        }
    }
}

impl fmt::Display for Verdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Verdict::Outcome(outcome) => write!(f, "proven {outcome}"),
            Verdict::Score(score) => write!(f, "proven {score}"),
        }
    }
}

/// What is known about how one move was found. Everything is optional.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Hash)]
pub struct MoveNote {
    /// What the player thought of the move.
    pub evaluation: Option<Evaluation>,
    /// Thinking time in milliseconds.
    pub time_ms: Option<u64>,
    /// Plies searched.
    pub depth: Option<u32>,
    /// Nodes searched.
    pub nodes: Option<u64>,
}
