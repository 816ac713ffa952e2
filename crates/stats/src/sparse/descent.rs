//! Stochastic steps: most of the way in a few visits of each row.
//!
//! Conjugate gradients need a hundred passes where patterns overlap; steps row
//! by row are near the optimum after three. A row moves each of its weights
//! against its residual, by a rate that falls with the square root of the rows
//! that the weight has seen (Duchi, Hazan & Singer 2011), and to zero at the
//! end, which serves as well as averaging. Rare weights move far at once,
//! common ones little by little.
//!
//! **The same bits for any number of threads.** Rows are visited in rounds. The
//! blocks of a round are dealt to a fixed number of lanes, each of which walks
//! from the same point through its rows in their order; then their movements
//! are joined and the penalty takes its share. Lanes may run one after the
//! other or at the same time.

use super::block::{Entries, SparseBlock};
use super::examples::SparseExamples;
use super::facts::{Facts, counts};
use super::space::Space;
use crate::error::DataError;
use crate::labels::Trials;
use crate::pass::Threads;

/// How to descend.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Descent<'a> {
    pub(crate) space: &'a Space,
    pub(crate) facts: &'a Facts,
    pub(crate) trials: Trials,
    pub(crate) threads: Threads,
    /// Visits of each row.
    pub(crate) visits: u32,
    /// Whether the start is near the end already: smaller steps.
    pub(crate) known: bool,
}

/// Lanes of a round: the threads that can help.
const LANES: usize = 2;
/// The first rate, in units of the log-odds.
const RATE: f32 = 1.0;
/// Curvature of a row that the rate assumes.
const CURVATURE: f32 = 0.15;
/// Rows that a weight is taken to have seen before the first.
const SEEN: f32 = 1.0;
/// Visits of each row that a start from another fit is taken for.
const KNOWN: f32 = 2.0;
/// Blocks of a round at least.
const LEAST_BLOCKS: usize = 16;
/// Entries of a round at least for each weight, so that the work per weight
/// between rounds is little beside that of the rows.
const ENTRIES_PER_WEIGHT: usize = 16;
/// Rows whose residuals are taken at the same point: they do not wait for each
/// other, and eight rows more or less change nothing in the course.
const TOGETHER: usize = 8;

/// A weight and how far a row moves it.
#[derive(Clone, Copy, Debug, Default)]
struct Cell {
    weight: f32,
    step: f32,
}

