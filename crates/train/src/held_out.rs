use discern_eval::AnyEvaluator;
use discern_eval::Evaluator;
use discern_learn::JudgedPosition;
use discern_stats::{Prediction, metrics};
use serde::{Deserialize, Serialize};

/// How well a model foretells the judgements of games that taught it nothing.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct HeldOut {
    /// Positions.
    pub positions: u64,
    /// Mean log loss.
    pub log_loss: f64,
    /// Its standard error, by game.
    pub error: f64,
}

impl HeldOut {
    /// Measures an evaluator; `None` without positions.
    pub fn of(evaluator: &AnyEvaluator, positions: &[JudgedPosition]) -> Option<HeldOut> {
        let prediction = |position: &JudgedPosition| Prediction {
            phase: position.board.discs() as i32,
            log_odds: evaluator.evaluate(&position.board).log_odds(),
            outcome: position.probability.into(),
            weight: 1.0,
            group: Some(position.group),
        };
        let predictions: Vec<Prediction> = positions.iter().map(prediction).collect();
        let found = metrics(&predictions)?.log_loss;
        let positions = predictions.len() as u64;
        Some(HeldOut { positions, log_loss: found.value, error: found.standard_error })
    }
}
