//! Move adaptation (Marsland 1985, v. d. Meulen 1989, Mysliwietz 1994): weights
//! that make the move of the side that won the best of its siblings. Here as a
//! multinomial logit over the legal moves: P(move) ∝ exp(−f(position after it)),
//! since that position is seen by the opponent.
//!
//! Moves are chosen within a position, so nothing sets the intercept and the scale
//! of a phase: values of different phases do not mean the same, as the paper says.
//! The second fit gives the same weights the scale and intercept of winning
//! probabilities in each phase; the distance between the two in play is what the
//! missing scale costs.

use std::collections::HashMap;
use std::sync::Arc;

use discern_board::{Board, Outcome};
use discern_eval::{FIRST_PHASE, LAST_PHASE, LinearErrors, LinearModel, LinearPhase, Phases};
use discern_stats::{Cholesky, FitError, Matrix};

use super::{Fit, FittedModel, by_phase, levelled, spread};
use crate::levels::{LogisticMap, own_values};
use crate::rows::{by_group, fill};
use crate::split::mix;
use crate::{ClassifiedPosition, LearnError, Training};

pub(super) const FIT: Fit = Fit {
    name: "moves",
    title: "MOVES",
    description: "move adaptation: the winner's move as the best of its siblings",
    usual: false,
    fit: |training| {
        let phases = adapted(training)?;
        Ok(fitted(training, phases))
    },
};

pub(super) const SCALED: Fit = Fit {
    name: "moves-scaled",
    title: "MOVES-SCALED",
    description: "move adaptation with the scale of winning probabilities in every phase",
    usual: false,
    fit: |training| {
        let phases = scaled(training, &adapted(training)?);
        Ok(fitted(training, levelled(training, phases)))
    },
};

/// Positions of each disc count whose moves are learned from, about.
const CHOICES: f64 = 5000.0;
/// With fewer of them a phase takes a wider window.
const LEAST_CHOICES: usize = 500;
const SEED: u64 = 0x6d6f_7665;

fn fitted(training: &Training, phases: Phases<LinearPhase>) -> FittedModel {
    let mut settings = training.settings().to_json();
    settings["choices_per_disc_count"] = CHOICES.into();
    FittedModel {
        model: Arc::new(LinearModel { phases }),
        settings,
        ends: Vec::new(),
        levels: None,
    }
}

/// One decision: the features of the positions behind each legal move, that of
/// the move played first.
#[derive(Debug, Clone)]
struct Choice(Vec<f32>);

/// The weights of every phase, with an intercept of 0.
fn adapted(training: &Training) -> Result<Phases<LinearPhase>, LearnError> {
    let choices = choices(training);
    let all = training.features();
    let count = all.len();
    let mut failed = None;
    let phases = by_phase(training, |phase, _| {
        let (mut window, mut near) = (phase.window, Vec::new());
        loop {
            near.clear();
            window.pooled(phase.discs).iter().for_each(|&d| near.extend(&choices[d - FIRST_PHASE]));
            if near.len() >= LEAST_CHOICES || window.reach > LAST_PHASE as u32 {
                break;
            }
            window.reach += 1;
        }
        let used: Vec<usize> = phase.features.iter().filter_map(|&f| all.place(f)).collect();
        match conditional_logit(&near, count, &used) {
            Some((weights, errors)) => LinearPhase {
                intercept: 0.0,
                weights: spread(all, &phase.features, &weights),
                errors: Some(LinearErrors {
                    intercept: 0.0,
                    weights: spread(all, &phase.features, &errors),
                }),
            },
            None => {
                failed = Some(LearnError::TooFew(FitError::NoRows));
                LinearPhase { intercept: 0.0, weights: vec![0.0; count], errors: None }
            }
        }
    });
    failed.map_or(Ok(phases), Err)
}

/// The same weights as winning probabilities.
fn scaled(training: &Training, phases: &Phases<LinearPhase>) -> Phases<LinearPhase> {
    let values = own_values(training, |discs, x| phases.at(discs).value(x));
    by_phase(training, |phase, _| {
        let pooled = phase.window.pooled(phase.discs).into_iter();
        let pooled = pooled.flat_map(|discs| &values[discs - FIRST_PHASE]);
        let map = LogisticMap::fit(pooled).unwrap_or(LogisticMap { intercept: 0.0, slope: 1.0 });
        let own = phases.at(phase.discs);
        let times = |numbers: &[f64]| numbers.iter().map(|number| map.slope * number).collect();
        LinearPhase {
            intercept: map.intercept,
            weights: times(&own.weights),
            errors: own
                .errors
                .as_ref()
                .map(|errors| LinearErrors { intercept: 0.0, weights: times(&errors.weights) }),
        }
    })
}

