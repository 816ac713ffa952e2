//! What the first pass learns of the rows: labels, bounds, and a sample.

use std::collections::BTreeMap;
use std::sync::{Mutex, PoisonError};

use super::block::{Entries, SparseBlock};
use super::dataset::SparseDataset;
use super::examples::SparseExamples;
use super::pass::pass;
use crate::error::FitError;
use crate::labels::Trials;
use crate::pass::Threads;

/// Weight of some rows, and what was won of it.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct ClassTotals {
    /// Σ weight
    pub(crate) rows: f64,
    /// Σ y
    pub(crate) successes: f64,
    /// Σ n
    pub(crate) trials: f64,
}

impl ClassTotals {
    fn add(&mut self, other: Self) {
        self.rows += other.rows;
        self.successes += other.successes;
        self.trials += other.trials;
    }

    /// The class that is not there.
    pub(crate) fn missing(&self) -> Option<&'static str> {
        if self.successes <= 0.0 {
            Some("won")
        } else if self.successes >= self.trials {
            Some("lost")
        } else {
            None
        }
    }
}

/// Facts about all rows.
#[derive(Debug)]
pub(crate) struct Facts {
    pub(crate) total: ClassTotals,
    pub(crate) phases: BTreeMap<i32, ClassTotals>,
    pub(crate) blocks: usize,
    pub(crate) rows: usize,
    /// The largest n of a row, times its weight.
    pub(crate) largest_count: f64,
    /// Σ n·m over the rows, with m how often a row may name an index.
    pub(crate) residual_bound: f64,
    /// Σ n·m²
    pub(crate) square_bound: f64,
    /// Σ m
    pub(crate) repeat_bound: f64,
    /// Entries of the longest row.
    pub(crate) longest: usize,
    /// Whether some entries are −1 of rows of ±1.
    pub(crate) signed: bool,
    /// For each index a power of two that makes its values at most 1; empty if
    /// all rows are of ±1.
    pub(crate) units: Vec<f64>,
    /// Some of the blocks, if they are not in memory anyway.
    pub(crate) sample: Option<SparseDataset>,
}

impl Facts {
    pub(crate) fn collect(
        examples: &dyn SparseExamples,
        trials: Trials,
        threads: Threads,
    ) -> Result<Self, FitError> {
        let sample = (!examples.in_memory()).then(Mutex::<Sample>::default);
        let states = pass(examples, threads, Partial::default, |index, block, partial| {
            partial.add(index, &block, trials, examples.weights());
            if let Some(sample) = &sample {
                let mut sample = sample.lock().unwrap_or_else(PoisonError::into_inner);
                sample.offer(index, block);
            }
        })?;
        let sample =
            sample.map(|sample| sample.into_inner().unwrap_or_else(PoisonError::into_inner));
        Self::merge(examples.weights(), states, sample)
    }

    fn merge(
        weights: usize,
        states: Vec<Partial>,
        sample: Option<Sample>,
    ) -> Result<Self, FitError> {
        if states.iter().any(|partial| partial.no_outcome) {
            return Err(FitError::Missing("outcomes"));
        }
        let bound = states.iter().map(|partial| partial.bound).max().unwrap_or(0);
        if let Some(largest) = bound.checked_sub(1) {
            super::block::check_index(largest as u64, weights)?;
        }
        let largest_values = states.iter().fold(Vec::new(), |mut all: Vec<f64>, partial| {
            all.resize(all.len().max(partial.largest_values.len()), 0.0);
            for (largest, &value) in all.iter_mut().zip(&partial.largest_values) {
                *largest = largest.max(value);
            }
            all
        });
        let mut blocks: Vec<BlockFacts> =
            states.into_iter().flat_map(|partial| partial.blocks).collect();
        // Sums of fractions depend on their order, which is that of the blocks.
        blocks.sort_by_key(|block| block.index);
        let mut facts = Self {
            total: ClassTotals::default(),
            phases: BTreeMap::new(),
            blocks: blocks.len(),
            rows: 0,
            largest_count: 0.0,
            residual_bound: 0.0,
            square_bound: 0.0,
            repeat_bound: 0.0,
            longest: 0,
            signed: false,
            units: largest_values.iter().map(|&value| unit_of(value)).collect(),
            sample: None,
        };
        for block in &blocks {
            facts.add(block);
        }
        if facts.total.rows <= 0.0 {
            return Err(FitError::NoRows);
        }
        if let Some(sample) = sample {
            facts.sample = Some(SparseDataset::from_blocks(weights, sample.finish())?);
        }
        Ok(facts)
    }

