//! Which models there are: kinds of learned ones, those without weights, and
//! the one type that all of their evaluators have.

use std::fmt;
use std::sync::{Arc, PoisonError, RwLock};

use discern_board::{Bitboard, Board, Square};

use crate::evaluator::usual_score;
use crate::models::KINDS;
use crate::patterns::{Indices, WIDE, WIDE_START};
use crate::{Evaluator, Kind, LinearEvaluator, Material, QuadEvaluator, Rev, Value, Weights};

/// The models without weights.
pub const HAND_SET: &[HandSet] = &[
    HandSet {
        name: "rev",
        description: "hand-set heuristics: mobility, frontier, corners and edges",
        opponent: true,
        evaluator: || AnyEvaluator::Rev(Rev::default()),
    },
    HandSet {
        name: "rev-edges",
        description: "the same program with a liking for edges",
        opponent: false,
        evaluator: || AnyEvaluator::Rev(Rev::edge_lover()),
    },
    HandSet {
        name: "material",
        description: "counts discs",
        opponent: false,
        evaluator: || AnyEvaluator::Other(Arc::new(Material)),
    },
];

/// A model without weights.
#[derive(Debug)]
pub struct HandSet {
    /// What commands, plans and requests call it.
    pub name: &'static str,
    /// What it is.
    pub description: &'static str,
    /// Worth playing against; the others are for experiments.
    pub opponent: bool,
    /// Its evaluator.
    pub evaluator: fn() -> AnyEvaluator,
}

static FURTHER: RwLock<Vec<Kind>> = RwLock::new(Vec::new());

/// Adds a kind of models for the rest of the program's run: weight files that
/// hold one load from now on. A kind of the same name is replaced.
pub fn register(kind: Kind) {
    FURTHER.write().unwrap_or_else(PoisonError::into_inner).insert(0, kind);
}

/// The kind of this name.
pub(crate) fn kind(name: &str) -> Option<Kind> {
    let further = FURTHER.read().unwrap_or_else(PoisonError::into_inner);
    further.iter().chain(KINDS).find(|kind| kind.name == name).copied()
}

/// The model without weights of this name.
pub fn hand_set(name: &str) -> Option<&'static HandSet> {
    HAND_SET.iter().find(|model| model.name == name)
}

/// The evaluator of a model by its name: one of the weights, or one that needs
/// none.
///
/// # Errors
/// If there is none of this name.
pub fn evaluator(name: &str, weights: Option<&Weights>) -> Result<AnyEvaluator, MissingModel> {
    if let Some(model) = hand_set(name) {
        return Ok((model.evaluator)());
    }
    match weights {
        Some(weights) => weights.model(name).map(|model| model.evaluator()),
        None => Err(MissingModel::new(name, None)),
    }
}

/// There is no model of this name.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("there is no model '{name}', only {}", there_are.join(", "))]
pub struct MissingModel {
    /// What was asked for.
    pub name: String,
    /// What there is.
    pub there_are: Vec<String>,
}

impl MissingModel {
    pub(crate) fn new(name: &str, weights: Option<&Weights>) -> MissingModel {
        let learned = weights.iter().flat_map(|weights| weights.models()).map(|model| model.name());
        let all = learned.chain(HAND_SET.iter().map(|model| model.name));
        MissingModel { name: name.to_owned(), there_are: all.map(str::to_owned).collect() }
    }
}

/// An evaluator chosen as the program runs. Clones share their tables.
///
/// It is an [`Evaluator`] itself, for uses where a choice per evaluation does
/// not matter; the search has itself compiled for each by
/// [`visit`](AnyEvaluator::visit).
#[derive(Debug, Clone)]
pub enum AnyEvaluator {
    /// Linear and direct models of the paper's patterns.
    Linear(Arc<LinearEvaluator>),
    /// Linear and direct models of any patterns.
    Wide(Arc<LinearEvaluator<WIDE_START, WIDE>>),
    /// Quadratic models.
    Quad(Arc<QuadEvaluator>),
    /// Hand-set heuristics.
    Rev(Rev),
    /// Anything else, called through a pointer.
    Other(Arc<dyn Estimate>),
}

