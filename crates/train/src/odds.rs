use discern_eval::{DirectModel, Weights};
use discern_learn::{ClassifiedPosition, JudgedPosition, calibrate_odds};
use discern_stats::Threads;

use crate::TrainError;
use crate::calibrate::with_phases;

/// Gives the direct model the odds that the outcomes of these positions bear
/// out, phase by phase.
///
/// A model that learns from searches of an even depth learns any bias of the
/// searching model with the rest: a constant in favour of the mover comes back
/// from the leaves unchanged. Only outcomes can tell. The games should be played
/// without random moves, and should not have taught the model.
///
/// # Errors
/// If there is no direct model, or the positions have only one outcome.
pub fn with_odds(
    weights: &Weights,
    positions: &[ClassifiedPosition],
    threads: usize,
) -> Result<Weights, TrainError> {
    let named = weights.model("direct")?;
    let missing = || TrainError::Setting("the model 'direct' is of another kind".into());
    let model = named.get::<DirectModel>().ok_or_else(missing)?;
    let decided = positions.iter().filter(|position| !position.board.is_over());
    let judged: Vec<JudgedPosition> = decided.map(JudgedPosition::from).collect();
    let phases = calibrate_odds(model, &judged, Threads::new(threads))?;
    Ok(with_phases(weights, named, model, phases))
}
