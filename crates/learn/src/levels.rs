//! An intercept of its own for every disc count.
//!
//! Pooled phases (Section 4) share their weights, and with them one intercept:
//! that of the pool. But who moves last depends on the parity of the disc
//! count, so that each single count has another share of wins at the same
//! features. The levels below are what is missing: one number per disc count,
//! added to the intercept of whatever model was fitted to the pool. The weights
//! stay as they are.
//!
//! Few or no positions stand behind the first moves, and a label is one bit
//! however many games share it. What evidence does not say, symmetry and the
//! neighbours do: a board without any feature is even unless its phase or the
//! next one of the same parity knows better.

use discern_eval::{FIRST_PHASE, PHASES, Phases};
use discern_stats::{Cholesky, Matrix, logistic};
use serde::Serialize;

use crate::Training;
use crate::tree::OPENING_DISCS;

/// How the intercepts of single disc counts are found.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Levels {
    /// Penalty τ in Σ loss + τ/2 Σ (α of d − α of d + 2)² + τ/2 Σ α², where α is
    /// the intercept that a disc count ends up with. One with many positions
    /// follows these; one with few is drawn to its neighbours of the same parity
    /// and to 0.
    pub smoothing: f64,
}

impl Default for Levels {
    fn default() -> Levels {
        Levels { smoothing: 50.0 }
    }
}

/// Newton steps; about six are needed.
const MAX_STEPS: usize = 50;
const TOLERANCE: f64 = 1e-9;

impl Levels {
    /// What the intercept of each disc count lacks if a model says `value(discs,
    /// features)` of the positions it was fitted to.
    pub(crate) fn find(
        self,
        training: &Training,
        value: impl Fn(usize, &[f64]) -> f64,
    ) -> Phases<f64> {
        let nothing = vec![0.0; training.features().len()];
        let before = Phases::from_fn(|discs| value(discs, &nothing));
        self.of(&own_values(training, value), &before)
    }

    /// The levels of values: the maximum of the likelihood of each disc count's
    /// own positions, less the penalty. `before` is the value of a board without
    /// any feature.
    pub(crate) fn of(self, values: &[Vec<Valued>], before: &Phases<f64>) -> Phases<f64> {
        let mut levels = vec![0.0; PHASES];
        for _ in 0..MAX_STEPS {
            let (gradient, information) = self.derivatives(values, &levels, before);
            // Without any position nothing is known and nothing moves.
            let Ok(factor) = Cholesky::new(&information, 0.0) else { break };
            let step = factor.solve(&gradient);
            levels.iter_mut().zip(&step).for_each(|(level, step)| *level += step.clamp(-2.0, 2.0));
            if step.iter().all(|step| step.abs() < TOLERANCE) {
                break;
            }
        }
        Phases::from_fn(|discs| levels[discs - FIRST_PHASE])
    }

    /// Gradient and negative Hessian of the penalised log-likelihood.
    fn derivatives(
        self,
        values: &[Vec<Valued>],
        levels: &[f64],
        before: &Phases<f64>,
    ) -> (Vec<f64>, Matrix) {
        let mut gradient = vec![0.0; PHASES];
        let mut diagonal = vec![0.0; PHASES];
        for (place, own) in values.iter().enumerate() {
            for &Valued { value, outcome } in own {
                let p = logistic(f64::from(value) + levels[place]);
                gradient[place] += f64::from(outcome) - p;
                diagonal[place] += p * (1.0 - p);
            }
        }
        let tau = self.smoothing;
        let alpha: Vec<f64> =
            before.iter().zip(levels).map(|((_, before), level)| before + level).collect();
        for place in 0..PHASES {
            gradient[place] -= tau * alpha[place];
            diagonal[place] += tau;
            let beside = [place.checked_sub(2), Some(place + 2).filter(|&p| p < PHASES)];
            for other in beside.into_iter().flatten() {
                gradient[place] -= tau * (alpha[place] - alpha[other]);
                diagonal[place] += tau;
            }
        }
        let information = Matrix::from_fn(PHASES, |i, j| match i.abs_diff(j) {
            0 => diagonal[i],
            2 => -tau,
            _ => 0.0,
        });
        (gradient, information)
    }
}

/// What a model says of a position, and the share of the win that it was.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Valued {
    pub(crate) value: f32,
    pub(crate) outcome: f32,
}

/// For each disc count the values of its own positions.
pub(crate) fn own_values(
    training: &Training,
    value: impl Fn(usize, &[f64]) -> f64,
) -> Vec<Vec<Valued>> {
    let window = training.settings().window;
    let mut values = vec![Vec::new(); PHASES];
    training.rows().each(|key, x, outcome| {
        let discs = window.discs(key);
        let (value, outcome) = (value(discs, x) as f32, outcome as f32);
        values[discs - FIRST_PHASE].push(Valued { value, outcome });
    });
    // The first moves are shared by all groups of games. They filled no table
    // and are in no test, so that nothing speaks against hearing them here.
    for position in training.positions() {
        let discs = position.board.discs() as usize;
        if position.shared && discs < OPENING_DISCS as usize && !position.board.is_over() {
            let value = value(discs, &training.basis().values(&position.board)) as f32;
            let outcome = position.points() as f32;
            values[discs.max(FIRST_PHASE) - FIRST_PHASE].push(Valued { value, outcome });
        }
    }
    values
}

