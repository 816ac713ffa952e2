//! A tile: a few rows of a block, widened to `f64`, column after column.
//!
//! A tile fits into the first-level cache together with its weighted copy.
//! Rows lie across the lanes, so every sum over rows is a plain vertical sum.

use std::ops::Range;

use serde::{Deserialize, Serialize};

use crate::block::{AnyTable, Block, Column, Table};
use crate::simd::{Lanes, WIDTH};

/// Vectors per column of a tile.
pub(crate) const VECTORS: usize = 16;
/// Rows of a tile.
pub(crate) const TILE_ROWS: usize = VECTORS * WIDTH;

/// One column of a tile.
pub(crate) type Strip<L> = [L; VECTORS];

/// How each feature is scaled and moved before sums are formed:
/// x ↦ x·scale − shift.
///
/// With features near mean 0 and variance 1 the sums lose no digits to large
/// offsets and the matrices are as well conditioned as the data allow;
/// estimates are carried back to the units of the data.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Standard {
    pub(crate) scale: Vec<f64>,
    pub(crate) shift: Vec<f64>,
}

/// Rows of a block ready for the kernels: the constant column and then one
/// strip per feature.
pub(crate) struct Tile<L> {
    pub(crate) strips: Vec<Strip<L>>,
    /// The strips times a weight per row, and one strip more for a column of
    /// the kernel's own; filled by the kernels.
    pub(crate) weighted: Vec<Strip<L>>,
}

impl<L: Lanes> Tile<L> {
    /// Room for the constant and `columns` further columns.
    pub(crate) fn new(columns: usize) -> Self {
        let zero = [L::splat(0.0); VECTORS];
        let mut strips = vec![zero; columns + 1];
        strips[0] = [L::splat(1.0); VECTORS];
        Self { strips, weighted: vec![zero; columns + 2] }
    }

    /// Loads the features of rows `start..` of `block`, up to a full tile.
    ///
    /// Rows beyond the block are 0; their weights must be 0, too.
    #[inline(always)]
    pub(crate) fn load(&mut self, block: &Block, start: usize, standard: &Standard) {
        let strips = &mut self.strips[1..];
        let loaded = match AnyTable::of(&block.features, start) {
            Some(AnyTable::F32(table)) => {
                load_rows(&table, strips, standard, L::from_f32_rows, L::from_f32)
            }
            Some(AnyTable::F64(table)) => {
                load_rows(&table, strips, standard, L::from_rows, L::from_array)
            }
            None => false,
        };
        if loaded {
            return;
        }
        let columns = block.features.iter().zip(standard.scale.iter().zip(&standard.shift));
        for (strip, (column, (&scale, &shift))) in self.strips[1..].iter_mut().zip(columns) {
            let (scale, shift) = (L::splat(scale), L::splat(-shift));
            fill_from(column, start, strip, |lanes| lanes.mul_add(scale, shift));
        }
    }

    /// weighted = weight · strips, row by row.
    #[inline(always)]
    pub(crate) fn weigh(&mut self, weight: &Strip<L>) {
        for (strip, weighted) in self.strips.iter().zip(&mut self.weighted) {
            for vector in 0..VECTORS {
                weighted[vector] = strip[vector].mul(weight[vector]);
            }
        }
    }
}

/// Loads the first rows of a table, four rows of four columns at a time, which
/// takes a fraction of the instructions of one column after the other. Nothing
/// is done, and `false` returned, for less than a full tile or four columns.
#[inline(always)]
fn load_rows<L: Lanes, T: Copy + Default>(
    table: &Table<T>,
    strips: &mut [Strip<L>],
    standard: &Standard,
    turn: impl Fn(&[T], usize) -> [L; WIDTH],
    widen: impl Fn([T; WIDTH]) -> L,
) -> bool {
    let (width, columns) = (table.width, strips.len());
    // One check for all rows of a tile.
    let Some(values) = table.values.get(..(TILE_ROWS - 1) * width + columns) else { return false };
    if columns < WIDTH {
        return false;
    }
    for first in (0..columns).step_by(WIDTH) {
        if columns - first <= WIDTH / 2 {
            // One column or two are cheaper by themselves.
            for j in first..columns {
                let (scale, shift) = (L::splat(standard.scale[j]), L::splat(-standard.shift[j]));
                let change = |v| widen(v).mul_add(scale, shift);
                fill_from_rows((&values[j..], width), &mut strips[j], change);
            }
            break;
        }
        // Of three, those before them come twice, with the same values.
        let first = first.min(columns - WIDTH);
        let scale: [L; WIDTH] = std::array::from_fn(|j| L::splat(standard.scale[first + j]));
        let shift: [L; WIDTH] = std::array::from_fn(|j| L::splat(-standard.shift[first + j]));
        let Some(strips) = strips[first..].first_chunk_mut::<WIDTH>() else { return false };
        for vector in 0..VECTORS {
            let lanes = turn(&values[vector * WIDTH * width + first..], width);
            for (j, strip) in strips.iter_mut().enumerate() {
                strip[vector] = lanes[j].mul_add(scale[j], shift[j]);
            }
        }
    }
    true
}

