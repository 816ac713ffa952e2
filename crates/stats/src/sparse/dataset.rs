//! Sparse rows held in memory.

use std::borrow::Cow;
use std::collections::BTreeMap;

use super::block::{Entries, MAX_WEIGHTS, SPARSE_BLOCK_ROWS, Sides, SparseBlock, check_index};
use super::examples::{SparseBlocks, SparseExamples};
use crate::block::Column;
use crate::dataset::Example;
use crate::error::DataError;

/// One classified example of a sparse model.
#[derive(Clone, Copy, Debug)]
pub struct SparseExample<'a> {
    /// Index of a weight, counted from 0, and the value it is multiplied with.
    /// An index that occurs twice counts twice; the order does not matter, but
    /// ascending indices make passes a little faster.
    pub entries: &'a [(u32, f64)],
    /// Share of the win: 1 won, ½ drawn, 0 lost, or anything between them.
    pub outcome: Option<f64>,
    /// Trials behind the outcome, where the row is a count of successes.
    pub trials: Option<f64>,
    /// How often the row counts: weight 2 is the same as the row twice.
    pub weight: Option<f64>,
    /// Known part of the log-odds, to which the weights add.
    pub offset: Option<f64>,
    /// Group (game) whose rows are not independent of each other.
    pub group: Option<u32>,
    /// Phase of the game.
    pub phase: i32,
}

impl<'a> SparseExample<'a> {
    /// An example with only entries and an outcome.
    pub fn new(entries: &'a [(u32, f64)], outcome: f64) -> Self {
        Self {
            entries,
            outcome: Some(outcome),
            trials: None,
            weight: None,
            offset: None,
            group: None,
            phase: 0,
        }
    }

    /// Checks every value against its range.
    pub(crate) fn check(&self, weights: usize) -> Result<(), DataError> {
        for &(index, value) in self.entries {
            check_index(u64::from(index), weights)?;
            if !value.is_finite() {
                return Err(DataError::NotFinite { feature: index.to_string(), value });
            }
        }
        if let Some(offset) = self.offset.filter(|offset| !offset.is_finite()) {
            return Err(DataError::Offset(offset));
        }
        let Self { outcome, trials, weight, .. } = *self;
        Example { outcome, trials, weight, ..Example::new(&[], 0.0) }.check(&[])
    }
}

/// Sparse rows in memory, in blocks of one phase each.
///
/// An entry takes 4 bytes in blocks whose values are all 1, −1 or small whole
/// numbers, else 8, or 12 if its value is not exact in `f32`.
#[derive(Clone, Debug, Default)]
pub struct SparseDataset {
    weights: usize,
    blocks: Vec<SparseBlock<'static>>,
}

impl SparseDataset {
    /// Starts a data set for this many weights.
    ///
    /// # Panics
    /// If there are more than [`MAX_WEIGHTS`].
    pub fn builder(weights: usize) -> SparseDatasetBuilder {
        assert!(weights <= MAX_WEIGHTS, "{weights} weights are too many");
        SparseDatasetBuilder { weights, ..SparseDatasetBuilder::default() }
    }

    /// Puts blocks together that were made elsewhere.
    ///
    /// # Errors
    /// If an index is not below `weights`.
    pub fn from_blocks(
        weights: usize,
        blocks: Vec<SparseBlock<'static>>,
    ) -> Result<Self, DataError> {
        let bound = blocks.iter().map(|block| block.shape().bound).max().unwrap_or(0);
        if let Some(largest) = bound.checked_sub(1) {
            check_index(largest as u64, weights)?;
        }
        Ok(Self { weights, blocks })
    }

    /// The blocks, for rows that are kept elsewhere.
    pub fn into_blocks(self) -> Vec<SparseBlock<'static>> {
        self.blocks
    }

    pub(crate) fn each_block(&self) -> std::slice::Iter<'_, SparseBlock<'static>> {
        self.blocks.iter()
    }

    /// Number of rows.
    pub fn rows(&self) -> usize {
        self.blocks.iter().map(SparseBlock::rows).sum()
    }

    /// Bytes of all rows.
    pub fn bytes(&self) -> usize {
        self.blocks.iter().map(SparseBlock::bytes).sum()
    }
}

impl SparseExamples for SparseDataset {
    fn weights(&self) -> usize {
        self.weights
    }

    fn blocks(&self) -> SparseBlocks<'_> {
        Box::new(self.blocks.iter().map(|block| Ok(block.borrowed())))
    }

    fn in_memory(&self) -> bool {
        true
    }
}

/// Collects examples into blocks, and these into a [`SparseDataset`].
#[derive(Debug, Default)]
pub struct SparseDatasetBuilder {
    weights: usize,
    layout: Option<Layout>,
    open: BTreeMap<i32, OpenBlock>,
    blocks: Vec<SparseBlock<'static>>,
    bytes: usize,
    bound: usize,
}

impl SparseDatasetBuilder {
    /// Adds one example.
    ///
    /// # Errors
    /// If a value is out of its range or a column is given for some rows only.
    pub fn push(&mut self, example: &SparseExample) -> Result<(), DataError> {
        example.check(self.weights)?;
        let layout = Layout::of(example);
        let expected = *self.layout.get_or_insert(layout);
        if let Some(column) = expected.difference(layout) {
            return Err(DataError::Ragged(column));
        }
        let named = example.entries.iter().map(|&(index, _)| index as usize + 1);
        self.bound = named.fold(self.bound, usize::max);
        let open = self.open.entry(example.phase).or_default();
        open.push(example);
        if open.is_full() {
            let block = std::mem::take(open).close(example.phase);
            self.keep(block);
        }
        Ok(())
    }

