//! Parquet files, through the column readers of the `parquet` crate.
//!
//! Arrow is left out on purpose: flat columns of numbers and text need nothing
//! of it, and it doubles the dependencies.

use std::fs::File;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use parquet::basic::{ConvertedType, LogicalType, Type};
use parquet::column::reader::{ColumnReader, ColumnReaderImpl};
use parquet::data_type::DataType;
use parquet::errors::ParquetError;
use parquet::file::reader::{FileReader, SerializedFileReader};
use parquet::schema::types::ColumnDescriptor;

use crate::Reader;
use crate::batch::{BATCH_ROWS, Batch, Cells, Place, Places, Wanted, until_the_end};
use crate::error::TableError;

/// What is known of a Parquet file before it is read.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ParquetFile;

impl ParquetFile {
    pub(crate) fn open(path: &Path, file: File) -> Result<(Vec<String>, Self), TableError> {
        let reader = SerializedFileReader::new(file).map_err(|error| damaged(path, &error))?;
        let schema = reader.metadata().file_metadata().schema_descr_ptr();
        let names = schema.columns().iter().map(|column| column.path().string()).collect();
        Ok((names, Self))
    }

    pub(crate) fn read(
        self,
        path: &Path,
        columns: &[String],
        wanted: &[Wanted],
    ) -> Result<Reader, TableError> {
        let file = File::open(path)
            .map_err(|reason| TableError::Io { path: path.to_path_buf(), reason })?;
        let file = SerializedFileReader::new(file).map_err(|error| damaged(path, &error))?;
        let schema = file.metadata().file_metadata().schema_descr_ptr();
        for wish in wanted {
            let column = schema.column(wish.index());
            if let Some(problem) = unreadable(&column, *wish) {
                let column = columns[wish.index()].clone();
                return Err(TableError::ColumnType { path: path.to_path_buf(), column, problem });
            }
        }
        let total = file.metadata().file_metadata().num_rows().max(1) as f64;
        let done = Arc::new(AtomicU64::new(0));
        let mut batches = Batches {
            path: path.to_path_buf(),
            columns: columns.to_vec(),
            wanted: wanted.to_vec(),
            file,
            next_group: 0,
            readers: Vec::new(),
            rows_left: 0,
            done: Arc::clone(&done),
        };
        Ok(Reader {
            batches: Box::new(until_the_end(move || batches.batch())),
            progress: Box::new(move || done.load(Ordering::Relaxed) as f64 / total),
        })
    }
}

/// Why a column cannot be read as wished; `None` if it can.
pub(crate) fn unreadable(column: &ColumnDescriptor, wanted: Wanted) -> Option<String> {
    if column.max_rep_level() > 0 {
        return Some("is a list; only flat columns can be read".to_string());
    }
    let number = matches!(wanted, Wanted::Number(_));
    match (column.physical_type(), column.logical_type_ref()) {
        (_, Some(LogicalType::Decimal { .. })) => Some("holds decimals: store doubles".to_string()),
        (Type::BYTE_ARRAY, _) if number => Some("holds text where numbers are needed".to_string()),
        (Type::INT96 | Type::FIXED_LEN_BYTE_ARRAY, _) => {
            Some(format!("is of type {}, which cannot be read", column.physical_type()))
        }
        _ => None,
    }
}

pub(crate) fn damaged(path: &Path, error: &ParquetError) -> TableError {
    TableError::Damaged { path: path.to_path_buf(), problem: error.to_string() }
}

struct Batches {
    path: PathBuf,
    columns: Vec<String>,
    wanted: Vec<Wanted>,
    file: SerializedFileReader<File>,
    next_group: usize,
    /// Of the row group being read, one per wanted column.
    readers: Vec<ColumnReader>,
    rows_left: usize,
    done: Arc<AtomicU64>,
}

impl Batches {
    fn batch(&mut self) -> Result<Option<Batch>, TableError> {
        while self.rows_left == 0 {
            if self.next_group == self.file.num_row_groups() {
                return Ok(None);
            }
            self.open_group().map_err(|error| damaged(&self.path, &error))?;
        }
        let rows = self.rows_left.min(BATCH_ROWS);
        let first = self.done.load(Ordering::Relaxed) + 1;
        let schema = self.file.metadata().file_metadata().schema_descr_ptr();
        let mut cells = Vec::with_capacity(self.wanted.len());
        for (&wanted, reader) in self.wanted.iter().zip(&mut self.readers) {
            let column = schema.column(wanted.index());
            let read = read_cells(reader, &column, wanted, rows);
            cells.push(read.map_err(|problem| match problem {
                Problem::File(error) => damaged(&self.path, &error),
                Problem::Cell(row, problem) => TableError::Cell {
                    path: self.path.clone(),
                    place: Place::Row(first + row as u64),
                    column: self.columns[wanted.index()].clone(),
                    problem,
                },
            })?);
        }
        self.rows_left -= rows;
        self.done.fetch_add(rows as u64, Ordering::Relaxed);
        Ok(Some(Batch { rows, cells, places: Places::RowsFrom(first) }))
    }

