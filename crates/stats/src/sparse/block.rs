//! Sparse rows in their compact form: the unit of every pass.

use std::borrow::Cow;

use super::kernel::row_range;
use crate::block::Column;
use crate::error::DataError;
use crate::simd::{Avx2, Lanes};

/// Rows of a full block.
///
/// With 48 entries a row a block takes 200 kB and stays in the second-level
/// cache between the two visits of a pass (values out, residuals back).
pub const SPARSE_BLOCK_ROWS: usize = 1024;

/// The largest number of weights.
pub const MAX_WEIGHTS: usize = 1 << 31;

/// Entries of all rows of a block, row after row.
#[derive(Clone, Debug)]
pub(crate) enum Entries<'a> {
    /// Every value is 1 or −1: index·2, plus 1 for −1. Four bytes an entry. An
    /// index that occurs twice counts twice.
    Signs(Cow<'a, [u32]>),
    /// Indices, and values that are exact in single precision.
    F32(Cow<'a, [u32]>, Cow<'a, [f32]>),
    /// Indices, and values of any kind.
    F64(Cow<'a, [u32]>, Cow<'a, [f64]>),
}

impl Entries<'_> {
    pub(crate) fn len(&self) -> usize {
        match self {
            Self::Signs(codes) => codes.len(),
            Self::F32(indices, _) | Self::F64(indices, _) => indices.len(),
        }
    }

    /// Index and value of an entry.
    #[inline]
    pub(crate) fn entry(&self, at: usize) -> (u32, f64) {
        match self {
            Self::Signs(codes) => (codes[at] >> 1, 1.0 - 2.0 * f64::from(codes[at] & 1)),
            Self::F32(indices, values) => (indices[at], f64::from(values[at])),
            Self::F64(indices, values) => (indices[at], values[at]),
        }
    }

    fn borrowed(&self) -> Entries<'_> {
        match self {
            Self::Signs(codes) => Entries::Signs(Cow::Borrowed(codes)),
            Self::F32(indices, values) => {
                Entries::F32(Cow::Borrowed(indices), Cow::Borrowed(values))
            }
            Self::F64(indices, values) => {
                Entries::F64(Cow::Borrowed(indices), Cow::Borrowed(values))
            }
        }
    }

    fn bytes(&self) -> usize {
        match self {
            Self::Signs(codes) => size_of_val(&**codes),
            Self::F32(indices, values) => size_of_val(&**indices) + size_of_val(&**values),
            Self::F64(indices, values) => size_of_val(&**indices) + size_of_val(&**values),
        }
    }
}

/// What a pass has to know of the entries of a block before it reads them.
///
/// Computed from the entries when a block is made, and never without: the
/// kernels rely on it.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Shape {
    /// Every index is below it.
    pub(crate) bound: usize,
    /// Entries of the longest row.
    pub(crate) longest: usize,
    /// Whether the indices of every row ascend, so that none occurs twice.
    pub(crate) distinct: bool,
    /// Whether some value is −1, of [`Entries::Signs`].
    pub(crate) signed: bool,
}

impl Shape {
    fn of(ends: &[u32], entries: &Entries) -> Self {
        let mut shape = Self { distinct: true, ..Self::default() };
        let (indices, shift): (&[u32], u32) = match entries {
            Entries::Signs(codes) => (codes, 1),
            Entries::F32(indices, _) | Entries::F64(indices, _) => (indices, 0),
        };
        let largest = indices.iter().copied().max();
        shape.bound = largest.map_or(0, |code| (code >> shift) as usize + 1);
        shape.signed = shift == 1 && indices.iter().fold(0, |any, code| any | code) & 1 == 1;
        let mut start = 0;
        for &end in ends {
            let row = &indices[start..end as usize];
            shape.longest = shape.longest.max(row.len());
            shape.distinct &= row.windows(2).all(|pair| pair[0] >> shift < pair[1] >> shift);
            start = end as usize;
        }
        shape
    }

    /// How often an index may occur in a row.
    pub(crate) fn multiplicity(&self) -> usize {
        if self.distinct { 1 } else { self.longest }
    }
}

/// Consecutive sparse rows of one phase, in compact form.
///
/// Made by a [`SparseDatasetBuilder`](super::SparseDatasetBuilder), or from the
/// bytes that [`encode`](Self::encode) has written.
#[derive(Clone, Debug)]
pub struct SparseBlock<'a> {
    phase: i32,
    /// Where each row ends among the entries.
    ends: Cow<'a, [u32]>,
    entries: Entries<'a>,
    shape: Shape,
    sides: Sides<'a>,
}

/// The columns beside the entries.
#[derive(Clone, Debug, Default)]
pub(crate) struct Sides<'a> {
    pub(crate) outcome: Option<Column<'a>>,
    pub(crate) trials: Option<Column<'a>>,
    pub(crate) weight: Option<Column<'a>>,
    pub(crate) offset: Option<Column<'a>>,
    pub(crate) group: Option<Cow<'a, [u32]>>,
}

