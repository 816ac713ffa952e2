//! Some rows of some columns.

use std::fmt;

use crate::error::TableError;
use crate::text_file::TextFile;

/// Rows of a full batch.
pub const BATCH_ROWS: usize = 8192;

/// A column to read, and as what.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Wanted {
    /// As finite numbers.
    Number(usize),
    /// As text, whatever it holds.
    Text(usize),
}

impl Wanted {
    /// Index of the column.
    pub fn index(self) -> usize {
        match self {
            Self::Number(index) | Self::Text(index) => index,
        }
    }
}

/// Cells of one column.
#[derive(Clone, Debug, PartialEq)]
pub enum Cells {
    /// Finite numbers.
    Numbers(Vec<f64>),
    /// Text, without surrounding blanks.
    Text(Vec<String>),
}

impl Cells {
    /// The numbers; empty for a column that was read as text.
    pub fn numbers(&self) -> &[f64] {
        match self {
            Self::Numbers(numbers) => numbers,
            Self::Text(_) => &[],
        }
    }

    /// Number of cells.
    pub(crate) fn len(&self) -> usize {
        match self {
            Self::Numbers(numbers) => numbers.len(),
            Self::Text(text) => text.len(),
        }
    }

    /// The text; empty for a column that was read as numbers.
    pub fn text(&self) -> &[String] {
        match self {
            Self::Numbers(_) => &[],
            Self::Text(text) => text,
        }
    }
}

/// Consecutive rows of the columns that were asked for.
#[derive(Clone, Debug, PartialEq)]
pub struct Batch {
    /// Number of rows.
    pub rows: usize,
    /// One entry per wanted column, in the order of the wish.
    pub cells: Vec<Cells>,
    pub(crate) places: Places,
}

#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Places {
    /// Where each row begins in the text.
    Offsets(TextFile, Vec<u64>),
    /// The line of each row, counted from 1.
    Lines(Vec<u64>),
    /// The number of the first row, counted from 1.
    RowsFrom(u64),
}

impl Places {
    pub(crate) fn of(&self, row: usize) -> Place {
        match self {
            Self::Offsets(file, offsets) => {
                Place::Line(file.line_at(offsets.get(row).copied().unwrap_or(0)))
            }
            Self::Lines(lines) => Place::Line(lines.get(row).copied().unwrap_or(0)),
            Self::RowsFrom(first) => Place::Row(first + row as u64),
        }
    }
}

impl Batch {
    /// Where a row is in the file; for messages, as finding the line of a text
    /// file reads it again.
    pub fn place(&self, row: usize) -> Place {
        self.places.of(row)
    }
}

/// Where something is in a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Place {
    /// A line of a text file, counted from 1.
    Line(u64),
    /// A row of a Parquet file, counted from 1.
    Row(u64),
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            Self::Line(line) => write!(f, "line {line}"),
            Self::Row(row) => write!(f, "row {row}"),
        }
    }
}

/// The batches of a reader up to its end or its first error.
pub(crate) fn until_the_end<T>(
    mut batch: impl FnMut() -> Result<Option<T>, TableError>,
) -> impl Iterator<Item = Result<T, TableError>> {
    let mut finished = false;
    std::iter::from_fn(move || {
        if finished {
            return None;
        }
        let next = batch().transpose();
        finished = !matches!(next, Some(Ok(_)));
        next
    })
}