/// Decisions of the side that won, by the disc count after the move. The tables
/// leave out what the position's own group added to them.
fn choices(training: &Training) -> Vec<Vec<Choice>> {
    let positions = training.positions();
    let known: HashMap<Board, &ClassifiedPosition> =
        positions.iter().map(|position| (position.board, position)).collect();
    let order = by_group(positions);
    let mut candidates = [0.0; LAST_PHASE + 1];
    let may_teach =
        |p: &ClassifiedPosition| p.outcome == Outcome::Win && p.board.moves().count() > 1;
    for &i in &order {
        let position = &positions[i as usize];
        candidates[position.board.discs() as usize] += f64::from(u8::from(may_teach(position)));
    }
    let taken = |i: u32, position: &ClassifiedPosition| {
        let share = CHOICES / candidates[position.board.discs() as usize];
        may_teach(position) && (mix(i, SEED) >> 11) as f64 / 2f64.powi(53) < share
    };
    let mut choices = vec![Vec::new(); LAST_PHASE - FIRST_PHASE + 1];
    let mut counts = training.counts().clone();
    for group in order.chunk_by(|&a, &b| positions[a as usize].group == positions[b as usize].group)
    {
        let members = group.iter().map(|&i| (i, &positions[i as usize]));
        let decisions: Vec<Vec<Board>> = members
            .clone()
            .filter(|&(i, position)| taken(i, position))
            .filter_map(|(_, position)| decision(&position.board, &known))
            .collect();
        if decisions.is_empty() {
            continue;
        }
        members.clone().for_each(|(_, position)| counts.remove(position));
        let count = training.features().len();
        for boards in decisions {
            let mut rows = vec![0f32; count * boards.len()];
            for (row, board) in rows.chunks_exact_mut(count).zip(&boards) {
                fill(row, training.features(), &counts, board);
            }
            choices[boards[0].discs() as usize - FIRST_PHASE].push(Choice(rows));
        }
        members.for_each(|(_, position)| counts.add(position));
    }
    choices
}

/// The boards behind the legal moves, first the one that won: of the examined
/// ones that are lost for the opponent, that of most games. `None` if there is
/// none, or a move ends the game or leaves the opponent without a move: such
/// boards are not compared by features.
fn decision(board: &Board, known: &HashMap<Board, &ClassifiedPosition>) -> Option<Vec<Board>> {
    let after = |square| board.play_unchecked(square, board.flips(square)).canonical();
    let mut boards: Vec<Board> = board.moves().squares().map(after).collect();
    let best = |&place: &usize| {
        let found = known.get(&boards[place]).filter(|found| found.outcome == Outcome::Loss);
        found.map_or(0, |found| found.games)
    };
    let played = (0..boards.len()).rev().max_by_key(best).filter(|place| best(place) > 0)?;
    boards.swap(0, played);
    let ordinary = |board: &Board| !board.is_over() && !board.must_pass();
    boards.iter().all(ordinary).then_some(boards)
}

