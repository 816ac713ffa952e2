//! Where sparse rows come from: memory, a file read in passes, a part of either.

use std::borrow::Cow;

use super::block::SparseBlock;
use crate::block::Column;
use crate::error::DataError;
use crate::examples::{Side, fold_of};

/// Blocks of one pass, in their fixed order.
pub type SparseBlocks<'a> =
    Box<dyn Iterator<Item = Result<SparseBlock<'a>, DataError>> + Send + 'a>;

/// Sparse rows that can be visited again and again.
///
/// A fit works in passes over the blocks, so an implementation may read them
/// from a file each time. It must give the same blocks in the same order on
/// every pass.
pub trait SparseExamples: Sync {
    /// Number of weights: every index is below it.
    fn weights(&self) -> usize;

    /// Starts a pass.
    fn blocks(&self) -> SparseBlocks<'_>;

    /// Whether blocks cost nothing to come by, so that passes over a few of
    /// them are cheap.
    fn in_memory(&self) -> bool {
        false
    }
}

/// The groups of sparse rows dealt into folds, one of them kept apart.
///
/// As [`Fold`](crate::Fold): rows on the other side stay with weight 0, and a
/// row without a group is a group of its own.
#[derive(Clone, Copy)]
pub struct SparseFold<'a> {
    examples: &'a dyn SparseExamples,
    folds: u32,
    fold: u32,
    side: Side,
}

impl<'a> SparseFold<'a> {
    /// One side of fold number `fold` of `folds`.
    pub fn new(examples: &'a dyn SparseExamples, fold: u32, folds: u32, side: Side) -> Self {
        Self { examples, folds, fold, side }
    }

    fn mask<'b>(&self, block: SparseBlock<'b>, index: u64) -> SparseBlock<'b> {
        let weights = (0..block.rows())
            .map(|row| {
                let key = block.group(row).map_or(index << 32 | row as u64, u64::from);
                let held_out = fold_of(key, self.folds) == self.fold;
                if held_out == (self.side == Side::HeldOut) { block.weight(row) } else { 0.0 }
            })
            .collect();
        block.reweighted(Column::F64(Cow::Owned(weights)))
    }
}

impl SparseExamples for SparseFold<'_> {
    fn weights(&self) -> usize {
        self.examples.weights()
    }

    fn blocks(&self) -> SparseBlocks<'_> {
        let blocks = (0..).zip(self.examples.blocks());
        Box::new(blocks.map(|(index, block)| block.map(|block| self.mask(block, index))))
    }

    fn in_memory(&self) -> bool {
        self.examples.in_memory()
    }
}
