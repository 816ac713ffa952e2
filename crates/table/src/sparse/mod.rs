//! Sparse rows in files: LIBSVM or SVMlight text and Parquet with a list
//! column, plain or zstd, read in batches.

mod lists;
mod text;

use std::path::{Path, PathBuf};

use crate::batch::{Cells, Place, Places, Wanted};
use crate::error::TableError;
use crate::{Content, open_file};
use lists::Lists;
use text::Text;

/// Rows of a full batch; fewer where rows are long.
pub const SPARSE_BATCH_ROWS: usize = 4096;
/// Entries beyond which a batch takes no further row.
const BATCH_ENTRIES: usize = 1 << 18;
/// The largest index: rows are for up to 2³¹ weights.
const LARGEST_INDEX: u64 = (1 << 31) - 1;

/// A file of sparse rows: each names some indices with a value.
///
/// In text a row is a line `label name:value … index:value …`: the label
/// first, then named cells such as SVMlight's `qid:7`, then the entries, and
/// after `#` a comment. In Parquet there are a column of lists of indices,
/// perhaps one of lists of values, and any flat columns.
///
/// ```
/// use discern_table::{Cells, SparseTable, SparseWanted};
///
/// let path = std::env::temp_dir().join("discern-sparse-example.svm");
/// std::fs::write(&path, "+1 qid:7 3:1 12:-0.5\n-1 qid:8 # no entry\n")?;
/// let table = SparseTable::open(&path)?;
/// assert_eq!(table.columns(), ["label", "qid"]);
/// let batch = table.read(&SparseWanted::text(["qid"]))?.next().unwrap()?;
/// assert_eq!(batch.entries(0), [(2, 1.0), (11, -0.5)]); // counted from 0
/// assert_eq!(batch.cells[0], Cells::Text(vec!["7".into(), "8".into()]));
/// # std::fs::remove_file(&path)?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct SparseTable {
    path: PathBuf,
    columns: Vec<String>,
    format: Format,
}

#[derive(Debug)]
enum Format {
    Text(Text),
    Lists(Lists),
}

/// What to read beside the entries, and where the entries are.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SparseWanted {
    /// Flat columns to read; `true` for those that are read as numbers.
    pub cells: Vec<(String, bool)>,
    /// The column of indices, in Parquet.
    pub indices: String,
    /// The column of values, in Parquet; every value is 1 without one.
    pub values: Option<String>,
    /// The least index, 1 in LIBSVM files: entries count from 0 all the same.
    pub first_index: u32,
}

impl SparseWanted {
    /// Some columns as text, with indices from 1.
    pub fn text<const N: usize>(columns: [&str; N]) -> Self {
        Self {
            cells: columns.map(|name| (name.to_string(), false)).to_vec(),
            indices: "indices".to_string(),
            values: None,
            first_index: 1,
        }
    }
}

impl SparseTable {
    /// Opens a file and finds the names of its columns: those of a Parquet
    /// file, or `label` and the named cells of the first row.
    ///
    /// # Errors
    /// If the file cannot be read or its first row is none.
    pub fn open(path: impl AsRef<Path>) -> Result<Self, TableError> {
        let path = path.as_ref().to_path_buf();
        let (file, content) = open_file(&path)?;
        let (columns, format) = match content {
            Content::Parquet => {
                let (columns, lists) = Lists::open(&path, file)?;
                (columns, Format::Lists(lists))
            }
            _ => {
                let (columns, text) = Text::open(&path, file, content == Content::Zstd)?;
                (columns, Format::Text(text))
            }
        };
        Ok(Self { path, columns, format })
    }

    /// Where the rows are.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Names of the columns.
    pub fn columns(&self) -> &[String] {
        &self.columns
    }

    /// Whether there is a column of this name.
    pub fn has(&self, name: &str) -> bool {
        self.columns.iter().any(|column| column == name)
    }

