//! Log loss and penalty at a point, their gradient and curvature: one pass each.
//!
//! **Sums are whole numbers.** A residual is rounded to a multiple of a power
//! of two that is so small that the sum of all of them just fits into 63 bits;
//! 3.6 million rows leave 40 bits behind the point. Whole numbers may be added
//! in any order, so that any number of threads, and rows in memory or streamed,
//! give the same bits, with one accumulator per thread and no waiting.

use std::ops::Range;
use std::sync::{Mutex, PoisonError};

use super::block::SparseBlock;
use super::examples::SparseExamples;
use super::facts::{Facts, counts};
use super::kernel::{Distinct, Repeats, Table, Tally, Totals, scatter, values, whole};
use super::newton::{Evaluation, Objective};
use super::pass::pass;
use super::space::Space;
use super::tile::{Logistic, TILE, Tile};
use crate::error::DataError;
use crate::labels::Trials;
use crate::pass::Threads;

/// The loss of some rows and the penalty of the weights.
pub(crate) struct SparseObjective<'a> {
    examples: &'a dyn SparseExamples,
    space: &'a Space,
    facts: &'a Facts,
    trials: Trials,
    threads: Threads,
    /// n·π(1−π) of each row of each block at the last point, in units of the
    /// largest n.
    curvature: Vec<Mutex<Vec<f32>>>,
    /// The last diagonal.
    diagonal: Vec<f64>,
    /// What it was made of, as long as the point is the same.
    look: Option<Look>,
    /// What the last product had as its largest term, by the size of its vector.
    reach: Option<f64>,
}

/// 2⁶² leaves one bit to spare.
const ROOM: f64 = (1u64 << 62) as f64;

/// The largest power of two whose multiples by terms that sum up to `bound`
/// stay within the room.
fn scale_for(bound: f64) -> f64 {
    (ROOM / bound).log2().floor().clamp(-1000.0, 1000.0).exp2()
}

impl<'a> SparseObjective<'a> {
    pub(crate) fn new(
        examples: &'a dyn SparseExamples,
        space: &'a Space,
        facts: &'a Facts,
        trials: Trials,
        threads: Threads,
    ) -> Self {
        let curvature = (0..facts.blocks).map(|_| Mutex::default()).collect();
        let diagonal = vec![1.0; space.len()];
        let (look, reach) = (None, None);
        Self { examples, space, facts, trials, threads, curvature, diagonal, look, reach }
    }

