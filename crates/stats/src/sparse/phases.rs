//! Rows of some phases of a data set, without a copy.

use std::borrow::Cow;
use std::collections::BTreeMap;

use super::block::{SPARSE_BLOCK_ROWS, SparseBlock};
use super::dataset::SparseDataset;
use super::examples::{SparseBlocks, SparseExamples};
use crate::block::Column;

/// Some phases of a data set, the rows of each counting as often as said.
///
/// A model of one stage of the game also learns from the stages around it, the
/// less the further away; the models of all stages share the rows.
///
/// ```
/// use discern_stats::sparse::{SparseDataset, SparseExample, SparseExamples, SparsePhases};
///
/// let mut data = SparseDataset::builder(1);
/// for phase in [10, 10, 11, 12] {
///     data.push(&SparseExample { phase, ..SparseExample::new(&[(0, 1.0)], 1.0) })?;
/// }
/// let data = data.finish();
/// let near = SparsePhases::new(&data, |phase| match phase {
///     10 => 1.0,
///     11 => 0.5,
///     _ => 0.0,
/// });
/// let weights: Vec<f64> = near.blocks().map(|block| block.unwrap().weight(0)).collect();
/// assert_eq!((weights, near.rows()), (vec![1.0, 0.5], 3));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct SparsePhases<'a> {
    data: &'a SparseDataset,
    /// For each phase how often its rows count, as a column as long as a block.
    shares: BTreeMap<i32, Vec<f32>>,
}

impl<'a> SparsePhases<'a> {
    /// The phases of which `share` is above 0; it is rounded to single precision.
    pub fn new(data: &'a SparseDataset, share: impl Fn(i32) -> f64) -> Self {
        let mut shares: BTreeMap<i32, Vec<f32>> = BTreeMap::new();
        for block in data.each_block() {
            let column = shares.entry(block.phase()).or_default();
            column.resize(block.rows().max(column.len()).max(SPARSE_BLOCK_ROWS), 0.0);
        }
        for (&phase, column) in &mut shares {
            column.fill(share(phase) as f32);
        }
        shares.retain(|_, column| column[0] > 0.0);
        Self { data, shares }
    }

    /// Number of rows.
    pub fn rows(&self) -> usize {
        let mine = self.data.each_block().filter(|block| self.shares.contains_key(&block.phase()));
        mine.map(SparseBlock::rows).sum()
    }
}

impl SparseExamples for SparsePhases<'_> {
    fn weights(&self) -> usize {
        self.data.weights()
    }

    fn blocks(&self) -> SparseBlocks<'_> {
        Box::new(self.data.each_block().filter_map(|block| {
            let shares = &self.shares.get(&block.phase())?[..block.rows()];
            let block = block.borrowed();
            Some(Ok(if block.sides().weight.is_some() {
                let own = (0..block.rows()).map(|row| block.weight(row));
                let weights = own.zip(shares).map(|(own, &share)| own * f64::from(share)).collect();
                block.reweighted(Column::F64(Cow::Owned(weights)))
            } else {
                block.reweighted(Column::F32(Cow::Borrowed(shares)))
            }))
        }))
    }

    fn in_memory(&self) -> bool {
        true
    }
}