    /// Starts reading from the first row on.
    ///
    /// # Errors
    /// If a column does not exist or is of the wrong type.
    pub fn read(&self, wanted: &SparseWanted) -> Result<SparseReader, TableError> {
        let lists = match self.format {
            Format::Text(_) => Vec::new(),
            Format::Lists(_) => std::iter::once(&wanted.indices).chain(&wanted.values).collect(),
        };
        let cells = wanted.cells.iter().map(|(name, _)| name);
        for name in cells.chain(lists) {
            if !self.has(name) {
                return Err(TableError::NoColumn {
                    path: self.path.clone(),
                    name: name.clone(),
                    columns: self.columns.clone(),
                });
            }
        }
        match &self.format {
            Format::Text(text) => text.read(&self.path, wanted),
            Format::Lists(lists) => lists.read(&self.path, wanted),
        }
    }
}

/// Consecutive sparse rows.
#[derive(Clone, Debug)]
pub struct SparseBatch {
    /// One entry per wanted column, in the order of the wish.
    pub cells: Vec<Cells>,
    ends: Vec<usize>,
    entries: Vec<(u32, f64)>,
    places: Places,
}

impl SparseBatch {
    fn new(wanted: &SparseWanted, places: Places) -> Self {
        let cells = wanted.cells.iter().map(|(_, number)| match number {
            true => Cells::Numbers(Vec::new()),
            false => Cells::Text(Vec::new()),
        });
        Self { cells: cells.collect(), ends: Vec::new(), entries: Vec::new(), places }
    }

    /// Number of rows.
    pub fn rows(&self) -> usize {
        self.ends.len()
    }

    /// Indices from 0, ascending, with a finite value each.
    ///
    /// # Panics
    /// If there is no such row.
    pub fn entries(&self, row: usize) -> &[(u32, f64)] {
        let start = if row == 0 { 0 } else { self.ends[row - 1] };
        &self.entries[start..self.ends[row]]
    }

    /// Where a row is in the file.
    pub fn place(&self, row: usize) -> Place {
        self.places.of(row)
    }

    /// Adds an entry to the row that is being read; the index as in the file.
    #[inline]
    fn push(&mut self, index: u64, value: f64, first_index: u32) -> Result<(), String> {
        let Some(from_zero) = index.checked_sub(u64::from(first_index)) else {
            return Err("index 0: the least index is 1, or say that the file counts from 0".into());
        };
        if from_zero >= LARGEST_INDEX {
            return Err(format!("index {index} is out of range: at most {LARGEST_INDEX}"));
        }
        let start = self.ends.last().copied().unwrap_or(0);
        if let Some(&(last, _)) = self.entries[start..].last()
            && u64::from(last) >= from_zero
        {
            let last = last + first_index;
            return Err(match index == u64::from(last) {
                true => format!("index {index} occurs twice"),
                false => format!("index {index} follows {last}: indices must ascend"),
            });
        }
        if !value.is_finite() {
            return Err(format!("index {index}: {value} is not a finite number"));
        }
        self.entries.push((from_zero as u32, value));
        Ok(())
    }

    /// Ends the row that is being read.
    fn end_row(&mut self) {
        self.ends.push(self.entries.len());
    }

    fn is_full(&self) -> bool {
        self.rows() >= SPARSE_BATCH_ROWS || self.entries.len() >= BATCH_ENTRIES
    }
}

/// Batches of sparse rows, in order.
pub struct SparseReader {
    batches: Box<dyn Iterator<Item = Result<SparseBatch, TableError>> + Send>,
    progress: Box<dyn Fn() -> f64 + Send>,
}

impl SparseReader {
    /// Share of the file that has been read, 0 to 1.
    pub fn progress(&self) -> f64 {
        (self.progress)().clamp(0.0, 1.0)
    }
}

impl Iterator for SparseReader {
    type Item = Result<SparseBatch, TableError>;

    fn next(&mut self) -> Option<Self::Item> {
        self.batches.next()
    }
}

/// A flat column as a wish for its cells.
fn cell_wish(index: usize, number: bool) -> Wanted {
    if number { Wanted::Number(index) } else { Wanted::Text(index) }
}
