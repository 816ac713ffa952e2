use discern_board::{Board, Outcome};
use discern_eval::Value;
use discern_search::{Certainty, Line};

use crate::compare::Comparison;
use crate::expected::expected_discs;

/// What a move promises the side that makes it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Worth {
    pub probability: f64,
    pub score: i32,
    /// Is the score proven?
    pub exact: bool,
}

impl Worth {
    /// `estimate` is the last one of a move whose outcome alone was proven.
    pub fn new(line: &Line, after: &Board, estimate: Option<&Line>) -> Worth {
        if after.is_over() {
            let score = -after.final_score();
            let probability = match score.outcome() {
                Outcome::Win => 1.0,
                Outcome::Draw => 0.5,
                Outcome::Loss => 0.0,
            };
            return Worth { probability, score: score.discs(), exact: true };
        }
        let expected = expected_discs(estimate.unwrap_or(line).value);
        let score = match (line.score(), line.outcome()) {
            (Some(score), _) => score.discs(),
            (None, Some(Outcome::Win)) => expected.max(2),
            (None, Some(Outcome::Draw)) => 0,
            (None, Some(Outcome::Loss)) => expected.min(-2),
            (None, None) => expected,
        };
        Worth { probability: line.probability(), score, exact: line.score().is_some() }
    }

    fn estimated(value: Value) -> Worth {
        Worth { probability: value.probability(), score: expected_discs(value), exact: false }
    }
}

/// The best move and the one played, weighed.
#[derive(Clone, Copy)]
pub struct Weighed {
    pub best: Worth,
    pub played: Worth,
}

impl Weighed {
    pub fn lost(&self) -> f64 {
        (self.best.probability - self.played.probability).max(0.0)
    }

    pub fn discs(&self) -> i32 {
        (self.best.score - self.played.score).max(0)
    }

    /// Estimates with the best move and the one played moved by logits.
    pub fn shifted(step: &Comparison, [best, played]: [f64; 2]) -> Weighed {
        let moved = |line: &Line, logits: f64| {
            Worth::estimated(Value::from_log_odds(line.value.log_odds() + logits))
        };
        Weighed { best: moved(&step.best, best), played: moved(&step.played, played) }
    }

    /// Estimates without the swing between odd and even depths: halfway to
    /// those of the depth before, by what it said of the move played.
    pub fn steady(steps: &[Comparison]) -> Option<Weighed> {
        let (last, before) = steps.split_last()?;
        let (Certainty::Depth(depth), false) = (last.best.certainty, last.played.is_proven())
        else {
            return None;
        };
        let neighbour = |step: &&Comparison| step.best.certainty == Certainty::Depth(depth - 1);
        let before = before.iter().rev().find(neighbour).filter(|step| !step.played.is_proven())?;
        let swing = before.played.value.log_odds() - last.played.value.log_odds();
        Some(Weighed::shifted(last, [swing / 2.0; 2]))
    }
}
