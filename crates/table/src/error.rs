//! What can be wrong with a table.

use std::path::PathBuf;

use thiserror::Error;

use crate::batch::Place;

/// A table that cannot be read, with the file, the place and the reason.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum TableError {
    /// The system could not open or read the file.
    #[error("{}: {reason}", path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// What the system says.
        reason: std::io::Error,
    },
    /// The path is a directory.
    #[error("{}: is a directory, not a table", .0.display())]
    Directory(PathBuf),
    /// There is not even a line of names.
    #[error("{}: is empty; the first line must name the columns", .0.display())]
    Empty(PathBuf),
    /// A column has no name.
    #[error("{}: column {number} has no name", path.display())]
    NamelessColumn {
        /// The file.
        path: PathBuf,
        /// Number of the column, counted from 1.
        number: usize,
    },
    /// Two columns have the same name.
    #[error("{}: there are two columns '{name}'", path.display())]
    DoubleColumn {
        /// The file.
        path: PathBuf,
        /// The name.
        name: String,
    },
    /// A column that was asked for does not exist.
    #[error("{}: there is no column '{name}' (there are: {})", path.display(), columns.join(", "))]
    NoColumn {
        /// The file.
        path: PathBuf,
        /// The name asked for.
        name: String,
        /// The names there are.
        columns: Vec<String>,
    },
    /// A row has more or fewer cells than there are columns.
    #[error("{}, {place}: {found} cells where {expected} are expected", path.display())]
    CellCount {
        /// The file.
        path: PathBuf,
        /// The row.
        place: Place,
        /// Number of columns.
        expected: usize,
        /// Number of cells.
        found: usize,
    },
    /// A cell does not hold what was asked for.
    #[error("{}, {place}, column '{column}': {problem}", path.display())]
    Cell {
        /// The file.
        path: PathBuf,
        /// The row.
        place: Place,
        /// The column.
        column: String,
        /// What is wrong.
        problem: String,
    },
    /// A row does not hold what it should.
    #[error("{}, {place}: {problem}", path.display())]
    Row {
        /// The file.
        path: PathBuf,
        /// The row.
        place: Place,
        /// What is wrong.
        problem: String,
    },
    /// A column is of a type that cannot be read.
    #[error("{}: column '{column}' {problem}", path.display())]
    ColumnType {
        /// The file.
        path: PathBuf,
        /// The column.
        column: String,
        /// What is wrong.
        problem: String,
    },
    /// The file is damaged or not of the format it seems to be.
    #[error("{}: {problem}", path.display())]
    Damaged {
        /// The file.
        path: PathBuf,
        /// What is wrong, and where if known.
        problem: String,
    },
}
