//! The two loops that take the time of a fit: values of rows from the weights,
//! and residuals of rows back to the weights.
//!
//! Rows of ±1 use a table with each weight beside its negative, so that an
//! entry is one load and one addition and never a question of the sign. The
//! way back adds whole numbers (see [`pass`](super::pass)); an integer addition
//! in memory is also the fastest there is: on 1.8 million rows × 38 entries it
//! took .059 s, `f64` .065 s, integers with the sign worked out .089 s.
//! AVX2's gather lost to plain loads (.072 s against .048 s).
#![allow(unsafe_code)]

use std::ops::Range;

use super::block::{Entries, SparseBlock};
use super::space::Space;

/// A number for each index, for [`values`].
pub(crate) struct Table {
    /// 2 if each value is followed by its negative.
    stride: usize,
    values: Vec<f64>,
}

impl Table {
    pub(crate) fn new(indices: usize, signed: bool) -> Self {
        let stride = if signed { 2 } else { 1 };
        Self { stride, values: vec![0.0; indices * stride] }
    }

    #[inline]
    pub(crate) fn set(&mut self, index: usize, value: f64) {
        self.values[index * self.stride] = value;
        if self.stride == 2 {
            self.values[index * 2 + 1] = -value;
        }
    }
}

/// Whole-number sums for each index, for [`scatter`].
pub(crate) struct Totals {
    stride: usize,
    signs: Vec<i64>,
    /// Sums of the entries that have values; empty if none has.
    valued: Vec<i64>,
}

impl Totals {
    pub(crate) fn new(indices: usize, signed: bool, valued: bool) -> Self {
        let stride = if signed { 2 } else { 1 };
        let valued = vec![0; if valued { indices } else { 0 }];
        Self { stride, signs: vec![0; indices * stride], valued }
    }

    pub(crate) fn add(&mut self, other: &Self) {
        let both = self.signs.iter_mut().zip(&other.signs);
        for (sum, more) in both.chain(self.valued.iter_mut().zip(&other.valued)) {
            *sum += more;
        }
    }

    /// The sum of an index: of its ±1 entries, and of its others.
    #[inline]
    pub(crate) fn of(&self, index: usize) -> (i64, i64) {
        let signs = match self.stride {
            1 => self.signs[index],
            _ => self.signs[2 * index] - self.signs[2 * index + 1],
        };
        (signs, self.valued.get(index).copied().unwrap_or(0))
    }
}

/// Entries of a row among those of its block.
#[inline(always)]
pub(super) fn row_range(ends: &[u32], row: usize) -> Range<usize> {
    let start = if row == 0 { 0 } else { ends[row - 1] as usize };
    start..ends[row] as usize
}

/// Σ value·weight of each of some rows of a block.
pub(crate) fn values(block: &SparseBlock, rows: Range<usize>, table: &Table, out: &mut [f64]) {
    let (ends, entries) = block.parts();
    assert!(block.shape().bound * table.stride <= table.values.len());
    match entries {
        Entries::Signs(codes) => {
            assert!(table.stride == 2 || !block.shape().signed);
            for (row, out) in rows.zip(out) {
                let codes = &codes[row_range(ends, row)];
                // SAFETY: `Shape` was computed from these codes, so that every
                // code / 2 is below its bound and, unless it says signed, even:
                // the assertions above. Checked indexing costs 10 % here.
                *out = unsafe {
                    match table.stride {
                        2 => sum_unchecked(codes, |code| code as usize, &table.values),
                        _ => sum_unchecked(codes, |code| (code >> 1) as usize, &table.values),
                    }
                };
            }
        }
        Entries::F32(indices, values) => {
            for (row, out) in rows.zip(out) {
                let range = row_range(ends, row);
                let row = indices[range.clone()].iter().zip(&values[range]);
                *out = row
                    .map(|(&index, &x)| f64::from(x) * table.values[index as usize * table.stride])
                    .sum();
            }
        }
        Entries::F64(indices, values) => {
            for (row, out) in rows.zip(out) {
                let range = row_range(ends, row);
                let row = indices[range.clone()].iter().zip(&values[range]);
                *out =
                    row.map(|(&index, &x)| x * table.values[index as usize * table.stride]).sum();
            }
        }
    }
}

/// Σ values[place(code)], in four chains that do not wait for each other.
///
/// # Safety
/// Every place must be below the length of `values`.
#[inline(always)]
unsafe fn sum_unchecked(codes: &[u32], place: impl Fn(u32) -> usize, values: &[f64]) -> f64 {
    let mut sums = [0.0; 4];
    let (fours, rest) = codes.as_chunks::<4>();
    for four in fours {
        for (sum, &code) in sums.iter_mut().zip(four) {
            // SAFETY: promised by the caller.
            *sum += unsafe { *values.get_unchecked(place(code)) };
        }
    }
    for &code in rest {
        // SAFETY: promised by the caller.
        sums[0] += unsafe { *values.get_unchecked(place(code)) };
    }
    (sums[0] + sums[1]) + (sums[2] + sums[3])
}

