//! Expected scores of the direct model: the same regression, one stage at a
//! time, on shares of the discs instead of outcomes.

use std::ops::Range;

use discern_board::Board;
use discern_eval::{DirectSet, Features};
use discern_stats::sparse::{Intercepts, SparseLogistic, SparsePhases, WeightPrior};
use discern_stats::{Threads, Trials};

use super::direct::Places;
use crate::{JudgedPosition, LearnError};

/// The tolerance of a fit, in standard errors of outcomes.
const TOLERANCE: f64 = 0.05;

/// One stage of expected scores, fitted.
#[derive(Debug)]
pub struct ScoreStage {
    /// Its weights.
    pub set: DirectSet,
    /// The intercept of each disc count among the examples.
    pub intercepts: Vec<(usize, f64)>,
}

/// Fits one stage of expected scores. The probability of an example is
/// (64 + score)/128, and all examples count alike.
///
/// What is learned is how scores differ from a multiple of the odds: their
/// weights have seen many more positions, and where these examples say nothing,
/// the multiple stays.
///
/// # Errors
/// If all examples have the same score.
pub fn fit_scores(
    examples: &[&JudgedPosition],
    features: &Features,
    odds: &DirectSet,
    ridge: f64,
    threads: Threads,
) -> Result<ScoreStage, LearnError> {
    let places = Places::new(features, odds.knows_tempo());
    let multiple = multiple_of(odds, examples, features);
    let offset = |board: &Board| multiple * odds.sum(features, board);
    let rows = places.rows(examples, threads, Some(&offset));
    let fit = SparseLogistic {
        trials: Trials::One,
        prior: WeightPrior::ridge(ridge),
        intercepts: Intercepts::PerPhase { smoothing: 1.0 },
        // Scores stray far less than outcomes, whose errors are its measure.
        tolerance: TOLERANCE,
        threads,
        ..SparseLogistic::default()
    }
    .fit(&SparsePhases::new(&rows, |_| 1.0))
    .map_err(LearnError::TooFew)?;
    let intercepts = fit.intercepts.iter();
    let intercepts = intercepts.filter_map(|at| Some((at.phase? as usize, at.value))).collect();
    let more = places.set(&fit);
    let sum = |own: f64, more: f64| multiple * own + more;
    let scalar = |(own, more): (&Vec<f64>, &Vec<f64>)| {
        own.iter().zip(more).map(|(&own, &more)| sum(own, more)).collect()
    };
    let scalars = odds.scalars.iter().zip(&more.scalars).map(scalar).collect();
    let both = |odds: &[i16], more: &[i16], class: usize| {
        let [own, more] = [odds, more].map(|steps| f64::from(steps[class]) / DirectSet::STEPS);
        sum(own, more)
    };
    let set = DirectSet::new(features, scalars, |pattern, class| {
        both(odds.classes(pattern), more.classes(pattern), class)
    });
    let set = match odds.knows_tempo() {
        true => set.with_tempo(features, |pattern, class| {
            both(odds.tempo(pattern), more.tempo(pattern), class)
        }),
        false => set,
    };
    Ok(ScoreStage { set, intercepts })
}

/// The multiple of the odds' sum that is nearest to the scores: least squares
/// on some of the examples.
fn multiple_of(odds: &DirectSet, examples: &[&JudgedPosition], features: &Features) -> f64 {
    const SOME: usize = 20_000;
    let step = examples.len().div_ceil(SOME).max(1);
    let pair = |p: &&JudgedPosition| (odds.sum(features, &p.board), f64::from(p.probability));
    let pairs: Vec<(f64, f64)> = examples.iter().step_by(step).map(pair).collect();
    lowest(0.0..2.0, |multiple| {
        let error = |(sum, share): &(f64, f64)| share - 1.0 / (1.0 + (-multiple * sum).exp());
        pairs.iter().map(|pair| error(pair).powi(2)).sum()
    })
}

/// Where in this range a function with a single minimum has it, to a millionth
/// of the range.
pub fn lowest(range: Range<f64>, of: impl Fn(f64) -> f64) -> f64 {
    let Range { start: mut low, end: mut high } = range;
    let enough = 1e-6 * (high - low);
    while high - low > enough {
        let third = (high - low) / 3.0;
        if of(low + third) < of(high - third) {
            high -= third;
        } else {
            low += third;
        }
    }
    (low + high) / 2.0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_lowest_place_is_found_also_at_the_ends() {
        for place in [-3.0, -1.25, 0.0, 2.0] {
            let found = lowest(-3.0..2.0, |x| (x - place).powi(2));
            assert!((found - place).abs() < 1e-5, "{found} for {place}");
        }
    }
}
