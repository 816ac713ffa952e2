//! CSV files, also with semicolons or tabs, plain or zstd.

use std::fs::File;
use std::io::{BufRead, BufReader, Read};
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use csv::ByteRecord;

use crate::Reader;
use crate::batch::{BATCH_ROWS, Batch, Cells, Place, Places, Wanted, until_the_end};
use crate::error::TableError;
use crate::text_file::{TextFile, decoded};

/// A million names of 64 letters.
const LONGEST_HEADER: u64 = 64 << 20;

/// How a text file is to be read.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Delimited {
    delimiter: u8,
    compressed: bool,
}

impl Delimited {
    /// Finds the delimiter and the names of the columns.
    pub(crate) fn open(
        path: &Path,
        file: File,
        compressed: bool,
    ) -> Result<(Vec<String>, Self), TableError> {
        let failed = |reason| TableError::Io { path: path.to_path_buf(), reason };
        let mut text = BufReader::new(decoded(file, compressed).map_err(failed)?);
        let start = text.fill_buf().map_err(failed)?;
        if compressed && start.starts_with(b"PAR1") {
            return Err(TableError::Damaged {
                path: path.to_path_buf(),
                problem: "is a Parquet file within zstd: decompress it first \
                          (Parquet compresses its own columns)"
                    .to_string(),
            });
        }
        // A name in quotes may go on in the next line.
        let mut text = text.take(LONGEST_HEADER);
        let mut line = Vec::new();
        while text.read_until(b'\n', &mut line).map_err(failed)? > 0
            && line.iter().filter(|&&byte| byte == b'"').count() % 2 == 1
        {}
        if text.limit() == 0 {
            let problem = format!("has no line of names in its first {LONGEST_HEADER} bytes");
            return Err(TableError::Damaged { path: path.to_path_buf(), problem });
        }
        if line.iter().all(u8::is_ascii_whitespace) {
            return Err(TableError::Empty(path.to_path_buf()));
        }
        let this = Self { delimiter: delimiter_of(&line), compressed };
        let mut reader = this.reader(&line[..]);
        let header = reader.byte_headers().map_err(|error| csv_error(path, &error))?;
        let names = header
            .iter()
            .map(|name| String::from_utf8_lossy(name).trim_start_matches('\u{feff}').to_string())
            .collect();
        Ok((names, this))
    }

    fn reader<R: Read>(self, input: R) -> csv::Reader<R> {
        csv::ReaderBuilder::new()
            .delimiter(self.delimiter)
            .trim(csv::Trim::All)
            // Rows of a wrong length are told with their line, below.
            .flexible(true)
            .from_reader(input)
    }

    pub(crate) fn read(
        self,
        path: &Path,
        columns: &[String],
        wanted: &[Wanted],
    ) -> Result<Reader, TableError> {
        let failed = |reason| TableError::Io { path: path.to_path_buf(), reason };
        let file = File::open(path).map_err(failed)?;
        let size = file.metadata().map_err(failed)?.len().max(1);
        let position = Arc::new(AtomicU64::new(0));
        let counted = Counted { inner: file, position: Arc::clone(&position) };
        let input = decoded(counted, self.compressed).map_err(failed)?;
        let mut batches = Batches {
            file: TextFile { path: path.to_path_buf(), compressed: self.compressed },
            columns: columns.to_vec(),
            wanted: wanted.to_vec(),
            records: self.reader(input),
            record: ByteRecord::new(),
        };
        Ok(Reader {
            batches: Box::new(until_the_end(move || batches.batch())),
            progress: Box::new(move || position.load(Ordering::Relaxed) as f64 / size as f64),
        })
    }
}

/// Whichever of comma, semicolon and tab is most frequent between the names.
fn delimiter_of(header: &[u8]) -> u8 {
    let unquoted = || header.split(|&byte| byte == b'"').step_by(2).flatten();
    let count = |delimiter: u8| unquoted().filter(|&&byte| byte == delimiter).count();
    let mut best = b',';
    for candidate in [b';', b'\t'] {
        if count(candidate) > count(best) {
            best = candidate;
        }
    }
    best
}

