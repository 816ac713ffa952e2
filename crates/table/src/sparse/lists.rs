//! Parquet files with lists of indices and values.

use std::fs::File;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use parquet::basic::Repetition;
use parquet::column::reader::{ColumnReader, ColumnReaderImpl};
use parquet::data_type::DataType;
use parquet::errors::ParquetError;
use parquet::file::reader::{FileReader, SerializedFileReader};
use parquet::schema::types::ColumnDescriptor;

use super::{BATCH_ENTRIES, SPARSE_BATCH_ROWS, SparseBatch, SparseReader, SparseWanted, cell_wish};
use crate::batch::{Place, Places, until_the_end};
use crate::error::TableError;
use crate::parquet_file::{Problem, damaged, is_unsigned, read_cells, unreadable};

/// Entries of a row group that are believed: more would not fit into memory
/// if they were all of one row.
const MOST_ENTRIES: i64 = 1 << 30;

/// What is known of the file before it is read.
#[derive(Clone, Debug)]
pub(super) struct Lists {
    /// For each column its number in the file.
    leaves: Vec<(String, usize)>,
}

impl Lists {
    pub(super) fn open(path: &Path, file: File) -> Result<(Vec<String>, Self), TableError> {
        let reader = SerializedFileReader::new(file).map_err(|error| damaged(path, &error))?;
        let schema = reader.metadata().file_metadata().schema_descr_ptr();
        // A list is called as it is in the file, not by its inner levels.
        let name = |column: &ColumnDescriptor| match column.max_rep_level() {
            0 => column.path().string(),
            _ => column.path().parts()[0].clone(),
        };
        let leaves: Vec<_> =
            (0..).zip(schema.columns()).map(|(leaf, column)| (name(column), leaf)).collect();
        let columns: Vec<String> = leaves.iter().map(|(name, _)| name.clone()).collect();
        for (at, name) in columns.iter().enumerate() {
            if columns[..at].contains(name) {
                return Err(TableError::DoubleColumn {
                    path: path.to_path_buf(),
                    name: name.clone(),
                });
            }
        }
        Ok((columns, Self { leaves }))
    }

    fn leaf(&self, name: &str) -> usize {
        self.leaves.iter().find(|(column, _)| column == name).map_or(0, |(_, leaf)| *leaf)
    }

    pub(super) fn read(
        &self,
        path: &Path,
        wanted: &SparseWanted,
    ) -> Result<SparseReader, TableError> {
        let file = File::open(path)
            .map_err(|reason| TableError::Io { path: path.to_path_buf(), reason })?;
        let file = SerializedFileReader::new(file).map_err(|error| damaged(path, &error))?;
        let schema = file.metadata().file_metadata().schema_descr_ptr();
        let cells: Vec<usize> = wanted.cells.iter().map(|(name, _)| self.leaf(name)).collect();
        let problem = |name: &String, problem| {
            let (path, column) = (path.to_path_buf(), name.clone());
            Err(TableError::ColumnType { path, column, problem })
        };
        for ((name, number), &leaf) in wanted.cells.iter().zip(&cells) {
            if let Some(found) = unreadable(&schema.column(leaf), cell_wish(leaf, *number)) {
                return problem(name, found);
            }
        }
        let lists: Vec<usize> = std::iter::once(&wanted.indices)
            .chain(&wanted.values)
            .map(|name| self.leaf(name))
            .collect();
        for (&leaf, name) in lists.iter().zip([Some(&wanted.indices), wanted.values.as_ref()]) {
            if let (Some(found), Some(name)) =
                (no_list(&schema.column(leaf), leaf == lists[0]), name)
            {
                return problem(name, found);
            }
        }
        let total = file.metadata().file_metadata().num_rows().max(1) as f64;
        let done = Arc::new(AtomicU64::new(0));
        let mut batches = Batches {
            path: path.to_path_buf(),
            wanted: wanted.clone(),
            file,
            cells,
            lists,
            next_group: 0,
            readers: Vec::new(),
            rows_left: 0,
            batch_rows: 1,
            done: Arc::clone(&done),
        };
        Ok(SparseReader {
            batches: Box::new(until_the_end(move || batches.batch())),
            progress: Box::new(move || done.load(Ordering::Relaxed) as f64 / total),
        })
    }
}