/// Logistic regression on one value: P(W) = 1/(1 + exp(−a − b·value)).
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct LogisticMap {
    pub(crate) intercept: f64,
    pub(crate) slope: f64,
}

impl LogisticMap {
    /// The map of these values; `None` if they are too few or too clear to set
    /// one.
    pub(crate) fn fit<'a>(values: impl Iterator<Item = &'a Valued> + Clone) -> Option<LogisticMap> {
        let count = values.clone().count() as f64;
        let square: f64 = values.clone().map(|v| f64::from(v.value).powi(2)).sum();
        // About as steep as values of this size can be, to begin with.
        let size = (square / count).sqrt();
        let mut map = LogisticMap { intercept: 0.0, slope: 0.0 };
        for _ in 0..MAX_STEPS {
            let (mut g, mut h) = ([0.0; 2], [0.0; 3]);
            for &Valued { value, outcome } in values.clone() {
                let x = f64::from(value) / size;
                let p = logistic(map.intercept + map.slope * x);
                let (error, weight) = (f64::from(outcome) - p, p * (1.0 - p));
                g = [g[0] + error, g[1] + error * x];
                h = [h[0] + weight, h[1] + weight * x, h[2] + weight * x * x];
            }
            let determinant = h[0] * h[2] - h[1] * h[1];
            let steps = [h[2] * g[0] - h[1] * g[1], h[0] * g[1] - h[1] * g[0]];
            let [a, b] = steps.map(|step| step / determinant);
            if !(a.is_finite() && b.is_finite()) {
                return None;
            }
            map.intercept += a;
            map.slope += b;
            if a.abs().max(b.abs()) < TOLERANCE {
                return Some(LogisticMap { slope: map.slope / size, ..map });
            }
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use discern_eval::LAST_PHASE;
    use discern_stats::{Dataset, Estimator, Example, Logistic, Trials};

    use super::*;
    use crate::split::deal;

    /// Values whose log-odds are off by 0.3 at even disc counts and −0.2 at odd
    /// ones.
    fn values(of: impl Fn(usize) -> usize) -> Vec<Vec<Valued>> {
        let valued = |discs: usize, i: u32| {
            let value = 4.0 * deal(i, discs as u64) - 2.0;
            let off = if discs.is_multiple_of(2) { 0.3 } else { -0.2 };
            let won = deal(i, 1000 + discs as u64) < logistic(value + off);
            Valued { value: value as f32, outcome: f32::from(u8::from(won)) }
        };
        let own = |discs| (0..of(discs) as u32).map(|i| valued(discs, i)).collect();
        (FIRST_PHASE..=LAST_PHASE).map(own).collect()
    }

    #[test]
    fn every_disc_count_gets_its_own_level_and_the_first_moves_are_even() {
        let values = values(|discs| if discs < 12 { 0 } else { 20_000 });
        let levels = Levels::default().of(&values, &Phases::from_fn(|_| 0.0));
        for (discs, level) in levels.iter() {
            let truth = match discs {
                4 | 5 => 0.0,
                6..12 => continue,
                _ if discs % 2 == 0 => 0.3,
                _ => -0.2,
            };
            assert!((level - truth).abs() < 0.06, "{discs}: {level}");
        }
        // Without evidence every intercept is 0, whatever it was before.
        let before = levels.map(|_, level| -level);
        let undone = Levels::default().of(&vec![Vec::new(); PHASES], &before);
        assert!(undone.iter().all(|(discs, level)| (level + before.at(discs)).abs() < 1e-9));
    }

    #[test]
    fn without_smoothing_predicted_and_observed_shares_are_the_same() {
        let values = values(|_| 500);
        let levels = Levels { smoothing: 1e-6 }.of(&values, &Phases::from_fn(|_| 0.0));
        for (own, (discs, level)) in values.iter().zip(levels.iter()) {
            let predicted: f64 = own.iter().map(|v| logistic(f64::from(v.value) + level)).sum();
            let observed: f64 = own.iter().map(|v| f64::from(v.outcome)).sum();
            assert!((predicted - observed).abs() < 1e-3, "{discs}: {predicted} {observed}");
        }
    }

    #[test]
    fn only_one_outcome_does_not_run_away() {
        let won = Valued { value: 0.0, outcome: 1.0 };
        let levels = Levels::default().of(&vec![vec![won; 50]; PHASES], &Phases::from_fn(|_| 0.0));
        assert!(levels.iter().all(|(_, level)| level.is_finite()));
    }

    #[test]
    fn the_map_is_logistic_regression_on_one_feature() {
        let values = &values(|_| 3000)[20];
        let map = LogisticMap::fit(values.iter()).unwrap();
        let mut data = Dataset::builder(["value"]);
        for v in values {
            data.push(&Example::new(&[f64::from(v.value)], f64::from(v.outcome))).unwrap();
        }
        let fit = Logistic { trials: Trials::One, ..Logistic::default() }.fit(&data.finish());
        let coefficients = fit.unwrap().coefficients;
        assert!((map.intercept - coefficients[0]).abs() < 1e-7);
        assert!((map.slope - coefficients[1]).abs() < 1e-7);
    }
}
