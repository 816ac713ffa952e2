//! Examples held in memory.

use std::borrow::Cow;
use std::collections::BTreeMap;

use crate::block::{BLOCK_ROWS, Block, Column};
use crate::error::DataError;
use crate::examples::{Blocks, Examples};

/// One classified example.
#[derive(Clone, Copy, Debug)]
pub struct Example<'a> {
    /// Feature values, from the view of the side whose win is predicted.
    pub features: &'a [f64],
    /// Share of the win: 1 won, ½ drawn, 0 lost; successes / trials of counts.
    pub outcome: Option<f64>,
    /// Trials behind the outcome, where the row is a count of successes.
    pub trials: Option<f64>,
    /// Numeric result for linear regression.
    pub score: Option<f64>,
    /// How often the row counts: weight 2 is the same as the row twice.
    pub weight: Option<f64>,
    /// Group (game) whose rows are not independent of each other.
    pub group: Option<u32>,
    /// Phase of the game.
    pub phase: i32,
}

impl<'a> Example<'a> {
    /// An example with only features and an outcome.
    pub fn new(features: &'a [f64], outcome: f64) -> Self {
        Self {
            features,
            outcome: Some(outcome),
            trials: None,
            score: None,
            weight: None,
            group: None,
            phase: 0,
        }
    }

    /// Checks everything but the number of features.
    pub(crate) fn check(&self, names: &[String]) -> Result<(), DataError> {
        if let Some((name, &value)) =
            names.iter().zip(self.features).find(|(_, value)| !value.is_finite())
        {
            return Err(DataError::NotFinite { feature: name.clone(), value });
        }
        match *self {
            Self { outcome: Some(outcome), .. } if !(0.0..=1.0).contains(&outcome) => {
                Err(DataError::Outcome(outcome))
            }
            Self { trials: Some(trials), .. } if !(trials > 0.0 && trials.is_finite()) => {
                Err(DataError::TrialCount(trials))
            }
            Self { score: Some(score), .. } if !score.is_finite() => Err(DataError::Score(score)),
            Self { weight: Some(weight), .. } if !(weight >= 0.0 && weight.is_finite()) => {
                Err(DataError::Weight(weight))
            }
            _ => Ok(()),
        }
    }
}

/// Examples in memory, in blocks of one phase each.
///
/// Each column of each block takes 4 bytes per value where all its values are
/// exact in `f32`, else 8.
#[derive(Clone, Debug, Default)]
#[must_use]
pub struct Dataset {
    features: Vec<String>,
    blocks: Vec<Block<'static>>,
}

impl Dataset {
    /// Starts a data set with these features.
    pub fn builder<N: Into<String>>(features: impl IntoIterator<Item = N>) -> DatasetBuilder {
        DatasetBuilder {
            features: features.into_iter().map(Into::into).collect(),
            layout: None,
            open: BTreeMap::new(),
            blocks: Vec::new(),
            bytes: 0,
        }
    }

    /// Number of rows.
    pub fn rows(&self) -> usize {
        self.blocks.iter().map(Block::rows).sum()
    }

    /// Bytes of all columns.
    pub fn bytes(&self) -> usize {
        self.blocks.iter().map(Block::bytes).sum()
    }

    /// The rows as blocks of one phase each, for a source of [`Examples`] that
    /// reads them part by part.
    pub fn into_blocks(self) -> Vec<Block<'static>> {
        self.blocks
    }
}

impl Examples for Dataset {
    fn features(&self) -> &[String] {
        &self.features
    }

    fn blocks(&self) -> Blocks<'_> {
        Box::new(self.blocks.iter().map(|block| Ok(block.borrowed())))
    }

    fn in_memory(&self) -> bool {
        true
    }
}

/// Collects examples into a [`Dataset`].
#[derive(Debug)]
pub struct DatasetBuilder {
    features: Vec<String>,
    layout: Option<Layout>,
    open: BTreeMap<i32, OpenBlock>,
    blocks: Vec<Block<'static>>,
    bytes: usize,
}