    /// Bytes of the rows so far.
    pub fn bytes(&self) -> usize {
        self.bytes + self.open.values().map(OpenBlock::bytes).sum::<usize>()
    }

    /// Takes the full blocks away, for rows that are kept elsewhere.
    pub fn take_full(&mut self) -> Vec<SparseBlock<'static>> {
        self.bytes = 0;
        std::mem::take(&mut self.blocks)
    }

    /// One more than the largest index so far.
    pub fn bound(&self) -> usize {
        self.bound
    }

    /// The finished data set, ordered by phase and then as given.
    pub fn finish(mut self) -> SparseDataset {
        for (phase, open) in std::mem::take(&mut self.open) {
            if open.rows() > 0 {
                self.keep(open.close(phase));
            }
        }
        self.blocks.sort_by_key(SparseBlock::phase);
        SparseDataset { weights: self.weights, blocks: self.blocks }
    }

    fn keep(&mut self, block: SparseBlock<'static>) {
        self.bytes += block.bytes();
        self.blocks.push(block);
    }
}

/// Which optional columns there are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Layout([bool; 5]);

impl Layout {
    const NAMES: [&'static str; 5] = ["outcome", "trials", "weight", "offset", "group"];

    fn of(example: &SparseExample) -> Self {
        Self([
            example.outcome.is_some(),
            example.trials.is_some(),
            example.weight.is_some(),
            example.offset.is_some(),
            example.group.is_some(),
        ])
    }

    fn difference(self, other: Self) -> Option<&'static str> {
        (0..5).find(|&i| self.0[i] != other.0[i]).map(|i| Self::NAMES[i])
    }
}

/// A block of one phase that is still filling up.
#[derive(Debug, Default)]
struct OpenBlock {
    ends: Vec<u32>,
    /// Codes as in [`Entries::Signs`] while there are no values, else indices.
    codes: Vec<u32>,
    values: Option<Vec<f64>>,
    outcome: Vec<f64>,
    trials: Vec<f64>,
    weight: Vec<f64>,
    offset: Vec<f64>,
    group: Vec<u32>,
}

/// Whole numbers up to this are stored as an index that occurs several times.
const LARGEST_REPEAT: f64 = 4.0;
/// Rows of many entries make shorter blocks.
const MOST_ENTRIES: usize = 1 << 20;

impl OpenBlock {
    fn rows(&self) -> usize {
        self.ends.len()
    }

    fn is_full(&self) -> bool {
        self.rows() == SPARSE_BLOCK_ROWS || self.codes.len() >= MOST_ENTRIES
    }

    fn push(&mut self, example: &SparseExample) {
        for &(index, value) in example.entries {
            self.entry(index, value);
        }
        self.ends.push(self.codes.len() as u32);
        self.outcome.extend(example.outcome);
        self.trials.extend(example.trials);
        self.weight.extend(example.weight);
        self.offset.extend(example.offset);
        self.group.extend(example.group);
    }

    fn entry(&mut self, index: u32, value: f64) {
        if value == 0.0 {
            return;
        }
        let whole = value.fract() == 0.0 && value.abs() <= LARGEST_REPEAT;
        match &mut self.values {
            Some(values) => {
                self.codes.push(index);
                values.push(value);
            }
            None if whole => {
                let code = index << 1 | u32::from(value < 0.0);
                self.codes.extend(std::iter::repeat_n(code, value.abs() as usize));
            }
            None => {
                // The first value that needs one: give all before it theirs.
                let signs = self.codes.iter().map(|code| 1.0 - 2.0 * f64::from(code & 1));
                self.values = Some(signs.chain([value]).collect());
                self.codes.iter_mut().for_each(|code| *code >>= 1);
                self.codes.push(index);
            }
        }
    }

    fn bytes(&self) -> usize {
        let values = self.values.as_ref().map_or(0, Vec::len);
        let columns = [&self.outcome, &self.trials, &self.weight, &self.offset];
        let numbers = values + columns.into_iter().map(Vec::len).sum::<usize>();
        size_of::<f64>() * numbers
            + size_of::<u32>() * (self.ends.len() + self.codes.len() + self.group.len())
    }

    fn close(mut self, phase: i32) -> SparseBlock<'static> {
        // Vectors that grew hold up to twice what they need.
        self.codes.shrink_to_fit();
        self.ends.shrink_to_fit();
        self.group.shrink_to_fit();
        let (ends, codes) = (Cow::Owned(self.ends), Cow::Owned(self.codes));
        let entries = match (self.values.as_deref().map(Column::narrowest), self.values) {
            (Some(Column::F32(values)), _) => Entries::F32(codes, values),
            (_, Some(values)) => Entries::F64(codes, Cow::Owned(values)),
            (_, None) => Entries::Signs(codes),
        };
        let column = |values: Vec<f64>| (!values.is_empty()).then(|| Column::narrowest(&values));
        let sides = Sides {
            outcome: column(self.outcome),
            trials: column(self.trials),
            weight: column(self.weight),
            offset: column(self.offset),
            group: (!self.group.is_empty()).then_some(Cow::Owned(self.group)),
        };
        SparseBlock::new(phase, ends, entries, sides)
    }
}