/// The features of the next tile, asked for while this one is worked on.
///
/// A tile takes a few hundred bytes of each of a dozen columns, too short a
/// run for the hardware to notice, or some kilobytes of a table of rows, more
/// than can be on its way from memory at a time. So the kernels ask for a small
/// part between two steps of their work: LOG on rows of `f64` takes 0.82 of the time
/// of asking for a whole tile while one is loaded, on columns of them 0.9.
pub(crate) struct Ahead<'a> {
    next: Next<'a>,
    /// How much has been asked for, and how much each part adds, in units of
    /// 2⁻¹⁶ values or columns.
    asked: usize,
    part: usize,
}

/// Where the next tile lies.
enum Next<'a> {
    Columns(&'a [Column<'a>], Range<usize>),
    F32(&'a [f32]),
    F64(&'a [f64]),
}

impl<'a> Ahead<'a> {
    /// The tile after the one at `start`, to be asked for in so many parts.
    #[inline(always)]
    pub(crate) fn new(block: &'a Block<'a>, start: usize, parts: usize) -> Self {
        let rows = (start + TILE_ROWS).min(block.rows())..(start + 2 * TILE_ROWS).min(block.rows());
        let (next, many) = match AnyTable::of(&block.features, rows.start) {
            Some(AnyTable::F32(table)) => {
                let many = table.values.len().min(TILE_ROWS * table.width);
                (Next::F32(&table.values[..many]), many)
            }
            Some(AnyTable::F64(table)) => {
                let many = table.values.len().min(TILE_ROWS * table.width);
                (Next::F64(&table.values[..many]), many)
            }
            None => (Next::Columns(&block.features, rows), block.features.len()),
        };
        Self { next, asked: 0, part: (many << 16).div_ceil(parts) }
    }

    /// Asks for some parts more.
    #[inline(always)]
    pub(crate) fn ask<L: Lanes>(&mut self, parts: usize) {
        let from = self.asked >> 16;
        self.asked += parts * self.part;
        let to = self.asked >> 16;
        match &self.next {
            Next::F32(values) => L::prefetch(&values[from.min(values.len())..to.min(values.len())]),
            Next::F64(values) => L::prefetch(&values[from.min(values.len())..to.min(values.len())]),
            Next::Columns(columns, rows) => {
                for column in &columns[from.min(columns.len())..to.min(columns.len())] {
                    ask_for::<L>(column, rows);
                }
            }
        }
    }
}

/// Asks for some rows of a column, if they lie side by side.
#[inline(always)]
fn ask_for<L: Lanes>(column: &Column, rows: &Range<usize>) {
    match column {
        Column::F32(values) => L::prefetch(&values[rows.clone()]),
        Column::F64(values) => L::prefetch(&values[rows.clone()]),
        Column::F32Rows(_) | Column::F64Rows(_) => {}
    }
}

/// Loads rows `start..` of a column, filling up with zeros, and asks for those
/// that come next.
#[inline(always)]
pub(crate) fn load_strip<L: Lanes>(column: &Column, start: usize, strip: &mut Strip<L>) {
    let rows = column.len();
    ask_for::<L>(column, &((start + TILE_ROWS).min(rows)..(start + 2 * TILE_ROWS).min(rows)));
    fill_from(column, start, strip, |lanes| lanes);
}

/// 1 for the first `rows` rows of a tile, 0 for the rest.
#[inline(always)]
pub(crate) fn row_mask<L: Lanes>(rows: usize) -> Strip<L> {
    std::array::from_fn(|vector| {
        let before = vector * WIDTH;
        if rows >= before + WIDTH {
            L::splat(1.0)
        } else {
            L::from_array(std::array::from_fn(|lane| if before + lane < rows { 1.0 } else { 0.0 }))
        }
    })
}

/// How often the rows of a tile count.
#[inline(always)]
pub(crate) fn load_weights<L: Lanes>(block: &Block, start: usize) -> Strip<L> {
    match &block.weight {
        None => row_mask(block.rows() - start),
        Some(weight) => {
            let mut strip = [L::splat(0.0); VECTORS];
            load_strip(weight, start, &mut strip);
            strip
        }
    }
}

#[inline(always)]
fn fill_from<L: Lanes>(
    column: &Column,
    start: usize,
    strip: &mut Strip<L>,
    change: impl Fn(L) -> L,
) {
    match column {
        Column::F32(values) => fill(&values[start..], strip, |v| change(L::from_f32(v))),
        Column::F64(values) => fill(&values[start..], strip, |v| change(L::from_array(v))),
        Column::F32Rows(rows) => {
            fill_from_rows(rows.since_row(start), strip, |v| change(L::from_f32(v)));
        }
        Column::F64Rows(rows) => {
            fill_from_rows(rows.since_row(start), strip, |v| change(L::from_array(v)));
        }
    }
}

/// One value of each row of a table.
#[inline(always)]
fn fill_from_rows<L: Lanes, T: Copy + Default>(
    (values, width): (&[T], usize),
    strip: &mut Strip<L>,
    widen: impl Fn([T; WIDTH]) -> L,
) {
    // One check for all rows of a full tile.
    if let Some(values) = values.get(..=(TILE_ROWS - 1) * width) {
        for (vector, lanes) in strip.iter_mut().enumerate() {
            let at = vector * WIDTH * width;
            *lanes = widen(std::array::from_fn(|lane| values[at + lane * width]));
        }
        return;
    }
    let rows = values.len().div_ceil(width);
    for (vector, lanes) in strip.iter_mut().enumerate() {
        let first = vector * WIDTH;
        let value = |lane| values.get((first + lane) * width).copied().unwrap_or_default();
        *lanes = if first < rows { widen(std::array::from_fn(value)) } else { L::splat(0.0) };
    }
}

#[inline(always)]
fn fill<L: Lanes, T: Copy + Default>(
    values: &[T],
    strip: &mut Strip<L>,
    widen: impl Fn([T; WIDTH]) -> L,
) {
    let (whole, rest) = values.as_chunks::<WIDTH>();
    // A known length lets the compiler unroll.
    if let Some(whole) = whole.first_chunk::<VECTORS>() {
        for (lanes, &chunk) in strip.iter_mut().zip(whole) {
            *lanes = widen(chunk);
        }
        return;
    }
    for (lanes, &chunk) in strip.iter_mut().zip(whole) {
        *lanes = widen(chunk);
    }
    let mut last = [T::default(); WIDTH];
    last[..rest.len()].copy_from_slice(rest);
    strip[whole.len()] = widen(last);
    strip[whole.len() + 1..].fill(L::splat(0.0));
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::simd::{Arithmetic, Portable};

    #[test]
    fn a_short_tile_is_filled_with_zeros_whatever_it_held_before() {
        for rows in [1, 3, 4, 5, 63, 64, 65, 300] {
            let values: Vec<f64> = (0..rows).map(|row| f64::from(row) + 0.5).collect();
            for column in [Column::from(&values[..]), Column::narrowest(&values)] {
                let mut strip = [Portable::splat(7.0); VECTORS];
                let start = (rows as usize - 1) / TILE_ROWS * TILE_ROWS;
                load_strip(&column, start, &mut strip);
                for (vector, lanes) in strip.iter().enumerate() {
                    for (lane, value) in lanes.to_array().into_iter().enumerate() {
                        let row = start + vector * WIDTH + lane;
                        assert_eq!(value, values.get(row).copied().unwrap_or(0.0));
                    }
                }
            }
        }
    }
}