/// Adds to each index of a row the row's number, times the entry's value.
///
/// `numbers` are the numbers in units of the sums; the values of entries are
/// taken times `unit` of their index, which makes them at most 1.
pub(crate) fn scatter(
    block: &SparseBlock,
    rows: Range<usize>,
    numbers: &[f64],
    units: &[f64],
    totals: &mut Totals,
) {
    let (ends, entries) = block.parts();
    assert!(block.shape().bound * totals.stride <= totals.signs.len());
    match entries {
        Entries::Signs(codes) => {
            assert!(totals.stride == 2 || !block.shape().signed);
            for (row, &number) in rows.zip(numbers) {
                let codes = &codes[row_range(ends, row)];
                let number = whole(number);
                // SAFETY: as in `values`; checked indexing costs 40 % here.
                unsafe {
                    match totals.stride {
                        2 => add_unchecked(codes, |code| code as usize, number, &mut totals.signs),
                        _ => add_unchecked(
                            codes,
                            |code| (code >> 1) as usize,
                            number,
                            &mut totals.signs,
                        ),
                    }
                }
            }
        }
        Entries::F32(indices, values) => {
            for (row, &number) in rows.zip(numbers) {
                let range = row_range(ends, row);
                for (&index, &x) in indices[range.clone()].iter().zip(&values[range]) {
                    let index = index as usize;
                    totals.valued[index] += whole(number * f64::from(x) * units[index]);
                }
            }
        }
        Entries::F64(indices, values) => {
            for (row, &number) in rows.zip(numbers) {
                let range = row_range(ends, row);
                for (&index, &x) in indices[range.clone()].iter().zip(&values[range]) {
                    let index = index as usize;
                    totals.valued[index] += whole(number * x * units[index]);
                }
            }
        }
    }
}

/// # Safety
/// Every place must be below the length of `sums`.
#[inline(always)]
unsafe fn add_unchecked(
    codes: &[u32],
    place: impl Fn(u32) -> usize,
    number: i64,
    sums: &mut [i64],
) {
    for &code in codes {
        // SAFETY: promised by the caller.
        unsafe { *sums.get_unchecked_mut(place(code)) += number };
    }
}

/// The nearest whole number.
#[inline(always)]
pub(crate) fn whole(number: f64) -> i64 {
    number.round_ties_even() as i64
}

/// Σ of squares and of rows of a weight, as whole numbers.
#[derive(Clone, Copy, Default)]
pub(crate) struct Tally {
    pub(crate) squares: i64,
    pub(crate) rows: i64,
}

impl Tally {
    #[inline(always)]
    pub(crate) fn add(&mut self, squares: i64, rows: i64) {
        self.squares += squares;
        self.rows += rows;
    }
}

/// Counts how often a row of ±1 names an index, for [`Tally`]s of its indices.
pub(crate) struct Repeats {
    times: Vec<i32>,
}

impl Repeats {
    pub(crate) fn new(indices: usize) -> Self {
        Self { times: vec![0; indices] }
    }

    /// Adds to each index of a row `square` times the square of its value.
    #[inline(always)]
    pub(crate) fn tally(
        &mut self,
        block: &SparseBlock,
        row: usize,
        square: i64,
        rows: i64,
        tallies: &mut [Tally],
    ) {
        let (ends, Entries::Signs(codes)) = block.parts() else { return };
        let codes = &codes[row_range(ends, row)];
        if block.shape().distinct || ascends(codes) {
            for code in codes {
                tallies[(code >> 1) as usize].add(square, rows);
            }
            return;
        }
        for code in codes {
            self.times[(code >> 1) as usize] += 1 - 2 * (code & 1) as i32;
        }
        for code in codes {
            // At the second time it is 0 and adds nothing.
            let times = std::mem::take(&mut self.times[(code >> 1) as usize]);
            let times = i64::from(times);
            let tally = &mut tallies[(code >> 1) as usize];
            tally.add(square * times * times, if times == 0 { 0 } else { rows });
        }
    }
}

/// Whether no index of a row of ±1 occurs twice, seen by their order: most rows
/// of a block in which some repeat an index.
#[inline(always)]
fn ascends(codes: &[u32]) -> bool {
    let pairs = codes.iter().zip(codes.iter().skip(1));
    // It does not end early: that way many pairs are compared at a time.
    pairs.fold(true, |all, (before, after)| all & (before >> 1 < after >> 1))
}

/// Visits each weight that a row has once, with the sum of its values: for
/// squares of values, where 1 + 1 is 2 and not twice 1.
pub(crate) struct Distinct {
    sums: Vec<f64>,
}

impl Distinct {
    pub(crate) fn new(weights: usize) -> Self {
        Self { sums: vec![0.0; weights] }
    }

    pub(crate) fn visit(
        &mut self,
        block: &SparseBlock,
        row: usize,
        space: &Space,
        mut visit: impl FnMut(usize, f64),
    ) {
        let (ends, entries) = block.parts();
        let range = row_range(ends, row);
        if block.shape().distinct && !space.is_tied() {
            for at in range {
                let (index, value) = entries.entry(at);
                visit(index as usize, value);
            }
            return;
        }
        let weight = |at| {
            let (index, value) = entries.entry(at);
            space.weight_of(index as usize).map(|(weight, sign)| (weight, sign * value))
        };
        for (weight, value) in range.clone().filter_map(weight) {
            self.sums[weight] += value;
        }
        for (weight, _) in range.filter_map(weight) {
            let sum = std::mem::take(&mut self.sums[weight]);
            if sum != 0.0 {
                visit(weight, sum);
            }
        }
    }
}
