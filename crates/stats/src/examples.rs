//! Where examples come from: memory, a file read in passes, a part of either.

use std::borrow::Cow;

use crate::block::{Block, Column};
use crate::error::DataError;
use crate::moments::PhaseMoments;

/// Blocks of one pass, in their fixed order.
pub type Blocks<'a> = Box<dyn Iterator<Item = Result<Block<'a>, DataError>> + Send + 'a>;

/// Classified examples that can be visited again and again.
///
/// Every estimator of this crate works in passes over the blocks and keeps
/// only sums, so an implementation may read its blocks from a file each time.
/// It must give the same blocks in the same order on every pass.
pub trait Examples: Sync {
    /// Names of the features.
    fn features(&self) -> &[String];

    /// Starts a pass.
    fn blocks(&self) -> Blocks<'_>;

    /// Whether blocks cost nothing to come by, so that passes over a few of
    /// them are cheap.
    fn in_memory(&self) -> bool {
        false
    }

    /// The moments of all rows, where somebody has collected them
    /// ([`WithMoments`](crate::WithMoments)).
    fn moments(&self) -> Option<&PhaseMoments> {
        None
    }
}

/// Every so many blocks of some examples.
pub(crate) struct Sample<'a> {
    pub(crate) examples: &'a dyn Examples,
    pub(crate) every: usize,
}

impl Examples for Sample<'_> {
    fn features(&self) -> &[String] {
        self.examples.features()
    }

    fn blocks(&self) -> Blocks<'_> {
        Box::new(self.examples.blocks().step_by(self.every))
    }

    fn in_memory(&self) -> bool {
        self.examples.in_memory()
    }
}

/// The groups of every example dealt into folds, one of them kept apart.
///
/// Rows on the other side stay in their blocks with weight 0, so that nothing
/// is copied but the weights. A row without a group is a group of its own.
#[derive(Clone, Copy)]
pub struct Fold<'a> {
    examples: &'a dyn Examples,
    folds: u32,
    fold: u32,
    side: Side,
}

/// Which rows of a [`Fold`] count.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Side {
    /// The rows of every other fold.
    Training,
    /// The rows of the fold itself.
    HeldOut,
}

impl<'a> Fold<'a> {
    /// One side of fold number `fold` of `folds`.
    pub fn new(examples: &'a dyn Examples, fold: u32, folds: u32, side: Side) -> Self {
        Self { examples, folds, fold, side }
    }

    fn mask<'b>(&self, mut block: Block<'b>, index: u64) -> Block<'b> {
        let weights: Vec<f64> = (0..block.rows())
            .map(|row| {
                let key = match &block.group {
                    Some(group) => u64::from(group[row]),
                    None => index << 32 | row as u64,
                };
                let held_out = fold_of(key, self.folds) == self.fold;
                if held_out == (self.side == Side::HeldOut) { block.weight_of(row) } else { 0.0 }
            })
            .collect();
        block.weight = Some(Column::F64(Cow::Owned(weights)));
        block
    }
}

impl Examples for Fold<'_> {
    fn features(&self) -> &[String] {
        self.examples.features()
    }

    fn blocks(&self) -> Blocks<'_> {
        let masked = (0..)
            .zip(self.examples.blocks())
            .map(|(index, block)| block.map(|block| self.mask(block, index)));
        Box::new(masked)
    }

    fn in_memory(&self) -> bool {
        self.examples.in_memory()
    }
}

/// The fold of a group: an integer hash (splitmix64), so that neighbouring
/// numbers do not end up in neighbouring folds.
pub(crate) fn fold_of(key: u64, folds: u32) -> u32 {
    let mut z = key.wrapping_add(0x9e37_79b9_7f4a_7c15);
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^= z >> 31;
    (z % u64::from(folds.max(1))) as u32
}