impl<'a> SparseBlock<'a> {
    /// `ends` ascend to the number of entries, and every column is as long.
    pub(crate) fn new(
        phase: i32,
        ends: Cow<'a, [u32]>,
        entries: Entries<'a>,
        sides: Sides<'a>,
    ) -> Self {
        let shape = Shape::of(&ends, &entries);
        Self { phase, ends, entries, shape, sides }
    }

    /// Phase of every row.
    pub fn phase(&self) -> i32 {
        self.phase
    }

    /// Number of rows.
    pub fn rows(&self) -> usize {
        self.ends.len()
    }

    /// Index and value of every entry of a row, in the order they were given.
    ///
    /// # Panics
    /// If there is no such row.
    pub fn entries(&self, row: usize) -> impl Iterator<Item = (u32, f64)> + '_ {
        let start = if row == 0 { 0 } else { self.ends[row - 1] };
        (start as usize..self.ends[row] as usize).map(|at| self.entries.entry(at))
    }

    /// Share of the win of a row, where rows have outcomes.
    pub fn outcome(&self, row: usize) -> Option<f64> {
        self.sides.outcome.as_ref().map(|outcome| outcome.value(row))
    }

    /// How often a row counts.
    #[inline]
    pub fn weight(&self, row: usize) -> f64 {
        self.sides.weight.as_ref().map_or(1.0, |weight| weight.value(row))
    }

    /// Known part of a row's log-odds.
    #[inline]
    pub fn offset(&self, row: usize) -> f64 {
        self.sides.offset.as_ref().map_or(0.0, |offset| offset.value(row))
    }

    /// Group of a row, where rows have groups.
    pub fn group(&self, row: usize) -> Option<u32> {
        self.sides.group.as_ref().map(|group| group[row])
    }

    /// Bytes of all columns.
    pub fn bytes(&self) -> usize {
        size_of_val(&*self.ends) + self.entries.bytes() + self.sides.bytes()
    }

    /// The same rows without a copy.
    pub fn borrowed(&self) -> SparseBlock<'_> {
        SparseBlock {
            phase: self.phase,
            ends: Cow::Borrowed(&self.ends),
            entries: self.entries.borrowed(),
            shape: self.shape,
            sides: self.sides.borrowed(),
        }
    }

    /// The same rows, owned.
    pub fn into_owned(self) -> SparseBlock<'static> {
        SparseBlock {
            phase: self.phase,
            ends: owned(self.ends),
            entries: match self.entries {
                Entries::Signs(codes) => Entries::Signs(owned(codes)),
                Entries::F32(indices, values) => Entries::F32(owned(indices), owned(values)),
                Entries::F64(indices, values) => Entries::F64(owned(indices), owned(values)),
            },
            shape: self.shape,
            sides: self.sides.into_owned(),
        }
    }

    /// The same rows, counting as often as said here.
    pub(crate) fn reweighted(mut self, weights: Column<'a>) -> Self {
        debug_assert_eq!(weights.len(), self.rows());
        self.sides.weight = Some(weights);
        self
    }

    pub(crate) fn sides(&self) -> &Sides<'a> {
        &self.sides
    }

    /// Where each row ends among the entries, and the entries.
    pub(crate) fn parts(&self) -> (&[u32], &Entries<'a>) {
        (&self.ends, &self.entries)
    }

    /// Asks for the entries of a row that will be read soon. Any x86-64
    /// processor can do that, whatever the lanes are called.
    #[inline(always)]
    pub(crate) fn prefetch(&self, row: usize) {
        if row < self.rows() {
            let range = row_range(&self.ends, row);
            match &self.entries {
                Entries::Signs(codes) => Avx2::prefetch(&codes[range]),
                Entries::F32(indices, _) | Entries::F64(indices, _) => {
                    Avx2::prefetch(&indices[range]);
                }
            }
        }
    }

    pub(crate) fn shape(&self) -> Shape {
        self.shape
    }
}

impl Sides<'_> {
    fn columns(&self) -> [&Option<Column<'_>>; 4] {
        [&self.outcome, &self.trials, &self.weight, &self.offset]
    }

    fn bytes(&self) -> usize {
        self.columns().into_iter().flatten().map(Column::bytes).sum::<usize>()
            + self.group.as_ref().map_or(0, |group| size_of_val(&**group))
    }

    fn borrowed(&self) -> Sides<'_> {
        let [outcome, trials, weight, offset] =
            self.columns().map(|column| column.as_ref().map(|c| c.slice(0..c.len())));
        let group = self.group.as_ref().map(|group| Cow::Borrowed(&**group));
        Sides { outcome, trials, weight, offset, group }
    }

    fn into_owned(self) -> Sides<'static> {
        let column = |column: Option<Column<'_>>| column.map(Column::into_owned);
        Sides {
            outcome: column(self.outcome),
            trials: column(self.trials),
            weight: column(self.weight),
            offset: column(self.offset),
            group: self.group.map(owned),
        }
    }
}

fn owned<T: Clone>(values: Cow<'_, [T]>) -> Cow<'static, [T]> {
    Cow::Owned(values.into_owned())
}

/// Checks that an index exists.
pub(crate) fn check_index(index: u64, weights: usize) -> Result<(), DataError> {
    if index < weights as u64 {
        Ok(())
    } else {
        Err(DataError::Index { index, last: (weights as u64).saturating_sub(1) })
    }
}