impl DatasetBuilder {
    /// Adds one example.
    ///
    /// # Errors
    /// If a value is out of its range or a column is given for some rows only.
    pub fn push(&mut self, example: &Example) -> Result<(), DataError> {
        if example.features.len() != self.features.len() {
            return Err(DataError::FeatureCount {
                expected: self.features.len(),
                found: example.features.len(),
            });
        }
        example.check(&self.features)?;
        let found = layout(example);
        let expected = *self.layout.get_or_insert(found);
        if let Some(column) = (0..OPTIONAL.len()).find(|&column| expected[column] != found[column])
        {
            return Err(DataError::Ragged(OPTIONAL[column]));
        }
        let open = self.open.entry(example.phase).or_default();
        open.push(example);
        if open.rows == BLOCK_ROWS {
            let block = open.close(example.phase);
            self.bytes += block.bytes();
            self.blocks.push(block);
        }
        Ok(())
    }

    /// Bytes of the columns so far.
    pub fn bytes(&self) -> usize {
        let open: usize = self.open.values().map(|open| open.values.len() * size_of::<f64>()).sum();
        self.bytes + open
    }

    /// The finished data set, ordered by phase and then as given.
    pub fn finish(mut self) -> Dataset {
        for (phase, mut open) in self.open {
            if open.rows > 0 {
                self.blocks.push(open.close(phase));
            }
        }
        self.blocks.sort_by_key(|block| block.phase);
        Dataset { features: self.features, blocks: self.blocks }
    }
}

/// The optional columns, in the order of their names.
type Layout = [bool; 5];
const OPTIONAL: [&str; 5] = ["outcome", "trials", "score", "weight", "group"];

fn layout(example: &Example) -> Layout {
    let Example { outcome, trials, score, weight, group, .. } = example;
    let numbers = [outcome, trials, score, weight].map(Option::is_some);
    let [outcome, trials, score, weight] = numbers;
    [outcome, trials, score, weight, group.is_some()]
}

/// A block of one phase that is still filling up.
#[derive(Debug, Default)]
struct OpenBlock {
    rows: usize,
    /// Row after row: the features and then the optional columns present.
    values: Vec<f64>,
    layout: Layout,
    groups: Vec<u32>,
    features: usize,
}

impl OpenBlock {
    fn push(&mut self, example: &Example) {
        self.features = example.features.len();
        self.layout = layout(example);
        self.values.extend_from_slice(example.features);
        self.values.extend(example.outcome);
        self.values.extend(example.trials);
        self.values.extend(example.score);
        self.values.extend(example.weight);
        self.groups.extend(example.group);
        self.rows += 1;
    }

    /// The block, leaving this one empty.
    fn close(&mut self, phase: i32) -> Block<'static> {
        let width = self.values.len() / self.rows;
        let mut scratch = Vec::with_capacity(self.rows);
        let mut next = 0;
        let mut column = |values: &[f64]| {
            scratch.clear();
            scratch.extend(values.iter().skip(next).step_by(width));
            next += 1;
            Column::narrowest(&scratch)
        };
        let features = (0..self.features).map(|_| column(&self.values)).collect();
        let [outcome, trials, score, weight, group] = self.layout;
        let mut optional = |present: bool| present.then(|| column(&self.values));
        let block = Block {
            phase,
            features,
            outcome: optional(outcome),
            trials: optional(trials),
            score: optional(score),
            weight: optional(weight),
            group: group.then(|| Cow::Owned(self.groups.clone())),
        };
        // Freed, not cleared: with one open block per phase the room would add up.
        self.values = Vec::new();
        self.groups = Vec::new();
        self.rows = 0;
        block
    }
}