/// Counts the bytes that were read.
pub(crate) struct Counted<R> {
    pub(crate) inner: R,
    pub(crate) position: Arc<AtomicU64>,
}

impl<R: Read> Read for Counted<R> {
    fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
        let read = self.inner.read(buffer)?;
        self.position.fetch_add(read as u64, Ordering::Relaxed);
        Ok(read)
    }
}

struct Batches {
    file: TextFile,
    columns: Vec<String>,
    wanted: Vec<Wanted>,
    records: csv::Reader<Box<dyn Read + Send>>,
    record: ByteRecord,
}

impl Batches {
    /// The next rows; `None` at the end.
    fn batch(&mut self) -> Result<Option<Batch>, TableError> {
        let mut offsets = Vec::with_capacity(BATCH_ROWS);
        let mut cells: Vec<Cells> = self
            .wanted
            .iter()
            .map(|wanted| match wanted {
                Wanted::Number(_) => Cells::Numbers(Vec::with_capacity(BATCH_ROWS)),
                Wanted::Text(_) => Cells::Text(Vec::with_capacity(BATCH_ROWS)),
            })
            .collect();
        while offsets.len() < BATCH_ROWS {
            let more = self.records.read_byte_record(&mut self.record);
            if !more.map_err(|error| csv_error(&self.file.path, &error))? {
                break;
            }
            // The reader's own line numbers are one too small after CRLF and
            // count blank lines late, so that lines are found when needed.
            let offset = self.record.position().map_or(0, csv::Position::byte);
            if self.record.len() != self.columns.len() {
                return Err(TableError::CellCount {
                    path: self.file.path.clone(),
                    place: Place::Line(self.file.line_at(offset)),
                    expected: self.columns.len(),
                    found: self.record.len(),
                });
            }
            for (wanted, cells) in self.wanted.iter().zip(&mut cells) {
                let bytes = &self.record[wanted.index()];
                let problem = match (std::str::from_utf8(bytes), cells) {
                    (Ok(text), Cells::Text(cells)) => {
                        cells.push(text.to_string());
                        None
                    }
                    (Ok(text), Cells::Numbers(cells)) => match number(text) {
                        Ok(value) => {
                            cells.push(value);
                            None
                        }
                        Err(problem) => Some(problem),
                    },
                    (Err(_), _) => Some("is not UTF-8 text".to_string()),
                };
                if let Some(problem) = problem {
                    return Err(TableError::Cell {
                        path: self.file.path.clone(),
                        place: Place::Line(self.file.line_at(offset)),
                        column: self.columns[wanted.index()].clone(),
                        problem,
                    });
                }
            }
            offsets.push(offset);
        }
        let rows = offsets.len();
        let places = Places::Offsets(self.file.clone(), offsets);
        Ok((rows > 0).then_some(Batch { rows, cells, places }))
    }
}

/// A finite number, or what is wrong with the text.
pub(crate) fn number(text: &str) -> Result<f64, String> {
    match text.parse::<f64>() {
        Ok(value) if value.is_finite() => Ok(value),
        Ok(_) => Err(format!("'{text}' is not a finite number")),
        Err(_) if text.is_empty() => Err("the cell is empty where a number is needed".to_string()),
        Err(_) => Err(format!("'{text}' is not a number")),
    }
}

fn csv_error(path: &Path, error: &csv::Error) -> TableError {
    let place = error.position().map(|position| format!("line {}: ", position.line()));
    let problem = match error.kind() {
        csv::ErrorKind::Io(error) => error.to_string(),
        _ => error.to_string(),
    };
    TableError::Damaged {
        path: path.to_path_buf(),
        problem: format!("{}{problem}", place.unwrap_or_default()),
    }
}