/// Why a column is no list of indices or values; `None` if it is one.
fn no_list(column: &ColumnDescriptor, indices: bool) -> Option<String> {
    use parquet::basic::Type;
    let kind = column.physical_type();
    let whole = matches!(kind, Type::INT32 | Type::INT64);
    match column.max_rep_level() {
        0 => Some("is no list".to_string()),
        1 if indices && !whole => Some("holds no whole numbers: store int32 or int64".to_string()),
        1 if whole || matches!(kind, Type::FLOAT | Type::DOUBLE) => None,
        1 => Some("holds no numbers".to_string()),
        _ => Some("is a list of lists".to_string()),
    }
}

struct Batches {
    path: PathBuf,
    wanted: SparseWanted,
    file: SerializedFileReader<File>,
    /// Numbers of the columns of cells, and of indices and values.
    cells: Vec<usize>,
    lists: Vec<usize>,
    next_group: usize,
    /// Of the row group being read: cells first, then lists.
    readers: Vec<ColumnReader>,
    rows_left: usize,
    /// Rows that make a batch of this row group.
    batch_rows: usize,
    done: Arc<AtomicU64>,
}

impl Batches {
    fn batch(&mut self) -> Result<Option<SparseBatch>, TableError> {
        while self.rows_left == 0 {
            if self.next_group == self.file.num_row_groups() {
                return Ok(None);
            }
            self.open_group().map_err(|error| damaged(&self.path, &error))?;
        }
        let rows = self.rows_left.min(self.batch_rows);
        let first = self.done.load(Ordering::Relaxed) + 1;
        let schema = self.file.metadata().file_metadata().schema_descr_ptr();
        let place = |row: usize| Place::Row(first + row as u64);
        let told = |problem: Problem, column: &str| match problem {
            Problem::File(error) => damaged(&self.path, &error),
            Problem::Cell(row, problem) => TableError::Cell {
                path: self.path.clone(),
                place: place(row),
                column: column.to_string(),
                problem,
            },
        };
        let mut batch = SparseBatch::new(&self.wanted, Places::RowsFrom(first));
        let (cells, lists) = self.readers.split_at_mut(self.cells.len());
        for (at, reader) in cells.iter_mut().enumerate() {
            let ((name, number), leaf) = (&self.wanted.cells[at], self.cells[at]);
            let read = read_cells(reader, &schema.column(leaf), cell_wish(leaf, *number), rows);
            batch.cells[at] = read.map_err(|problem| told(problem, name))?;
        }
        let mut read = lists.iter_mut().zip(&self.lists).map(|(reader, &leaf)| {
            let column = schema.column(leaf);
            Numbers::read(reader, &column, rows)
                .map_err(|problem| told(problem, &column.path().parts()[0]))
        });
        let indices = read.next().transpose()?.unwrap_or_default();
        let values = read.next().transpose()?;
        drop(read);
        let mut start = 0;
        for (row, &end) in indices.ends.iter().enumerate() {
            let problem = |problem| {
                let (path, place) = (self.path.clone(), place(row));
                TableError::Row { path, place, problem }
            };
            if let Some(values) = &values {
                let (expected, found) = (end - start, values.length(row));
                if expected != found {
                    return Err(problem(format!("{expected} indices and {found} values")));
                }
            }
            for at in start..end {
                let value = match &values {
                    Some(values) => values.real[values.start(row) + at - start],
                    None => 1.0,
                };
                let index = u64::try_from(indices.whole[at])
                    .map_err(|_| problem(format!("index {} is negative", indices.whole[at])))?;
                batch.push(index, value, self.wanted.first_index).map_err(problem)?;
            }
            batch.end_row();
            start = end;
        }
        self.rows_left -= rows;
        self.done.fetch_add(rows as u64, Ordering::Relaxed);
        Ok(Some(batch))
    }

