//! Scalars that fold into no table: terms beside the folded sum, and QUAD on
//! any features. Models without such scalars do not come here.

use std::sync::Arc;

use discern_board::Board;

use super::QuadEvaluator;
use super::linear::FoldedModel;
use super::packed::Packed;
use crate::patterns::{Indices, WideIndices};
use crate::spread::Spread;
use crate::{
    AnyEvaluator, Basis, Estimate, Feature, Features, Phases, QuadraticModel, QuadraticPhase, Value,
};

/// Functions of the board, each with its weight in logits.
pub(crate) type Terms = Vec<(fn(&Board) -> f64, f64)>;

/// The terms of the features that are functions of the whole board, by their
/// weights.
pub(crate) fn board_terms(features: &Features, weight: impl Fn(usize) -> f64) -> Terms {
    let term = |(place, feature): (usize, &Feature)| Some((feature.of_board()?, weight(place)));
    let terms = features.iter().enumerate().filter_map(term);
    terms.filter(|&(_, weight)| weight != 0.0).collect()
}

/// A folded model and the terms that do not fold.
#[derive(Debug)]
pub(super) struct WithTerms {
    pub(super) folded: FoldedModel,
    pub(super) terms: Phases<Terms>,
    /// Those of the expected score.
    pub(super) score_terms: Phases<Terms>,
}

/// What terms add, in thousandths.
fn sum(terms: &Phases<Terms>, board: &Board) -> i32 {
    let terms = terms.at(board.discs() as usize);
    let sum: f64 = terms.iter().map(|(value, weight)| weight * value(board)).sum();
    (1000.0 * sum).round() as i32
}

impl Estimate for WithTerms {
    fn estimate(&self, indices: &Indices, board: &Board) -> Value {
        let folded = match self.folded.wide {
            true => self.folded.thousandths(&WideIndices::of(board), board),
            false => self.folded.thousandths(indices, board),
        };
        Value::estimate(folded + sum(&self.terms, board))
    }

    fn expected_score(&self, indices: &Indices, board: &Board) -> i32 {
        let more = [&self.terms, &self.score_terms].map(|terms| sum(terms, board));
        match self.folded.wide {
            true => self.folded.expected_score(&WideIndices::of(board), board, more),
            false => self.folded.expected_score(indices, board, more),
        }
    }

    fn spread(&self, discs: u32) -> Option<i32> {
        Some(self.folded.spread(discs))
    }
}

/// The fastest evaluator of a quadratic model.
pub(crate) fn quad_evaluator(basis: &Basis, model: &QuadraticModel) -> AnyEvaluator {
    if basis.features().iter().all(|&feature| Packed::slot(feature).is_some()) {
        return AnyEvaluator::Quad(Arc::new(QuadEvaluator::new(basis, model)));
    }
    AnyEvaluator::Other(Arc::new(AnyQuad {
        tables: basis.tables().sets().iter().map(Packed::new).collect(),
        phases: model.phases.map(|discs, phase| (basis.tables().stages().at(discs), phase.clone())),
        basis: basis.clone(),
    }))
}

/// A quadratic model of features of which some are not packed.
#[derive(Debug)]
struct AnyQuad {
    tables: Vec<Packed>,
    /// The number of the table set, and the model.
    phases: Phases<(usize, QuadraticPhase)>,
    basis: Basis,
}

impl Estimate for AnyQuad {
    fn estimate(&self, indices: &Indices, board: &Board) -> Value {
        let (set, model) = self.phases.at(board.discs() as usize);
        let packed = self.tables[*set].features(indices);
        let features = self.basis.features();
        let wide = features.is_wide().then(|| self.basis.pattern_sums(board));
        let value = |&feature: &Feature| match (Packed::slot(feature), feature.of_board()) {
            (Some((slot, unit)), _) => f64::from(packed[slot]) * unit,
            (None, Some(value)) => value(board),
            (None, None) => match (feature.pattern(), &wide) {
                (Some(pattern), Some(sums)) => sums[pattern],
                _ => feature.value(board, &indices.mobility()).unwrap_or(0.0),
            },
        };
        let x: Vec<f64> = features.iter().map(value).collect();
        Value::from_log_odds(model.parts(&x).value())
    }

    fn spread(&self, discs: u32) -> Option<i32> {
        Some(Spread::FEATURES.at(discs))
    }
}