/// Examples in columns that somebody else owns; nothing is copied.
#[derive(Clone, Debug)]
pub struct ColumnsView<'a> {
    features: Vec<String>,
    block: Block<'a>,
}

impl<'a> ColumnsView<'a> {
    /// Views the columns of `block`, of any length and one phase.
    ///
    /// # Errors
    /// If columns differ in length or a value is out of its range.
    pub fn new<N: Into<String>>(
        features: impl IntoIterator<Item = N>,
        block: Block<'a>,
    ) -> Result<Self, DataError> {
        let view = Self::unverified(features, block)?;
        view.verify()?;
        Ok(view)
    }

    /// Checks everything but whether the features are finite numbers, which is
    /// most of the work.
    pub(crate) fn unverified<N: Into<String>>(
        features: impl IntoIterator<Item = N>,
        block: Block<'a>,
    ) -> Result<Self, DataError> {
        let features: Vec<String> = features.into_iter().map(Into::into).collect();
        check_shape(&block, &features)?;
        check_sides(&block)?;
        Ok(Self { features, block })
    }

    /// Looks for a feature that is not a finite number.
    pub(crate) fn verify(&self) -> Result<(), DataError> {
        for (name, column) in self.features.iter().zip(&self.block.features) {
            if !column.is_finite()
                && let Some(value) = column.values().find(|value| !value.is_finite())
            {
                return Err(DataError::NotFinite { feature: name.clone(), value });
            }
        }
        Ok(())
    }
}

impl Examples for ColumnsView<'_> {
    fn features(&self) -> &[String] {
        &self.features
    }

    fn blocks(&self) -> Blocks<'_> {
        let rows = self.block.rows();
        Box::new(
            (0..rows)
                .step_by(BLOCK_ROWS)
                .map(move |start| Ok(self.block.slice(start..rows.min(start + BLOCK_ROWS)))),
        )
    }

    fn in_memory(&self) -> bool {
        true
    }
}

/// Checks that the columns of a block are as many and as long as they should.
fn check_shape(block: &Block, features: &[String]) -> Result<(), DataError> {
    if block.features.len() != features.len() {
        return Err(DataError::FeatureCount {
            expected: features.len(),
            found: block.features.len(),
        });
    }
    let rows = block.rows();
    let optional = [
        ("outcome", &block.outcome),
        ("trials", &block.trials),
        ("score", &block.score),
        ("weight", &block.weight),
    ];
    let lengths = features
        .iter()
        .map(String::as_str)
        .zip(block.features.iter().map(Column::len))
        .chain(optional.iter().filter_map(|(name, c)| c.as_ref().map(|c| (*name, c.len()))))
        .chain(block.group.as_ref().map(|group| ("group", group.len())));
    for (name, found) in lengths {
        if found != rows {
            let column = name.to_string();
            return Err(DataError::ColumnLength { column, expected: rows, found });
        }
    }
    Ok(())
}

/// Checks the values beside the features.
fn check_sides(block: &Block) -> Result<(), DataError> {
    let all = |column: &Option<Column>, test: fn(f64) -> bool| {
        column.as_ref().is_none_or(|column| column.all(test))
    };
    // Column by column, many rows at a time; row by row only to name the first
    // of several faults.
    if all(&block.outcome, |outcome| (0.0..=1.0).contains(&outcome))
        && all(&block.trials, |trials| trials > 0.0 && trials.is_finite())
        && all(&block.score, f64::is_finite)
        && all(&block.weight, |weight| weight >= 0.0 && weight.is_finite())
    {
        return Ok(());
    }
    for row in 0..block.rows() {
        let value = |column: &Option<Column>| column.as_ref().map(|column| column.value(row));
        let example = Example {
            features: &[],
            outcome: value(&block.outcome),
            trials: value(&block.trials),
            score: value(&block.score),
            weight: value(&block.weight),
            group: None,
            phase: block.phase,
        };
        example.check(&[])?;
    }
    Ok(())
}
