use std::fmt;

use discern_board::{Outcome, Score};
use discern_records::Verdict;

/// What is known of a position's result, from its mover's view.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Label {
    pub outcome: Outcome,
    pub score: Option<Score>,
}

impl Label {
    pub fn of_score(score: Score) -> Label {
        Label { outcome: score.outcome(), score: Some(score) }
    }

    pub fn of_verdict(verdict: Verdict) -> Label {
        Label { outcome: verdict.outcome(), score: verdict.score() }
    }

    /// The same from the other side.
    pub fn turned(self) -> Label {
        Label { outcome: -self.outcome, score: self.score.map(|score| -score) }
    }

    /// The better of two ways to play on. Of two with the same outcome the
    /// higher score; none if one has none, since it could be higher.
    pub fn or(self, other: Label) -> Label {
        match self.outcome.cmp(&other.outcome) {
            std::cmp::Ordering::Greater => self,
            std::cmp::Ordering::Less => other,
            std::cmp::Ordering::Equal => {
                let score = self.score.zip(other.score).map(|(a, b)| a.max(b));
                Label { outcome: self.outcome, score }
            }
        }
    }
}

/// Where a label comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum LabelSource {
    /// What most of the position's games ended with, corrections aside.
    Game,
    /// The position itself was solved.
    Solved,
    /// A corrected game changed the label, or was the only one to come here.
    Corrected,
    /// Other games or solved positions behind it say otherwise than the
    /// position's own games.
    Propagated,
}

impl fmt::Display for LabelSource {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            LabelSource::Game => "game",
            LabelSource::Solved => "solved",
            LabelSource::Corrected => "corrected",
            LabelSource::Propagated => "propagated",
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn label(discs: i32) -> Label {
        Label::of_score(Score::new(discs).unwrap())
    }

    #[test]
    fn the_better_outcome_wins_and_an_unknown_score_stays_unknown() {
        let win = Label { outcome: Outcome::Win, score: None };
        assert_eq!(label(4).or(label(-2)), label(4));
        assert_eq!(label(4).or(label(10)), label(10));
        assert_eq!(label(4).or(win), win);
        assert_eq!(label(-4).or(win), win);
        assert_eq!(label(0).or(label(-6)), label(0));
        assert_eq!(label(-6).turned(), label(6));
    }
}