    pub(super) fn space(&self) -> &'a Space {
        self.space
    }

    pub(super) fn facts(&self) -> &'a Facts {
        self.facts
    }

    /// Visits every row with its n·π(1−π) at the last point, in their order.
    pub(super) fn for_each_curvature(
        &self,
        mut visit: impl FnMut(&SparseBlock, usize, f64),
    ) -> Result<(), DataError> {
        for (index, block) in self.examples.blocks().enumerate() {
            let block = block?;
            let curvature = lock(&self.curvature[index]);
            for (row, &curvature) in curvature.iter().enumerate() {
                visit(&block, row, f64::from(curvature) * self.facts.largest_count);
            }
        }
        Ok(())
    }

    fn table(&self, vector: &[f64]) -> Table {
        let mut table = Table::new(self.space.indices(), self.facts.signed);
        self.space.spread(vector, |index, value| table.set(index, value));
        table
    }

    fn intercept(&self, vector: &[f64], phase: i32) -> f64 {
        let number = self.space.intercepts.of(phase);
        number.map_or(0.0, |number| vector[self.space.weights() + number])
    }

    fn state(&self) -> State {
        State {
            totals: Totals::new(self.space.indices(), self.facts.signed, self.facts.valued()),
            intercepts: vec![0; self.space.intercepts.count()],
            loss: 0,
            margin: f64::INFINITY,
            largest: 0.0,
            logistic: Logistic::new(),
        }
    }

    /// Sums of all threads as one vector of free weights and intercepts.
    fn gather(&self, states: &mut Vec<State>, scale: f64) -> Vec<f64> {
        let mut out = vec![0.0; self.space.len()];
        let Some(mut all) = states.pop() else { return out };
        for state in states.iter() {
            all.totals.add(&state.totals);
            for (sum, more) in all.intercepts.iter_mut().zip(&state.intercepts) {
                *sum += more;
            }
        }
        let of_index = |index: usize| {
            let (signs, valued) = all.totals.of(index);
            signs as f64 / scale + valued as f64 / scale / self.facts.unit(index)
        };
        self.space.fold(of_index, &mut out);
        for (out, sum) in out[self.space.weights()..].iter_mut().zip(&all.intercepts) {
            *out = *sum as f64 / scale;
        }
        states.push(all);
        out
    }

    /// The part of a pass at a point that is due to one block.
    fn evaluate_block(
        &self,
        index: usize,
        block: &SparseBlock,
        table: &Table,
        intercept: f64,
        scale: f64,
        state: &mut State,
    ) {
        let mut curvature = lock(&self.curvature[index]);
        curvature.clear();
        let number = self.space.intercepts.of(block.phase());
        let mut log_odds: Tile = [0.0; TILE];
        let mut residuals: Tile = [0.0; TILE];
        for rows in tiles(block) {
            values(block, rows.clone(), table, &mut log_odds);
            for (row, eta) in rows.clone().zip(&mut log_odds) {
                *eta += intercept + block.offset(row);
            }
            state.logistic.at(&log_odds);
            let mut loss = 0.0;
            for (lane, row) in rows.clone().enumerate() {
                let eta = log_odds[lane];
                let (y, n) = counts(block, row, self.trials).unwrap_or_default();
                loss += n * state.logistic.softplus[lane] - y * eta;
                residuals[lane] = scale * (n * state.logistic.probability[lane] - y);
                curvature
                    .push((n / self.facts.largest_count * state.logistic.curvature[lane]) as f32);
                if n > 0.0 {
                    let margin = if y <= 0.0 {
                        -eta
                    } else if y >= n {
                        eta
                    } else {
                        f64::NEG_INFINITY
                    };
                    state.margin = state.margin.min(margin);
                }
            }
            // Tiles are the same for any number of threads, so that their sums
            // may be rounded once instead of row by row.
            state.loss += (loss * scale) as i128;
            state.scatter(block, rows, &residuals, number, &self.facts.units);
        }
    }

    /// The part of a product that is due to one block.
    fn product_block(
        &self,
        index: usize,
        block: &SparseBlock,
        table: &Table,
        intercept: f64,
        (reach, scale): (f64, f64),
        state: &mut State,
    ) {
        let curvature = lock(&self.curvature[index]);
        let number = self.space.intercepts.of(block.phase());
        let mut terms: Tile = [0.0; TILE];
        for rows in tiles(block) {
            values(block, rows.clone(), table, &mut terms);
            for (&curvature, term) in curvature[rows.clone()].iter().zip(&mut terms) {
                *term = (*term + intercept) * (f64::from(curvature) * self.facts.largest_count);
                state.largest = state.largest.max(term.abs());
                // Beyond the reach the pass is done again; here it must only
                // not overflow.
                *term = term.clamp(-reach, reach) * scale;
            }
            state.scatter(block, rows, &terms, number, &self.facts.units);
        }
    }

    /// A bound of what a row can add to a product.
    fn safe_reach(&self, vector: &[f64]) -> f64 {
        let mut largest = 0.0f64;
        self.space.spread(vector, |index, value| {
            largest = largest.max(value.abs() / self.facts.unit(index).min(1.0));
        });
        let intercepts = &vector[self.space.weights()..];
        let intercept = intercepts.iter().fold(0.0f64, |most, value| most.max(value.abs()));
        0.25 * self.facts.largest_count * (self.facts.longest as f64 * largest + intercept)
    }

    /// For each weight a power of two that makes its values at most 1.
    fn weight_units(&self) -> Vec<f64> {
        if !self.facts.valued() {
            return Vec::new();
        }
        let mut units = vec![1.0f64; self.space.weights()];
        for index in 0..self.space.indices() {
            if let Some((weight, _)) = self.space.weight_of(index) {
                units[weight] = units[weight].min(self.facts.unit(index));
            }
        }
        units
    }

    /// Sums of squares over all rows, the rows of each weight, and to which
    /// side they push it if `sides`.
    fn look(&self, sides: bool) -> Result<Look, DataError> {
        let (space, facts) = (self.space, self.facts);
        let units = self.weight_units();
        let unit = |weight: usize| units.get(weight).copied().unwrap_or(1.0);
        // Tied indices of one row add up to one value.
        let bound = match space.is_tied() {
            true => facts.total.trials * (facts.longest as f64).powi(2),
            false => facts.square_bound,
        };
        let (square_scale, row_scale) = (scale_for(0.25 * bound), scale_for(facts.total.rows));
        let quick = !sides && !space.is_tied() && !facts.valued();
        let state = || Look::new(space, quick, sides);
        let mut states = pass(self.examples, self.threads, state, |index, block, look| {
            let curvature = lock(&self.curvature[index]);
            let intercept = space.intercepts.of(block.phase()).map(|n| space.weights() + n);
            for row in 0..block.rows() {
                let curvature = f64::from(curvature[row]) * facts.largest_count;
                let number = square_scale * curvature;
                let rows = whole(block.weight(row) * row_scale);
                if let Some(intercept) = intercept {
                    look.tallies[intercept].add(whole(number), rows);
                }
                if quick {
                    look.repeats.tally(&block, row, whole(number), rows, &mut look.tallies);
                    continue;
                }
                let (y, n) = counts(&block, row, self.trials).unwrap_or_default();
                let Look { tallies, pushes, distinct, .. } = look;
                distinct.visit(&block, row, space, |weight, x| {
                    tallies[weight].add(whole(number * (x * unit(weight)).powi(2)), rows);
                    if sides {
                        pushes[weight].add(x, y, n);
                    }
                });
            }
        })?;
        let mut all = states.pop().unwrap_or_else(state);
        for state in states {
            for (tally, more) in all.tallies.iter_mut().zip(state.tallies) {
                tally.add(more.squares, more.rows);
            }
            for (push, more) in all.pushes.iter_mut().zip(state.pushes) {
                push.up |= more.up;
                push.down |= more.down;
            }
        }
        all.scales = (square_scale, row_scale);
        Ok(all)
    }

    fn curvature_of(&self, look: &Look) -> Vec<f64> {
        let units = self.weight_units();
        let quantum = 1.0 / look.scales.0;
        (0..self.space.len())
            .map(|weight| {
                let unit = units.get(weight).copied().unwrap_or(1.0);
                look.tallies[weight].squares as f64 * quantum / (unit * unit)
            })
            .collect()
    }

    /// What is told of each weight in the end, at the last point.
    pub(crate) fn tell(&mut self) -> Result<Told, DataError> {
        let mut penalty = vec![0.0; self.space.len()];
        self.space.add_diagonal(&mut penalty);
        let free = penalty[..self.space.weights()].contains(&0.0);
        let (look, passes) = match self.look.take() {
            Some(look) if !free => (look, 0.0),
            _ => (self.look(free)?, 1.0),
        };
        let pushes = look.pushes.iter().zip(&penalty);
        Ok(Told {
            passes,
            information: self.curvature_of(&look),
            counts: look.tallies.iter().map(|tally| tally.rows as f64 / look.scales.1).collect(),
            one_sided: pushes.map(|(push, &held)| held == 0.0 && push.up != push.down).collect(),
        })
    }
}