impl Descent<'_> {
    /// Goes down from a point and returns where it ends; `watch` gets the
    /// passes so far.
    pub(crate) fn run(
        &self,
        examples: &dyn SparseExamples,
        mut point: Vec<f64>,
        watch: &mut dyn FnMut(f64),
    ) -> Result<Vec<f64>, DataError> {
        let blocks = examples.blocks().collect::<Result<Vec<_>, _>>()?;
        let rows: usize = blocks.iter().map(SparseBlock::rows).sum();
        let entries: usize = blocks.iter().map(|block| block.parts().1.len()).sum();
        let wanted = ENTRIES_PER_WEIGHT * self.space.len() * blocks.len() / entries.max(1);
        let round = wanted.max(LEAST_BLOCKS);
        let places = Places::new(self.space);
        let seen = self.seen(&blocks, &places);
        let units = self.units();
        let scale = self.facts.mean_count();
        let mut diagonal = vec![0.0; self.space.len()];
        self.space.add_diagonal(&mut diagonal);
        let mut steps = vec![0.0f32; self.space.len()];
        let mut lanes = vec![vec![Cell::default(); places.cells()]; LANES];
        let (total, mut done) = (rows as f64 * f64::from(self.visits), 0.0);
        for visit in 0..self.visits {
            let order = order(blocks.len(), visit);
            for part in order.chunks(round) {
                let here = part.iter().map(|&at| blocks[at].rows()).sum::<usize>() as f64;
                let rate = RATE * (1.0 - (done + 0.5 * here) / total) as f32;
                done += here;
                let passes = (done / rows as f64) as f32 + if self.known { KNOWN } else { 0.0 };
                for ((step, &seen), &unit) in steps.iter_mut().zip(&seen).zip(&units) {
                    *step = unit * rate / (SEEN + CURVATURE * passes * seen).sqrt();
                }
                let share = here / rows as f64 / scale;
                self.shrink(&mut point, &steps, &diagonal, share);
                let (evens, odds) = (part.iter().step_by(2), part.iter().skip(1).step_by(2));
                let parts: [Vec<&SparseBlock>; LANES] =
                    [evens.map(|&at| &blocks[at]).collect(), odds.map(|&at| &blocks[at]).collect()];
                for cells in &mut lanes {
                    places.fill(cells, &point, &steps);
                }
                self.walk_all(&parts, &places, scale as f32, &mut lanes);
                join(&mut point, &seen, (here / rows as f64) as f32, &lanes);
                watch(done / rows as f64);
            }
        }
        Ok(point)
    }

    /// How many rows name each weight and intercept; a row counts by the
    /// square of its value in units of the largest.
    fn seen(&self, blocks: &[SparseBlock], places: &Places) -> Vec<f32> {
        let mut seen = vec![0.0f64; places.cells()];
        for block in blocks {
            let (_, entries) = block.parts();
            match entries {
                Entries::Signs(codes) => {
                    for &code in codes.iter() {
                        seen[places.of(code).0] += 1.0;
                    }
                }
                Entries::F32(..) | Entries::F64(..) => {
                    for at in 0..entries.len() {
                        let (index, value) = entries.entry(at);
                        let unit = self.facts.unit(index as usize);
                        seen[places.of(index << 1).0] += (value * unit).powi(2);
                    }
                }
            }
            if let Some(number) = self.space.intercepts.of(block.phase()) {
                seen[self.space.weights() + number] += block.rows() as f64;
            }
        }
        seen.truncate(self.space.len());
        seen.into_iter().map(|rows| rows as f32).collect()
    }

    /// What a step of each weight is multiplied with, for values of any size.
    fn units(&self) -> Vec<f32> {
        let mut units = vec![1.0f32; self.space.len()];
        if self.facts.valued() {
            for index in 0..self.space.indices() {
                if let Some((weight, _)) = self.space.weight_of(index) {
                    let unit = self.facts.unit(index) as f32;
                    units[weight] = units[weight].min(unit * unit);
                }
            }
        }
        units
    }

    /// The step that the penalty asks for, which cannot overshoot.
    fn shrink(&self, point: &mut [f64], steps: &[f32], diagonal: &[f64], share: f64) {
        let mut pull = vec![0.0; point.len()];
        self.space.add_penalty(point, &mut pull);
        for (((at, pull), &step), held) in point.iter_mut().zip(pull).zip(steps).zip(diagonal) {
            let step = f64::from(step) * share;
            *at -= step * pull / (1.0 + step * held);
        }
    }

    /// Lets each lane walk through its blocks.
    fn walk_all(
        &self,
        parts: &[Vec<&SparseBlock>; LANES],
        places: &Places,
        scale: f32,
        lanes: &mut [Vec<Cell>],
    ) {
        if self.threads.count() == 1 {
            for (blocks, cells) in parts.iter().zip(lanes) {
                self.walk(blocks, places, scale, cells);
            }
            return;
        }
        std::thread::scope(|scope| {
            for (blocks, cells) in parts.iter().zip(lanes) {
                scope.spawn(move || self.walk(blocks, places, scale, cells));
            }
        });
    }

    /// Walks through blocks, a row of each in turn: neighbours are alike, and
    /// one after the other they would pull the same way.
    fn walk(&self, blocks: &[&SparseBlock], places: &Places, scale: f32, cells: &mut [Cell]) {
        let longest = blocks.iter().map(|block| block.rows()).max().unwrap_or(0);
        for row in 0..longest {
            for some in blocks.chunks(TOGETHER) {
                let mut log_odds = [0.0f32; TOGETHER];
                for (eta, block) in log_odds.iter_mut().zip(some) {
                    if row < block.rows() {
                        let intercept = self.intercept(block);
                        let constant = intercept.map_or(0.0, |at| cells[at].weight);
                        *eta = constant + block.offset(row) as f32 + sum(block, row, places, cells);
                    }
                }
                let probabilities = logistic(log_odds);
                for (&probability, block) in probabilities.iter().zip(some) {
                    if row >= block.rows() {
                        continue;
                    }
                    let (y, n) = counts(block, row, self.trials).unwrap_or_default();
                    let residual = (n as f32 * probability - y as f32) / scale;
                    if let Some(at) = self.intercept(block) {
                        cells[at].weight -= cells[at].step * residual;
                    }
                    push(block, row, places, residual, cells);
                    block.prefetch(row + 1);
                }
            }
        }
    }

    fn intercept(&self, block: &SparseBlock) -> Option<usize> {
        self.space.intercepts.of(block.phase()).map(|number| self.space.weights() + number)
    }
}

/// Where the cell of an index is.
struct Places {
    /// 2·cell, plus 1 if opposite, of each index; the same without ties.
    map: Option<Vec<u32>>,
    /// Weights and intercepts; behind them is a cell that stays 0.
    count: usize,
}

impl Places {
    fn new(space: &Space) -> Self {
        let nothing = (space.len() as u32) << 1;
        let place = |index| match space.weight_of(index) {
            Some((weight, sign)) => (weight as u32) << 1 | u32::from(sign < 0.0),
            None => nothing,
        };
        let map = space.is_tied().then(|| (0..space.indices()).map(place).collect());
        Self { map, count: space.len() }
    }

    fn cells(&self) -> usize {
        self.count + 1
    }

    /// The cell of 2·index, plus 1 for −1, and the bit of its sign.
    #[inline(always)]
    fn of(&self, code: u32) -> (usize, u32) {
        let code = match &self.map {
            None => code,
            Some(map) => map[(code >> 1) as usize] ^ (code & 1),
        };
        ((code >> 1) as usize, code << 31)
    }

