use discern_board::{Board, Outcome, Score};

/// A canonical position with its outcome: an example to learn from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ClassifiedPosition {
    /// The least of the eight images, as the mover sees it.
    pub board: Board,
    /// How many games it occurred in.
    pub games: u32,
    /// Positions of one group may come from the same game. Tables, weights
    /// and tests are kept apart by groups.
    pub group: u32,
    /// Games of other groups come here too, of which `group` is the least. Such
    /// a position belongs to no side of any split: what its neighbours in one
    /// group teach would be tested by those in another. It is not learned from.
    pub shared: bool,
    /// The outcome for the mover.
    pub outcome: Outcome,
    /// The score for the mover in the best line that was examined, where the
    /// result of every such line is known as a score. Exact only if the
    /// position was solved: a line that nobody examined may be better.
    pub score: Option<Score>,
}

impl ClassifiedPosition {
    /// 1 won, 0 drawn, −1 lost.
    pub(crate) fn balance(&self) -> i32 {
        match self.outcome {
            Outcome::Win => 1,
            Outcome::Draw => 0,
            Outcome::Loss => -1,
        }
    }

    /// The share of the win: 1, ½ or 0.
    pub fn points(&self) -> f64 {
        f64::from(self.balance() + 1) / 2.0
    }
}