/// What is told of each free weight and intercept.
pub(crate) struct Told {
    /// Passes that it took.
    pub(crate) passes: f64,
    /// Diagonal of the information, without the penalty.
    pub(crate) information: Vec<f64>,
    /// Σ weight of its rows.
    pub(crate) counts: Vec<f64>,
    /// Whether all rows of a weight push it to one side and nothing holds it
    /// back; empty if all weights are held back.
    pub(crate) one_sided: Vec<bool>,
}

/// What a thread finds out about each weight.
struct Look {
    tallies: Vec<Tally>,
    pushes: Vec<Push>,
    distinct: Distinct,
    repeats: Repeats,
    /// Units of the squares and of the rows.
    scales: (f64, f64),
}

impl Look {
    fn new(space: &Space, quick: bool, sides: bool) -> Self {
        let (repeats, distinct) = if quick { (space.weights(), 0) } else { (0, space.weights()) };
        Self {
            tallies: vec![Tally::default(); space.len()],
            pushes: vec![Push::default(); if sides { space.weights() } else { 0 }],
            distinct: Distinct::new(distinct),
            repeats: Repeats::new(repeats),
            scales: (1.0, 1.0),
        }
    }
}

/// To which side the rows of a weight push it.
#[derive(Clone, Copy, Default)]
struct Push {
    up: bool,
    down: bool,
}