/// Weights β and their standard errors that maximise Π exp(−x₀β)/Σ exp(−xᵢβ)
/// over the decisions, by Newton's method; of rows with `count` features those
/// `used`. `None` if the decisions do not set them.
fn conditional_logit(
    choices: &[&Choice],
    count: usize,
    used: &[usize],
) -> Option<(Vec<f64>, Vec<f64>)> {
    let order = used.len();
    let mut beta = vec![0.0; order];
    for _ in 0..50 {
        let (mut gradient, mut information) = (vec![0.0; order], Matrix::zeros(order));
        for Choice(rows) in choices {
            let boards: Vec<Vec<f64>> = rows
                .chunks_exact(count)
                .map(|row| used.iter().map(|&place| -f64::from(row[place])).collect())
                .collect();
            let value = |z: &Vec<f64>| z.iter().zip(&beta).map(|(z, b)| z * b).sum::<f64>();
            let values: Vec<f64> = boards.iter().map(value).collect();
            let most = values.iter().copied().fold(f64::MIN, f64::max);
            let total: f64 = values.iter().map(|value| (value - most).exp()).sum();
            let mut mean = vec![0.0; order];
            for (z, value) in boards.iter().zip(&values) {
                let p = (value - most).exp() / total;
                mean.iter_mut().zip(z).for_each(|(mean, z)| *mean += p * z);
                information.add_outer(p, z);
            }
            information.add_outer(-1.0, &mean);
            let pull = boards[0].iter().zip(&mean).map(|(z, mean)| z - mean);
            gradient.iter_mut().zip(pull).for_each(|(sum, pull)| *sum += pull);
        }
        let factor = Cholesky::new(&information, 1e-12).ok()?;
        let step = factor.solve(&gradient);
        beta.iter_mut().zip(&step).for_each(|(beta, step)| *beta += step);
        let largest = beta.iter().fold(1.0, |most: f64, beta| most.max(beta.abs()));
        if step.iter().all(|step| step.abs() < 1e-9 * largest) {
            let errors = factor.inverse().diagonal().iter().map(|v| v.sqrt()).collect();
            return Some((beta, errors));
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use discern_stats::{Dataset, Estimator, Example, Fit as _, Logistic, Trials};

    use super::*;
    use crate::split::deal;

    fn some_choices(siblings: impl Fn(u32) -> usize) -> Vec<Choice> {
        let number = |i: u32, j: usize| 2.0 * deal(i, j as u64) - 1.0;
        (0..400)
            .map(|i| {
                let mut rows: Vec<[f32; 2]> = (0..siblings(i))
                    .map(|j| [number(i, 2 * j) as f32, number(i, 2 * j + 1) as f32])
                    .collect();
                // The least of x₁ − 2 x₂ and some noise is played.
                let cost = |j: &usize| rows[*j][0] - 2.0 * rows[*j][1] + number(i, 100 + j) as f32;
                let played = (0..rows.len()).min_by(|a, b| cost(a).total_cmp(&cost(b))).unwrap();
                rows.swap(0, played);
                Choice(rows.concat())
            })
            .collect()
    }

    #[test]
    fn of_two_moves_it_is_logistic_regression_on_their_difference() {
        let choices = some_choices(|_| 2);
        let near: Vec<&Choice> = choices.iter().collect();
        let (weights, errors) = conditional_logit(&near, 2, &[0, 1]).unwrap();
        let mut data = Dataset::builder(["x1", "x2"]);
        for Choice(rows) in &choices {
            let x = [f64::from(rows[2] - rows[0]), f64::from(rows[3] - rows[1])];
            // Both ways round, so that the intercept is 0.
            data.push(&Example::new(&x, 1.0)).unwrap();
            data.push(&Example::new(&x.map(|x| -x), 0.0)).unwrap();
        }
        let fit = Logistic { trials: Trials::One, ..Logistic::default() }.fit(&data.finish());
        let fit = fit.unwrap();
        let theirs = fit.standard_errors(discern_stats::ErrorKind::Information).unwrap();
        for j in 0..2 {
            assert!((weights[j] - fit.coefficients[j + 1]).abs() < 1e-6);
            // Every decision was counted twice.
            assert!((errors[j] - theirs[j + 1] * 2f64.sqrt()).abs() < 1e-6);
        }
    }

    #[test]
    fn it_is_the_conditional_logit_of_statsmodels() {
        // scripts/golden-moves.py, statsmodels 0.15.0.
        let choices: Vec<Choice> = (0..60)
            .map(|i| {
                let moves = 2 + i % 4;
                let i = f64::from(i);
                let row = |j: f64| [(1.7 * i + 2.3 * j).sin(), (0.9 * i - 1.1 * j).cos()];
                let mut rows: Vec<[f32; 2]> =
                    (0..moves).map(|j| row(f64::from(j)).map(|x| x as f32)).collect();
                let cost = |j: &usize| {
                    let [a, b] = rows[*j].map(f64::from);
                    a - 2.0 * b + 2.0 * (5.0 * i + 7.0 * *j as f64).sin()
                };
                let played = (0..rows.len()).min_by(|a, b| cost(a).total_cmp(&cost(b))).unwrap();
                rows.swap(0, played);
                Choice(rows.concat())
            })
            .collect();
        let near: Vec<&Choice> = choices.iter().collect();
        let (weights, errors) = conditional_logit(&near, 2, &[0, 1]).unwrap();
        let expected = ([1.585_939_534_1, -2.592_330_840_3], [0.354_071_750_7, 0.539_487_877_7]);
        for j in 0..2 {
            assert!((weights[j] - expected.0[j]).abs() < 1e-6, "{weights:?}");
            assert!((errors[j] - expected.1[j]).abs() < 1e-5, "{errors:?}");
        }
    }

    #[test]
    fn no_other_weights_are_more_likely() {
        let choices = some_choices(|i| 2 + i as usize % 5);
        let near: Vec<&Choice> = choices.iter().collect();
        let (weights, _) = conditional_logit(&near, 2, &[0, 1]).unwrap();
        let likelihood = |beta: [f64; 2]| {
            let mut sum = 0.0;
            for Choice(rows) in &choices {
                let value =
                    |row: &[f32]| -(f64::from(row[0]) * beta[0] + f64::from(row[1]) * beta[1]);
                let values: Vec<f64> = rows.chunks_exact(2).map(value).collect();
                sum += values[0] - values.iter().map(|value| value.exp()).sum::<f64>().ln();
            }
            sum
        };
        let best = likelihood([weights[0], weights[1]]);
        assert!(weights[0] > 0.5 && weights[1] < -1.0, "{weights:?}");
        for step in [[1e-4, 0.0], [-1e-4, 0.0], [0.0, 1e-4], [0.0, -1e-4]] {
            assert!(likelihood([weights[0] + step[0], weights[1] + step[1]]) < best);
        }
    }

    #[test]
    fn decisions_are_those_of_the_side_that_won() {
        let positions = crate::testing::classified_random_games(61, 20);
        let known: HashMap<_, _> = positions.iter().map(|p| (p.board, p)).collect();
        let mut decisions = 0;
        for position in positions.iter().filter(|p| p.outcome == Outcome::Win) {
            let Some(boards) = decision(&position.board, &known) else { continue };
            assert_eq!(known[&boards[0]].outcome, Outcome::Loss);
            assert_eq!(boards.len() as u32, position.board.moves().count());
            decisions += 1;
        }
        assert!(decisions > 200, "{decisions}");
    }
}
