//! What the sums of the direct model mean in odds.

use discern_eval::{DirectModel, DirectPhase, Phases};
use discern_stats::{Dataset, ErrorKind, Estimator, Example, Logistic, Threads, Trials};

use crate::{JudgedPosition, LearnError};

/// Games begin with given moves, which are not calm: whoever moves after the
/// last of them has the better of it, and the outcome of a position before it is
/// that of the few moves that were given. So outcomes count from here on. The
/// start of the game is even, and between the two the odds go over from one to
/// the other.
const CALM: usize = 12;
/// The discs at the start.
const START: usize = 4;
/// Positions from which a phase is calibrated on its own.
const LEAST_ROWS: usize = 1000;
/// Beyond the last phase from the first one.
const LARGEST_REACH: usize = 62;

/// Intercept and scale of each phase: LOG with the sum as its only feature, on
/// positions that the fit has not seen, pooled over ±2 discs of the same parity,
/// or over more where there are few. Everything else of the phases stays.
///
/// # Errors
/// If the positions have only one outcome.
pub fn calibrate_odds(
    model: &DirectModel,
    positions: &[JudgedPosition],
    threads: Threads,
) -> Result<Phases<DirectPhase>, LearnError> {
    let sums: Vec<(usize, f64, f64)> = positions
        .iter()
        .map(|position| {
            let discs = position.board.discs() as usize;
            let set = &model.sets()[model.stages().at(discs)];
            (discs, set.sum(model.features(), &position.board), position.probability.into())
        })
        .collect();
    let logistic = Logistic {
        trials: Trials::One,
        threads,
        errors: ErrorKind::Information,
        ..Logistic::default()
    };
    let mut last = None;
    let mut failed = None;
    let odds = Phases::from_fn(|discs| {
        // Widened until there are enough of both outcomes.
        for reach in (2..=LARGEST_REACH).step_by(2) {
            let mut data = Dataset::builder(["sum"]);
            let mut rows = 0;
            for &(other, sum, points) in sums.iter().filter(|&&(other, ..)| other >= CALM) {
                // A handful of games may all be won at even disc counts and lost
                // at odd ones.
                let alike = other % 2 == discs % 2 || reach == LARGEST_REACH;
                if other.abs_diff(discs) <= reach && alike {
                    data.push(&Example::new(&[sum], points)).expect("finite numbers");
                    rows += 1;
                }
            }
            if rows < LEAST_ROWS && reach < LARGEST_REACH {
                continue;
            }
            match logistic.fit(&data.finish()) {
                Ok(fit) => {
                    last = Some([fit.coefficients[0], fit.coefficients[1]]);
                    return last;
                }
                Err(error) => failed = Some(error),
            }
        }
        last
    });
    if let Some(error) = failed
        && odds.iter().any(|(_, odds)| odds.is_none())
    {
        return Err(LearnError::TooFew(error));
    }
    Ok(model.phases.map(|discs, phase| {
        let [mut intercept, scale] = odds.at(discs).unwrap_or([0.0, 1.0]);
        if discs < CALM
            && let Some(mean) = mean_at(&sums, discs)
        {
            let calm = discs.saturating_sub(START) as f64 / (CALM - START) as f64;
            intercept = calm * intercept - (1.0 - calm) * scale * mean;
        }
        DirectPhase { intercept, scale, ..*phase }
    }))
}

/// The mean sum of the positions with so many discs.
fn mean_at(sums: &[(usize, f64, f64)], discs: usize) -> Option<f64> {
    let own: Vec<f64> =
        sums.iter().filter(|&&(other, ..)| other == discs).map(|&(_, sum, _)| sum).collect();
    (!own.is_empty()).then(|| own.iter().sum::<f64>() / own.len() as f64)
}