impl Push {
    fn add(&mut self, x: f64, y: f64, n: f64) {
        let (won, lost) = (y > 0.0, y < n);
        self.up |= if x > 0.0 { won } else { lost };
        self.down |= if x > 0.0 { lost } else { won };
    }
}

impl Objective for SparseObjective<'_> {
    fn evaluate(&mut self, point: &[f64]) -> Result<Evaluation, DataError> {
        self.look = None;
        let table = self.table(point);
        let scale = scale_for(self.facts.residual_bound);
        let mut states = pass(
            self.examples,
            self.threads,
            || self.state(),
            |index, block, state| {
                let intercept = self.intercept(point, block.phase());
                self.evaluate_block(index, &block, &table, intercept, scale, state);
            },
        )?;
        let loss: i128 = states.iter().map(|state| state.loss).sum();
        let margin = states.iter().map(|state| state.margin).fold(f64::INFINITY, f64::min);
        let mut gradient = self.gather(&mut states, scale);
        self.space.add_penalty(point, &mut gradient);
        let loss = loss as f64 / scale;
        Ok(Evaluation { value: loss + self.space.penalty(point), loss, gradient, margin })
    }

    fn diagonal(&mut self) -> Result<Vec<f64>, DataError> {
        let look = self.look(false)?;
        let mut diagonal = self.curvature_of(&look);
        self.space.add_diagonal(&mut diagonal);
        self.diagonal.clone_from(&diagonal);
        self.look = Some(look);
        Ok(diagonal)
    }

    fn product(&mut self, vector: &[f64]) -> Result<Vec<f64>, DataError> {
        let size = self.diagonal.iter().zip(vector).map(|(h, v)| h * v * v).sum::<f64>().sqrt();
        // The bound of the largest term is some fifty times what it is; the
        // last product tells more, and if that was wrong it is done again.
        let safe = self.safe_reach(vector);
        let mut reach = self.reach.map_or(safe, |reach| (4.0 * reach * size).min(safe));
        let mut out = vec![0.0; vector.len()];
        if safe > 0.0 {
            let table = self.table(vector);
            loop {
                let scale = scale_for(self.facts.repeat_bound * reach);
                let mut states = pass(
                    self.examples,
                    self.threads,
                    || self.state(),
                    |index, block, state| {
                        let intercept = self.intercept(vector, block.phase());
                        self.product_block(index, &block, &table, intercept, (reach, scale), state);
                    },
                )?;
                let largest = states.iter().map(|state| state.largest).fold(0.0, f64::max);
                self.reach = Some(largest / size);
                if largest <= reach {
                    out = self.gather(&mut states, scale);
                    break;
                }
                reach = largest;
            }
        }
        self.space.add_penalty(vector, &mut out);
        Ok(out)
    }
}

/// What a thread adds up.
struct State {
    totals: Totals,
    intercepts: Vec<i64>,
    loss: i128,
    /// The least η on the side of what happened.
    margin: f64,
    /// The largest term of a product.
    largest: f64,
    logistic: Logistic,
}

impl State {
    fn scatter(
        &mut self,
        block: &SparseBlock,
        rows: Range<usize>,
        numbers: &Tile,
        intercept: Option<usize>,
        units: &[f64],
    ) {
        let numbers = &numbers[..rows.len()];
        scatter(block, rows, numbers, units, &mut self.totals);
        if let Some(intercept) = intercept {
            self.intercepts[intercept] += numbers.iter().map(|&number| whole(number)).sum::<i64>();
        }
    }
}

