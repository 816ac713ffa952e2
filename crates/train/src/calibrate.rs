use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use discern_board::Board;
use discern_eval::{
    AnyEvaluator, DirectModel, Evaluator, LAST_PHASE, MissingModel, NamedModel, Phases, Weights,
};
use discern_learn::{ClassifiedPosition, lowest};
use discern_search::{Certainty, Limits, Options, StopFlag};

use crate::TrainError;
use crate::searched::searched;

/// Plies of the searches that are compared with those two plies deeper.
const DEPTHS: std::ops::RangeInclusive<usize> = 1..=4;
/// Disc counts on either side that lend their positions to a phase.
const REACH: usize = 3;
/// Nearer to the end, searches prove instead of guessing.
const LEAST_EMPTIES: u32 = 12;
/// Positions from which a phase is measured.
const LEAST: usize = 50;

/// Measures what the odds of the direct model mean: how far deeper searches
/// stray from its value, which ProbCut goes by, and how many discs a logit is
/// worth. From at most `sample` positions of each disc count; `watch` hears how
/// many of how many searches are done.
///
/// # Errors
/// If there is no direct model.
pub fn calibrate(
    weights: &Weights,
    positions: &[ClassifiedPosition],
    sample: usize,
    threads: usize,
    watch: &(dyn Fn(usize, usize) + Sync),
) -> Result<Weights, TrainError> {
    let named = weights.model("direct")?;
    let missing = || TrainError::Setting("the model 'direct' is of another kind".into());
    let model = named.get::<DirectModel>().ok_or_else(missing)?;
    let sampled = sampled(positions, sample);
    let boards: Vec<Board> = sampled
        .iter()
        .map(|position| position.board)
        .filter(|board| board.empties() >= LEAST_EMPTIES && !board.moves().is_empty())
        .collect();
    let squares = strayed(&named.evaluator(), &boards, threads, watch)?;
    let scores = scores(&named.evaluator(), &sampled);
    let mut phases = model.phases.clone();
    let mut last = None;
    phases = phases.map(|discs, phase| {
        let mut phase = *phase;
        let mut near: Vec<f64> = within(&squares, discs).map(|&(_, square)| square).collect();
        if near.len() >= LEAST {
            // The last few are searches that met a proof.
            near.sort_by(f64::total_cmp);
            near.truncate(near.len() - near.len() / 100);
            last = Some((near.iter().sum::<f64>() / near.len() as f64).sqrt());
        }
        phase.spread = last.unwrap_or(phase.spread);
        let pairs: Vec<[f64; 2]> = within(&scores, discs).map(|&(_, pair)| pair).collect();
        if pairs.len() >= LEAST {
            phase.half_score = half_score(&pairs);
        }
        phase
    });
    Ok(with_phases(weights, named, model, phases))
}

fn within<T>(of_discs: &[(usize, T)], discs: usize) -> impl Iterator<Item = &(usize, T)> {
    of_discs.iter().filter(move |(other, _)| other.abs_diff(discs) <= REACH)
}

/// The same weights with another calibration of the direct model.
pub(crate) fn with_phases(
    weights: &Weights,
    named: &NamedModel,
    model: &DirectModel,
    phases: Phases<discern_eval::DirectPhase>,
) -> Weights {
    with_model(weights, named, model.with_phases(phases))
}

/// The same weights with another direct model in place of this one.
pub(crate) fn with_model(weights: &Weights, named: &NamedModel, model: DirectModel) -> Weights {
    let words = [named.name(), named.title(), named.description()];
    let new =
        NamedModel::new(words, named.manifest.clone(), weights.basis().clone(), Arc::new(model));
    let replace =
        |old: &NamedModel| if old.name() == new.name() { new.clone() } else { old.clone() };
    Weights::new(weights.basis().clone(), weights.models().iter().map(replace).collect())
}

/// So many positions of each disc count, spread evenly over those there are.
fn sampled(positions: &[ClassifiedPosition], sample: usize) -> Vec<ClassifiedPosition> {
    let mut all = Vec::new();
    for discs in 8..=LAST_PHASE {
        let here: Vec<&ClassifiedPosition> = positions
            .iter()
            .filter(|p| p.board.discs() as usize == discs && !p.board.is_over())
            .collect();
        let step = here.len().div_ceil(sample.max(1)).max(1);
        all.extend(here.into_iter().step_by(step).copied());
    }
    all
}

/// For each board and pair of depths the squared difference in logits.
fn strayed(
    evaluator: &AnyEvaluator,
    boards: &[Board],
    threads: usize,
    watch: &(dyn Fn(usize, usize) + Sync),
) -> Result<Vec<(usize, f64)>, TrainError> {
    let options = Options { threads: 1, table_mebibytes: 4 };
    let done = AtomicUsize::new(0);
    let found = searched(evaluator, options, boards, 1, threads, &|engine, board| {
        let mut values = vec![None; DEPTHS.end() + 3];
        let limits = Limits::depth(*DEPTHS.end() as u32 + 2);
        engine.search(board, &limits, &StopFlag::new(), &mut |report| {
            if let Some(best) = report.best()
                && let Certainty::Depth(depth) = best.certainty
                && best.value.proven_score().is_none()
            {
                values[depth as usize] = Some(best.value.log_odds());
            }
        });
        watch(done.fetch_add(1, Ordering::Relaxed) + 1, boards.len());
        let square = |depth: usize| Some((values[depth + 2]? - values[depth]?).powi(2));
        DEPTHS.filter_map(square).collect::<Vec<f64>>()
    })?;
    let of_board = |(board, squares): (&Board, Vec<f64>)| {
        let discs = board.discs() as usize;
        squares.into_iter().map(move |square| (discs, square))
    };
    Ok(boards.iter().zip(found).flat_map(of_board).collect())
}

/// Log-odds and score of the positions whose score is known.
fn scores(evaluator: &AnyEvaluator, positions: &[ClassifiedPosition]) -> Vec<(usize, [f64; 2])> {
    let pair = |position: &ClassifiedPosition| {
        let score = f64::from(position.score?.discs());
        let value = evaluator.evaluate(&position.board).log_odds();
        Some((position.board.discs() as usize, [value, score]))
    };
    positions.iter().filter_map(pair).collect()
}

/// The half that makes 64 f / (|f| + half) the best estimate of the scores:
/// least squares, by its logarithm.
fn half_score(pairs: &[[f64; 2]]) -> f64 {
    let loss = |log: f64| -> f64 {
        let half = log.exp();
        pairs.iter().map(|[f, score]| (score - 64.0 * f / (f.abs() + half)).powi(2)).sum()
    };
    lowest(0.5f64.ln()..200f64.ln(), loss).exp()
}

impl From<MissingModel> for TrainError {
    fn from(missing: MissingModel) -> TrainError {
        TrainError::Setting(missing.to_string())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_half_is_found_again() {
        for half in [2.0, 8.0, 30.0] {
            let pair = |i: i32| {
                let f = f64::from(i) / 10.0;
                [f, 64.0 * f / (f.abs() + half)]
            };
            let pairs: Vec<_> = (-50..=50).map(pair).collect();
            assert!((half_score(&pairs) / half - 1.0).abs() < 1e-3);
        }
    }
}