    fn fill(&self, cells: &mut [Cell], point: &[f64], steps: &[f32]) {
        for ((cell, &weight), &step) in cells.iter_mut().zip(point).zip(steps) {
            *cell = Cell { weight: weight as f32, step };
        }
        cells[self.count] = Cell::default();
    }
}

#[inline(always)]
fn signed(number: f32, sign: u32) -> f32 {
    f32::from_bits(number.to_bits() ^ sign)
}

/// Σ value·weight of a row.
#[inline(always)]
fn sum(block: &SparseBlock, row: usize, places: &Places, cells: &[Cell]) -> f32 {
    let (ends, entries) = block.parts();
    let range = super::kernel::row_range(ends, row);
    let valued = |(&index, value): (&u32, f32)| {
        let (at, sign) = places.of(index << 1);
        value * signed(cells[at].weight, sign)
    };
    match entries {
        Entries::Signs(codes) => {
            let mut sums = [0.0f32; 4];
            let (fours, rest) = codes[range].as_chunks::<4>();
            for four in fours {
                for (sum, &code) in sums.iter_mut().zip(four) {
                    let (at, sign) = places.of(code);
                    *sum += signed(cells[at].weight, sign);
                }
            }
            for &code in rest {
                let (at, sign) = places.of(code);
                sums[0] += signed(cells[at].weight, sign);
            }
            (sums[0] + sums[1]) + (sums[2] + sums[3])
        }
        Entries::F32(indices, values) => {
            indices[range.clone()].iter().zip(values[range].iter().copied()).map(valued).sum()
        }
        Entries::F64(indices, values) => {
            let values = values[range.clone()].iter().map(|&value| value as f32);
            indices[range].iter().zip(values).map(valued).sum()
        }
    }
}

/// Moves the weights of a row against its residual.
#[inline(always)]
fn push(block: &SparseBlock, row: usize, places: &Places, residual: f32, cells: &mut [Cell]) {
    let (ends, entries) = block.parts();
    let range = super::kernel::row_range(ends, row);
    let mut valued = |(&index, value): (&u32, f32)| {
        let (at, sign) = places.of(index << 1);
        let cell = &mut cells[at];
        cell.weight -= signed(cell.step * residual * value, sign);
    };
    match entries {
        Entries::Signs(codes) => {
            for &code in &codes[range] {
                let (at, sign) = places.of(code);
                let cell = &mut cells[at];
                cell.weight -= signed(cell.step * residual, sign);
            }
        }
        Entries::F32(indices, values) => {
            indices[range.clone()].iter().zip(values[range].iter().copied()).for_each(valued);
        }
        Entries::F64(indices, values) => {
            let values = values[range.clone()].iter().map(|&value| value as f32);
            indices[range].iter().zip(values).for_each(&mut valued);
        }
    }
}

/// Adds what the lanes have moved.
///
/// A weight that every lane has met moves by their mean; one so rare that only
/// one lane can have met it by all of it.
fn join(point: &mut [f64], seen: &[f32], share: f32, lanes: &[Vec<Cell>]) {
    for (at, (point, &seen)) in point.iter_mut().zip(seen).enumerate() {
        let start = *point as f32;
        let moved: f32 = lanes.iter().map(|cells| cells[at].weight - start).sum();
        let met = (seen * share / LANES as f32).min(1.0);
        *point += f64::from(moved / (1.0 + (LANES - 1) as f32 * met));
    }
}

/// 1/(1+e^−η)
fn logistic(log_odds: [f32; TOGETHER]) -> [f32; TOGETHER] {
    log_odds.map(|eta| 1.0 / (1.0 + exp(-eta)))
}

/// e^x to six digits, the same on every machine, several at a time.
#[inline(always)]
fn exp(x: f32) -> f32 {
    /// 1/k! for k = 6, 5, …, 0.
    const INVERSE_FACTORIALS: [f32; 7] =
        [1.0 / 720.0, 1.0 / 120.0, 1.0 / 24.0, 1.0 / 6.0, 0.5, 1.0, 1.0];
    /// Adding it rounds to a whole number.
    const ROUND: f32 = 1.5 * (1u32 << 23) as f32;
    let x = x.clamp(-80.0, 80.0);
    let rounded = x * std::f32::consts::LOG2_E + ROUND;
    let n = rounded - ROUND;
    // ln 2 in two parts; the first has few bits, so that n·0.693359375 is exact.
    let r = (x - n * (355.0 / 512.0)) + n * 2.121_944_4e-4;
    let power = INVERSE_FACTORIALS.into_iter().fold(0.0, |sum, factor| sum * r + factor);
    let exponent = (rounded.to_bits().wrapping_sub(ROUND.to_bits()).wrapping_add(127)) << 23;
    power * f32::from_bits(exponent)
}

/// The blocks in an order that is as good as any: shuffled, by splitmix64.
fn order(blocks: usize, visit: u32) -> Vec<usize> {
    let mut order: Vec<usize> = (0..blocks).collect();
    let mut state = u64::from(visit) << 32;
    for last in (1..blocks).rev() {
        state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = (state ^ (state >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^= mixed >> 31;
        order.swap(last, (mixed % (last as u64 + 1)) as usize);
    }
    order
}
