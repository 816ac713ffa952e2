//! Tables in files: named columns of CSV and Parquet, plain or zstd, read in
//! batches of rows; and sparse rows ([`SparseTable`]) of LIBSVM text and
//! Parquet.
//!
//! The first bytes of a file, not its name, decide what it is. A number is
//! always finite, and an error names the file, the line (CSV) or row (Parquet)
//! and the column. [`RowWriter`] writes rows as CSV or JSON Lines. The crate
//! refuses to know what the columns mean.
//!
//! ```
//! use discern_table::{Cells, Table, Wanted};
//!
//! let path = std::env::temp_dir().join("discern-table-example.csv");
//! std::fs::write(&path, "mobility,result\n3,won\n-1.5,lost\n")?;
//! let table = Table::open(&path)?;
//! let wanted = [Wanted::Number(table.column("mobility")?)];
//! for batch in table.read(&wanted)? {
//!     assert_eq!(batch?.cells[0], Cells::Numbers(vec![3.0, -1.5]));
//! }
//! # std::fs::remove_file(&path)?;
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod batch;
mod delimited;
mod error;
mod parquet_file;
mod sparse;
mod text_file;
mod writer;

pub use batch::{BATCH_ROWS, Batch, Cells, Place, Wanted};
pub use error::TableError;
pub use sparse::{SPARSE_BATCH_ROWS, SparseBatch, SparseReader, SparseTable, SparseWanted};
pub use writer::RowWriter;

use std::collections::HashSet;
use std::fs::File;
use std::io::{Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};

use delimited::Delimited;
use parquet_file::ParquetFile;

/// A table in a file.
#[derive(Debug)]
pub struct Table {
    path: PathBuf,
    columns: Vec<String>,
    format: Format,
}

#[derive(Debug)]
enum Format {
    Delimited(Delimited),
    Parquet(ParquetFile),
}

impl Table {
    /// Opens a file and reads the names of its columns.
    ///
    /// # Errors
    /// If the file cannot be read, is empty, or names a column twice or not at
    /// all.
    pub fn open(path: impl AsRef<Path>) -> Result<Self, TableError> {
        let path = path.as_ref().to_path_buf();
        let (file, content) = open_file(&path)?;
        let (columns, format) = if content == Content::Parquet {
            let (columns, file) = ParquetFile::open(&path, file)?;
            (columns, Format::Parquet(file))
        } else {
            let (columns, file) = Delimited::open(&path, file, content == Content::Zstd)?;
            (columns, Format::Delimited(file))
        };
        let mut names = HashSet::new();
        for (index, name) in columns.iter().enumerate() {
            if name.is_empty() {
                return Err(TableError::NamelessColumn { path, number: index + 1 });
            }
            if !names.insert(name) {
                return Err(TableError::DoubleColumn { path, name: name.clone() });
            }
        }
        Ok(Self { path, columns, format })
    }

    /// Where the table is.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Names of the columns.
    pub fn columns(&self) -> &[String] {
        &self.columns
    }

    /// The index of a column.
    ///
    /// # Errors
    /// If there is none of that name; the message lists those there are.
    pub fn column(&self, name: &str) -> Result<usize, TableError> {
        self.columns.iter().position(|column| column == name).ok_or_else(|| TableError::NoColumn {
            path: self.path.clone(),
            name: name.to_string(),
            columns: self.columns.clone(),
        })
    }

    /// Starts reading some columns from the first row on.
    ///
    /// # Errors
    /// If the file cannot be opened again.
    pub fn read(&self, wanted: &[Wanted]) -> Result<Reader, TableError> {
        match &self.format {
            Format::Delimited(file) => file.read(&self.path, &self.columns, wanted),
            Format::Parquet(file) => file.read(&self.path, &self.columns, wanted),
        }
    }
}

/// What a file is, by its first bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Content {
    Text,
    Zstd,
    Parquet,
}

/// Opens a file, which must be a regular one, and finds out what it is.
fn open_file(path: &Path) -> Result<(File, Content), TableError> {
    let failed = |reason| TableError::Io { path: path.to_path_buf(), reason };
    // Asked before opening, which would wait for the other end of a pipe.
    let kind = std::fs::metadata(path).map_err(failed)?;
    if kind.is_dir() {
        return Err(TableError::Directory(path.to_path_buf()));
    }
    if !kind.is_file() {
        let problem = "is not a regular file; a table is read more than once".to_string();
        return Err(TableError::Damaged { path: path.to_path_buf(), problem });
    }
    let mut file = File::open(path).map_err(failed)?;
    let mut first = Vec::new();
    file.by_ref().take(4).read_to_end(&mut first).map_err(failed)?;
    file.seek(SeekFrom::Start(0)).map_err(failed)?;
    let content = match &first[..] {
        b"PAR1" => Content::Parquet,
        [0x28, 0xb5, 0x2f, 0xfd] => Content::Zstd,
        _ => Content::Text,
    };
    Ok((file, content))
}

/// Batches of a table, in order.
pub struct Reader {
    batches: Box<dyn Iterator<Item = Result<Batch, TableError>> + Send>,
    progress: Box<dyn Fn() -> f64 + Send>,
}

impl Reader {
    /// Share of the file that has been read, 0 to 1.
    pub fn progress(&self) -> f64 {
        (self.progress)().clamp(0.0, 1.0)
    }
}

impl Iterator for Reader {
    type Item = Result<Batch, TableError>;

    fn next(&mut self) -> Option<Self::Item> {
        self.batches.next()
    }
}