    fn open_group(&mut self) -> Result<(), ParquetError> {
        let group = self.file.get_row_group(self.next_group)?;
        let leaves = self.cells.iter().chain(&self.lists);
        self.readers =
            leaves.map(|&leaf| group.get_column_reader(leaf)).collect::<Result<_, _>>()?;
        self.rows_left = usize::try_from(group.metadata().num_rows()).unwrap_or(0);
        let entries = group.metadata().column(self.lists[0]).num_values();
        if entries > MOST_ENTRIES {
            let number = self.next_group;
            return Err(ParquetError::General(format!(
                "row group {number} has {entries} entries: store at most {MOST_ENTRIES} in one"
            )));
        }
        let mean = (entries.max(1) as usize / self.rows_left.max(1)).max(1);
        self.batch_rows = (BATCH_ENTRIES / mean).clamp(1, SPARSE_BATCH_ROWS);
        self.next_group += 1;
        Ok(())
    }
}

/// Lists of numbers, as whole ones or as real ones.
#[derive(Default)]
struct Numbers {
    ends: Vec<usize>,
    whole: Vec<i64>,
    real: Vec<f64>,
}

impl Numbers {
    fn start(&self, row: usize) -> usize {
        if row == 0 { 0 } else { self.ends[row - 1] }
    }

    fn length(&self, row: usize) -> usize {
        self.ends[row] - self.start(row)
    }

    fn read(
        reader: &mut ColumnReader,
        column: &ColumnDescriptor,
        rows: usize,
    ) -> Result<Self, Problem> {
        let unsigned = is_unsigned(column);
        match reader {
            ColumnReader::Int32ColumnReader(reader) => {
                let (ends, values) = lists(reader, column, rows)?;
                let wide = |v: i32| match unsigned {
                    true => i64::from(v.cast_unsigned()),
                    false => i64::from(v),
                };
                let whole: Vec<i64> = values.into_iter().map(wide).collect();
                let real = whole.iter().map(|&v| v as f64).collect();
                Ok(Self { ends, whole, real })
            }
            ColumnReader::Int64ColumnReader(reader) => {
                let (ends, whole) = lists(reader, column, rows)?;
                let real = whole.iter().map(|&v| v as f64).collect();
                Ok(Self { ends, whole, real })
            }
            ColumnReader::FloatColumnReader(reader) => {
                let (ends, values) = lists(reader, column, rows)?;
                let real = values.into_iter().map(f64::from).collect();
                Ok(Self { ends, whole: Vec::new(), real })
            }
            ColumnReader::DoubleColumnReader(reader) => {
                let (ends, real) = lists(reader, column, rows)?;
                Ok(Self { ends, whole: Vec::new(), real })
            }
            // `no_list` has refused these columns before.
            _ => Err(Problem::File(ParquetError::NYI("this type of list".to_string()))),
        }
    }
}

/// Exactly `rows` lists: where each ends, and what they hold.
fn lists<T: DataType>(
    reader: &mut ColumnReaderImpl<T>,
    column: &ColumnDescriptor,
    rows: usize,
) -> Result<(Vec<usize>, Vec<T::T>), Problem> {
    let most = column.max_def_level();
    let optional = column.self_type().get_basic_info().repetition() == Repetition::OPTIONAL;
    let empty = most - i16::from(optional) - 1;
    let (mut definitions, mut repetitions) = (Vec::new(), Vec::new());
    let mut values = Vec::new();
    let mut read = 0;
    while read < rows {
        let (records, _, _) = reader
            .read_records(rows - read, Some(&mut definitions), Some(&mut repetitions), &mut values)
            .map_err(Problem::File)?;
        if records == 0 {
            let problem = "a column ends before the others".to_string();
            return Err(Problem::File(ParquetError::EOF(problem)));
        }
        read += records;
    }
    let mut ends: Vec<usize> = Vec::with_capacity(rows);
    let mut entries = 0;
    for (&definition, &repetition) in definitions.iter().zip(&repetitions) {
        if repetition == 0 {
            ends.push(entries);
        }
        let row = ends.len().saturating_sub(1);
        match definition {
            d if d == most => entries += 1,
            d if d == empty => {}
            d if d < empty => return Err(Problem::Cell(row, "the list is missing".to_string())),
            _ => return Err(Problem::Cell(row, "a value of the list is missing".to_string())),
        }
    }
    // So far each row has where it begins.
    ends.push(entries);
    ends.remove(0);
    if ends.len() != rows || entries != values.len() {
        let problem = "a list does not hold what its levels say".to_string();
        return Err(Problem::File(ParquetError::General(problem)));
    }
    Ok((ends, values))
}
