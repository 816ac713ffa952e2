use std::time::Duration;

use discern_board::{Move, Outcome, Score};
use discern_eval::Value;

use crate::Proof;

/// How sure the value of a line is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Certainty {
    /// Estimated at this depth in plies.
    Depth(u32),
    /// Win, draw or loss is proven.
    Outcome,
    /// The score is proven.
    Score,
}

/// A move, its value and the play expected after it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Line {
    /// The move.
    pub mv: Move,
    /// Its value for the side that makes it. Where only the outcome is proven,
    /// a win counts as +2 discs and a loss as −2.
    pub value: Value,
    /// How sure the value is.
    pub certainty: Certainty,
    /// The expected play, beginning with the move.
    pub pv: Vec<Move>,
}

impl Line {
    /// The outcome, where it is proven.
    pub fn outcome(&self) -> Option<Outcome> {
        match self.certainty {
            Certainty::Depth(_) => None,
            _ => Some(self.value.proven_score().unwrap_or(Score::DRAW).outcome()),
        }
    }

    /// Is the outcome proven?
    pub fn is_proven(&self) -> bool {
        !matches!(self.certainty, Certainty::Depth(_))
    }

    /// The probability of a win for the side that makes the move; a proven
    /// draw is worth half a win.
    pub fn probability(&self) -> f64 {
        match self.outcome() {
            Some(Outcome::Draw) => 0.5,
            _ => self.value.probability(),
        }
    }

    /// The exact score, where it is proven.
    pub fn score(&self) -> Option<Score> {
        match self.certainty {
            Certainty::Score => Some(self.value.proven_score().unwrap_or(Score::DRAW)),
            _ => None,
        }
    }
}

/// What a search has found.
#[derive(Debug, Clone, PartialEq)]
pub struct Report {
    /// The best moves, best first; as many as asked for and legal, and behind
    /// them the one wanted beside them. Empty only if the game is over.
    pub lines: Vec<Line>,
    /// Positions visited.
    pub nodes: u64,
    /// Time taken.
    pub time: Duration,
    /// How sure its estimates are, if the search left out what a shallow look
    /// made improbable.
    pub confidence: Option<f64>,
    /// How far a proof has come, once one has begun.
    pub proof: Option<Proof>,
    /// Did a limit or the stop flag end the search before it was done?
    pub interrupted: bool,
}

impl Report {
    /// The best line.
    pub fn best(&self) -> Option<&Line> {
        self.lines.first()
    }

    /// Positions per second.
    pub fn nodes_per_second(&self) -> f64 {
        self.nodes as f64 / self.time.as_secs_f64().max(1e-9)
    }
}