fn tiles(block: &SparseBlock) -> impl Iterator<Item = Range<usize>> + use<> {
    let rows = block.rows();
    (0..rows).step_by(TILE).map(move |start| start..rows.min(start + TILE))
}

/// A poisoned lock means another worker panicked, which `pass` passes on.
fn lock<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use super::super::ties::Sign;
    use super::super::{Intercepts, Link, SparseDataset, SparseExample, Ties, WeightPrior};
    use super::*;

    /// Rows with values, repeated and tied indices, weights and two phases.
    fn data() -> SparseDataset {
        let mut builder = SparseDataset::builder(9);
        for row in 0..2500u32 {
            let (a, b, c) = (row % 7, row * 5 % 9, row * 3 % 8);
            let value = if row < 1500 { -1.0 } else { 0.37 };
            let entries = [(a, 1.0), (b, value), (c, 1.0), (a, 1.0)];
            let example = SparseExample {
                weight: Some(f64::from(row % 3)),
                offset: Some(0.1 * f64::from(row % 4)),
                phase: (row % 2) as i32,
                ..SparseExample::new(&entries, f64::from(row * 13 % 5) / 4.0)
            };
            builder.push(&example).unwrap();
        }
        builder.finish()
    }

    fn check(tied: bool) {
        let data = data();
        let mut ties = Ties::new(9);
        ties.tie(2, 3, Sign::Opposite);
        let prior = WeightPrior::ridge(0.3).link(Link::run(0..2, 4, 2.0));
        let facts = Facts::collect(&data, Trials::One, Threads::ONE).unwrap();
        let phases = Intercepts::PerPhase { smoothing: 0.5 };
        let ties = tied.then_some(&ties);
        let space = Space::new(9, ties, &prior, phases, facts.phases.keys().copied()).unwrap();
        let mut objective = SparseObjective::new(&data, &space, &facts, Trials::One, Threads::ONE);
        let point: Vec<f64> = (0..space.len()).map(|j| 0.2 * (j as f64 - 3.0)).collect();
        let here = objective.evaluate(&point).unwrap();
        let diagonal = objective.diagonal().unwrap();
        for j in 0..space.len() {
            let mut unit = vec![0.0; space.len()];
            unit[j] = 1.0;
            objective.evaluate(&point).unwrap();
            let column = objective.product(&unit).unwrap();
            assert!((column[j] / diagonal[j] - 1.0).abs() < 1e-9, "{column:?} {diagonal:?}");
            let step = 1e-4;
            let [before, after] = [-step, step].map(|step| {
                let mut there = point.clone();
                there[j] += step;
                objective.evaluate(&there).unwrap()
            });
            let slope = (after.value - before.value) / (2.0 * step);
            assert!((here.gradient[j] - slope).abs() < 1e-5, "{j}: {} {slope}", here.gradient[j]);
            for (k, found) in column.iter().enumerate() {
                let bend = (after.gradient[k] - before.gradient[k]) / (2.0 * step);
                // Curvatures are kept in single precision.
                assert!((found - bend).abs() < 1e-4, "{j} {k}: {found} {bend}");
            }
        }
    }

    #[test]
    fn gradient_and_products_are_finite_differences() {
        check(false);
    }

    #[test]
    fn so_they_are_where_weights_are_tied() {
        check(true);
    }

    #[test]
    fn a_product_beyond_the_expected_size_is_done_again() {
        let data = data();
        let facts = Facts::collect(&data, Trials::One, Threads::ONE).unwrap();
        let prior = WeightPrior::default();
        let space = Space::new(9, None, &prior, Intercepts::None, std::iter::empty()).unwrap();
        let mut objective = SparseObjective::new(&data, &space, &facts, Trials::One, Threads::ONE);
        objective.evaluate(&[0.0; 9]).unwrap();
        let vector: Vec<f64> = (0..9).map(|j| f64::from(j) - 4.0).collect();
        let expected = objective.product(&vector).unwrap();
        objective.reach = Some(1e-9);
        let again = objective.product(&vector).unwrap();
        for (a, b) in expected.iter().zip(&again) {
            assert!((a - b).abs() < 1e-9 * a.abs().max(1.0));
        }
    }
}