    fn open_group(&mut self) -> Result<(), ParquetError> {
        let group = self.file.get_row_group(self.next_group)?;
        self.readers = self
            .wanted
            .iter()
            .map(|wanted| group.get_column_reader(wanted.index()))
            .collect::<Result<_, _>>()?;
        self.rows_left = usize::try_from(group.metadata().num_rows()).unwrap_or(0);
        self.next_group += 1;
        Ok(())
    }
}

pub(crate) enum Problem {
    File(ParquetError),
    /// What is wrong in which row of the batch.
    Cell(usize, String),
}

pub(crate) fn is_unsigned(column: &ColumnDescriptor) -> bool {
    use ConvertedType::{UINT_8, UINT_16, UINT_32, UINT_64};
    matches!(column.converted_type(), UINT_8 | UINT_16 | UINT_32 | UINT_64)
}

/// Reads some rows of one column.
pub(crate) fn read_cells(
    reader: &mut ColumnReader,
    column: &ColumnDescriptor,
    wanted: Wanted,
    rows: usize,
) -> Result<Cells, Problem> {
    let unsigned = is_unsigned(column);
    match reader {
        ColumnReader::BoolColumnReader(reader) => {
            let values = values(reader, column, rows)?;
            convert(values, wanted, |value| Ok(f64::from(u8::from(*value))), ToString::to_string)
        }
        ColumnReader::Int32ColumnReader(reader) => {
            let values = values(reader, column, rows)?;
            let wide = |value: &i32| {
                if unsigned { i64::from(value.cast_unsigned()) } else { i64::from(*value) }
            };
            convert(values, wanted, |v| Ok(wide(v) as f64), |v| wide(v).to_string())
        }
        ColumnReader::Int64ColumnReader(reader) => {
            let values = values(reader, column, rows)?;
            let wide = |value: &i64| {
                if unsigned { i128::from(value.cast_unsigned()) } else { i128::from(*value) }
            };
            let exact = |value: &i64| {
                let number = wide(value) as f64;
                if number as i128 == wide(value) {
                    Ok(number)
                } else {
                    Err(format!("{} is too large to be exact as a number", wide(value)))
                }
            };
            convert(values, wanted, exact, |v| wide(v).to_string())
        }
        ColumnReader::FloatColumnReader(reader) => {
            let values = values(reader, column, rows)?;
            convert(values, wanted, |v| finite(f64::from(*v)), ToString::to_string)
        }
        ColumnReader::DoubleColumnReader(reader) => {
            let values = values(reader, column, rows)?;
            convert(values, wanted, |v| finite(*v), ToString::to_string)
        }
        ColumnReader::ByteArrayColumnReader(reader) => {
            let values = values(reader, column, rows)?;
            let mut text = Vec::with_capacity(rows);
            for (row, value) in values.iter().enumerate() {
                let value = std::str::from_utf8(value.data())
                    .map_err(|_| Problem::Cell(row, "is not UTF-8 text".to_string()))?;
                text.push(value.trim().to_string());
            }
            Ok(Cells::Text(text))
        }
        // `unreadable` has refused these columns before.
        ColumnReader::Int96ColumnReader(_) | ColumnReader::FixedLenByteArrayColumnReader(_) => {
            Err(Problem::File(ParquetError::NYI("this column type".to_string())))
        }
    }
}

fn finite(value: f64) -> Result<f64, String> {
    if value.is_finite() { Ok(value) } else { Err(format!("{value} is not a finite number")) }
}

fn convert<T>(
    values: Vec<T>,
    wanted: Wanted,
    number: impl Fn(&T) -> Result<f64, String>,
    text: impl Fn(&T) -> String,
) -> Result<Cells, Problem> {
    match wanted {
        Wanted::Text(_) => Ok(Cells::Text(values.iter().map(text).collect())),
        Wanted::Number(_) => values
            .iter()
            .enumerate()
            .map(|(row, value)| number(value).map_err(|problem| Problem::Cell(row, problem)))
            .collect::<Result<_, _>>()
            .map(Cells::Numbers),
    }
}

/// Exactly `rows` values; a missing one is a problem of its row.
fn values<T: DataType>(
    reader: &mut ColumnReaderImpl<T>,
    column: &ColumnDescriptor,
    rows: usize,
) -> Result<Vec<T::T>, Problem> {
    let most = column.max_def_level();
    let mut values = Vec::with_capacity(rows);
    let mut levels: Vec<i16> = Vec::new();
    let mut read = 0;
    while read < rows {
        let definitions = (most > 0).then_some(&mut levels);
        let (records, _, _) = reader
            .read_records(rows - read, definitions, None, &mut values)
            .map_err(Problem::File)?;
        if records == 0 {
            let problem = "a column ends before the others".to_string();
            return Err(Problem::File(ParquetError::EOF(problem)));
        }
        read += records;
    }
    match levels.iter().position(|&level| level < most) {
        Some(row) => Err(Problem::Cell(row, "the value is missing".to_string())),
        None => Ok(values),
    }
}