    fn add(&mut self, block: &BlockFacts) {
        let m = block.multiplicity;
        self.total.add(block.totals);
        if block.totals.rows > 0.0 {
            self.phases.entry(block.phase).or_default().add(block.totals);
        }
        self.rows += block.rows;
        self.largest_count = self.largest_count.max(block.largest_count);
        self.residual_bound += m * block.totals.trials;
        self.square_bound += m * m * block.totals.trials;
        self.repeat_bound += m * block.rows as f64;
        self.longest = self.longest.max(block.longest);
        self.signed |= block.signed;
    }

    /// Trials of a row in the mean, times its weight.
    pub(crate) fn mean_count(&self) -> f64 {
        self.total.trials / self.rows as f64
    }

    /// Whether some rows have values other than ±1.
    pub(crate) fn valued(&self) -> bool {
        !self.units.is_empty()
    }

    /// The unit of an index.
    pub(crate) fn unit(&self, index: usize) -> f64 {
        self.units.get(index).copied().unwrap_or(1.0)
    }
}

/// A power of two that makes values up to `largest` at most 1.
fn unit_of(largest: f64) -> f64 {
    if largest > 0.0 { (-largest.log2().ceil()).exp2() } else { 1.0 }
}

/// Facts about a block.
#[derive(Debug)]
struct BlockFacts {
    index: usize,
    phase: i32,
    rows: usize,
    totals: ClassTotals,
    largest_count: f64,
    multiplicity: f64,
    longest: usize,
    signed: bool,
}

/// Facts about the blocks of a thread.
#[derive(Debug, Default)]
struct Partial {
    blocks: Vec<BlockFacts>,
    bound: usize,
    largest_values: Vec<f64>,
    no_outcome: bool,
}

impl Partial {
    fn add(&mut self, index: usize, block: &SparseBlock, trials: Trials, weights: usize) {
        let mut totals = ClassTotals::default();
        let mut largest_count = 0.0f64;
        for row in 0..block.rows() {
            let Some((y, n)) = counts(block, row, trials) else {
                self.no_outcome = true;
                break;
            };
            totals.add(ClassTotals { rows: block.weight(row), successes: y, trials: n });
            largest_count = largest_count.max(n);
        }
        let shape = block.shape();
        self.bound = self.bound.max(shape.bound);
        let (_, entries) = block.parts();
        if !matches!(entries, Entries::Signs(_)) && shape.bound <= weights {
            self.largest_values.resize(weights, 0.0);
            for at in 0..entries.len() {
                let (index, value) = entries.entry(at);
                let largest = &mut self.largest_values[index as usize];
                *largest = largest.max(value.abs());
            }
        }
        self.blocks.push(BlockFacts {
            index,
            phase: block.phase(),
            rows: block.rows(),
            totals,
            largest_count,
            multiplicity: shape.multiplicity().max(1) as f64,
            longest: shape.longest,
            signed: shape.signed,
        });
    }
}

/// y and n of a row, each times its weight; `None` without an outcome.
#[inline]
pub(crate) fn counts(block: &SparseBlock, row: usize, trials: Trials) -> Option<(f64, f64)> {
    let share = block.outcome(row)?;
    let weight = block.weight(row);
    Some(match &block.sides().trials {
        Some(own) => (weight * share * own.value(row), weight * own.value(row)),
        None => (weight * trials.successes(share), weight * trials.count()),
    })
}

/// Every so many blocks, as many as are kept in memory.
#[derive(Debug)]
struct Sample {
    every: usize,
    rows: usize,
    blocks: BTreeMap<usize, SparseBlock<'static>>,
}

impl Default for Sample {
    fn default() -> Self {
        Self { every: 1, rows: 0, blocks: BTreeMap::new() }
    }
}

/// Rows of the sample of data that are read for each pass.
const SAMPLE_ROWS: usize = 1 << 21;

impl Sample {
    /// Keeps a block if it belongs to the sample. Which blocks are left in the
    /// end does not depend on the order in which they come: the sample is
    /// thinned only when too many blocks of it have come already.
    fn offer(&mut self, index: usize, block: SparseBlock) {
        if !index.is_multiple_of(self.every) {
            return;
        }
        self.rows += block.rows();
        self.blocks.insert(index, block.into_owned());
        while self.rows > SAMPLE_ROWS && self.blocks.len() > 1 {
            self.every *= 2;
            self.blocks.retain(|index, _| index.is_multiple_of(self.every));
            self.rows = self.blocks.values().map(SparseBlock::rows).sum();
        }
    }

    fn finish(self) -> Vec<SparseBlock<'static>> {
        self.blocks.into_values().collect()
    }
}