/// An evaluator that is called through a pointer. It may use the pattern
/// indices, which are kept up to date along a line of play.
pub trait Estimate: fmt::Debug + Send + Sync {
    /// As [`Evaluator::value`].
    fn estimate(&self, indices: &Indices, board: &Board) -> Value;

    /// As [`Evaluator::expected_score`].
    fn expected_score(&self, indices: &Indices, board: &Board) -> i32 {
        usual_score(self.estimate(indices, board))
    }

    /// As [`Evaluator::spread`].
    fn spread(&self, _discs: u32) -> Option<i32> {
        None
    }
}

/// What is to be done with an evaluator whose type is known.
pub trait EvaluatorVisitor {
    /// What comes out.
    type Output;

    /// Does it.
    fn visit<E: Evaluator + 'static>(self, evaluator: E) -> Self::Output;
}

impl AnyEvaluator {
    /// Hands the evaluator over as the type it is: choosing once instead of
    /// in every evaluation.
    pub fn visit<V: EvaluatorVisitor>(self, visitor: V) -> V::Output {
        match self {
            AnyEvaluator::Linear(linear) => visitor.visit(linear),
            AnyEvaluator::Wide(wide) => visitor.visit(wide),
            AnyEvaluator::Quad(quad) => visitor.visit(quad),
            AnyEvaluator::Rev(rev) => visitor.visit(rev),
            AnyEvaluator::Other(_) => visitor.visit(self),
        }
    }
}

impl Evaluator for AnyEvaluator {
    type State = Indices;

    fn state(&self, board: &Board) -> Indices {
        Indices::of(board)
    }

    fn play(&self, state: &Indices, square: Square, flips: Bitboard) -> Indices {
        state.play(square, flips)
    }

    fn pass(&self, state: &Indices) -> Indices {
        state.pass()
    }

    fn value(&self, state: &Indices, board: &Board) -> Value {
        match self {
            AnyEvaluator::Linear(linear) => linear.value(state, board),
            AnyEvaluator::Wide(wide) => wide.evaluate(board),
            AnyEvaluator::Quad(quad) => quad.value(state, board),
            AnyEvaluator::Rev(rev) => rev.evaluate(board),
            AnyEvaluator::Other(other) => other.estimate(state, board),
        }
    }

    fn expected_score(&self, state: &Indices, board: &Board) -> i32 {
        match self {
            AnyEvaluator::Linear(linear) => linear.expected_score(state, board),
            AnyEvaluator::Wide(wide) => wide.expected_score(&wide.state(board), board),
            AnyEvaluator::Quad(quad) => quad.expected_score(state, board),
            AnyEvaluator::Rev(rev) => rev.expected_score(&(), board),
            AnyEvaluator::Other(other) => other.expected_score(state, board),
        }
    }

    fn spread(&self, discs: u32) -> Option<i32> {
        match self {
            AnyEvaluator::Linear(linear) => linear.spread(discs),
            AnyEvaluator::Wide(wide) => wide.spread(discs),
            AnyEvaluator::Quad(quad) => quad.spread(discs),
            AnyEvaluator::Rev(rev) => rev.spread(discs),
            AnyEvaluator::Other(other) => other.spread(discs),
        }
    }
}

impl Estimate for Material {
    fn estimate(&self, _: &Indices, board: &Board) -> Value {
        self.evaluate(board)
    }
}

impl From<Rev> for AnyEvaluator {
    fn from(rev: Rev) -> AnyEvaluator {
        AnyEvaluator::Rev(rev)
    }
}

impl<E: Estimate + 'static> From<E> for AnyEvaluator {
    fn from(other: E) -> AnyEvaluator {
        AnyEvaluator::Other(Arc::new(other))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn models_without_weights_need_none_and_others_are_listed() {
        for model in HAND_SET {
            assert!(evaluator(model.name, None).is_ok());
        }
        let refused = evaluator("log", None).unwrap_err().to_string();
        assert_eq!(refused, "there is no model 'log', only rev, rev-edges, material");
    }
}
