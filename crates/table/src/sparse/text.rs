//! LIBSVM and SVMlight text.

use std::fs::File;
use std::io::{BufRead, BufReader, Read};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use super::{SparseBatch, SparseReader, SparseWanted};
use crate::batch::{Cells, Place, Places, until_the_end};
use crate::delimited::{Counted, number};
use crate::error::TableError;
use crate::text_file::decoded;

/// Some ten million entries.
const LONGEST_LINE: u64 = 64 << 20;
/// A word in a message is no longer.
const LONGEST_WORD: usize = 40;

/// How a text file is to be read.
#[derive(Clone, Copy, Debug)]
pub(super) struct Text {
    compressed: bool,
}

impl Text {
    /// The name of the first cell of a row.
    const LABEL: &str = "label";

    pub(super) fn open(
        path: &Path,
        file: File,
        compressed: bool,
    ) -> Result<(Vec<String>, Self), TableError> {
        let failed = |reason| TableError::Io { path: path.to_path_buf(), reason };
        let text = decoded(file, compressed).map_err(failed)?;
        let mut lines = Lines::new(path, text);
        let mut columns = vec![Self::LABEL.to_string()];
        while lines.next_line()? {
            let words: Vec<&[u8]> = words(content(&lines.line)).collect();
            let Some((_, rest)) = words.split_first() else { continue };
            for word in rest {
                let Some((name, _)) = named(word) else { break };
                columns.push(shortened(name));
            }
            return Ok((columns, Self { compressed }));
        }
        let problem = "is empty: it has no row".to_string();
        Err(TableError::Damaged { path: path.to_path_buf(), problem })
    }

    pub(super) fn read(
        self,
        path: &Path,
        wanted: &SparseWanted,
    ) -> Result<SparseReader, TableError> {
        let failed = |reason| TableError::Io { path: path.to_path_buf(), reason };
        let file = File::open(path).map_err(failed)?;
        let size = file.metadata().map_err(failed)?.len().max(1);
        let position = Arc::new(AtomicU64::new(0));
        let counted = Counted { inner: file, position: Arc::clone(&position) };
        let text = decoded(counted, self.compressed).map_err(failed)?;
        let mut batches =
            Batches { lines: Lines::new(path, text), wanted: wanted.clone(), shortest: usize::MAX };
        Ok(SparseReader {
            batches: Box::new(until_the_end(move || batches.batch())),
            progress: Box::new(move || position.load(Ordering::Relaxed) as f64 / size as f64),
        })
    }
}

/// Lines of a bounded length, counted from 1.
struct Lines {
    path: PathBuf,
    text: BufReader<Box<dyn Read + Send>>,
    line: Vec<u8>,
    number: u64,
}

impl Lines {
    fn new(path: &Path, text: Box<dyn Read + Send>) -> Self {
        let text = BufReader::with_capacity(1 << 18, text);
        Self { path: path.to_path_buf(), text, line: Vec::new(), number: 0 }
    }

    /// Reads the next line; false at the end.
    fn next_line(&mut self) -> Result<bool, TableError> {
        self.line.clear();
        self.number += 1;
        let mut text = self.text.by_ref().take(LONGEST_LINE);
        match text.read_until(b'\n', &mut self.line) {
            Ok(0) => Ok(false),
            Ok(_) if text.limit() == 0 => {
                Err(self.problem(format!("is longer than {LONGEST_LINE} bytes")))
            }
            Ok(_) => Ok(true),
            // A zstd frame that was cut or damaged; an error of the disk.
            Err(error) => Err(self.problem(format!("cannot be read: {error}"))),
        }
    }

    fn problem(&self, problem: String) -> TableError {
        let place = Place::Line(self.number);
        TableError::Row { path: self.path.clone(), place, problem }
    }

    /// Whether the line ends as a line does.
    fn is_whole(&self) -> bool {
        self.line.last() == Some(&b'\n')
    }
}

/// A line without its comment.
fn content(line: &[u8]) -> &[u8] {
    line.iter().position(|&byte| byte == b'#').map_or(line, |at| &line[..at])
}

fn words(line: &[u8]) -> impl Iterator<Item = &[u8]> {
    line.split(u8::is_ascii_whitespace).filter(|word| !word.is_empty())
}

/// Name and text of a cell, which begins with no digit.
fn named(word: &[u8]) -> Option<(&[u8], &[u8])> {
    let colon = word.iter().position(|&byte| byte == b':')?;
    let (name, rest) = word.split_at(colon);
    let letter = name.first().is_some_and(|byte| byte.is_ascii_alphabetic() || *byte == b'_');
    letter.then_some((name, &rest[1..]))
}

/// A word for a message.
fn shortened(word: &[u8]) -> String {
    let text = String::from_utf8_lossy(&word[..word.len().min(LONGEST_WORD)]);
    let end = if word.len() > LONGEST_WORD { "…" } else { "" };
    text.chars().map(|c| if c.is_control() { '?' } else { c }).chain(end.chars()).collect()
}

struct Batches {
    lines: Lines,
    wanted: SparseWanted,
    /// Entries of the shortest row.
    shortest: usize,
}

impl Batches {
    /// The next rows; `None` at the end.
    fn batch(&mut self) -> Result<Option<SparseBatch>, TableError> {
        let mut batch = SparseBatch::new(&self.wanted, Places::Lines(Vec::new()));
        while !batch.is_full() && self.lines.next_line()? {
            let mut words = words(content(&self.lines.line));
            let Some(label) = words.next() else { continue };
            let before = batch.entries.len();
            row(label, words, &self.wanted, &mut batch)
                .map_err(|problem| self.lines.problem(problem))?;
            let entries = batch.entries.len() - before;
            if !self.lines.is_whole() && entries < self.shortest && self.shortest < usize::MAX {
                // Behind a line end that is missing entries may be missing, too.
                return Err(self.lines.problem(format!(
                    "the file seems to be cut here: no line end, and {entries} entries where \
                     every other row has at least {}",
                    self.shortest
                )));
            }
            self.shortest = self.shortest.min(entries);
            batch.end_row();
            if let Places::Lines(lines) = &mut batch.places {
                lines.push(self.lines.number);
            }
        }
        Ok((batch.rows() > 0).then_some(batch))
    }
}

/// Reads the cells and entries of a row.
fn row<'a>(
    label: &[u8],
    words: impl Iterator<Item = &'a [u8]>,
    wanted: &SparseWanted,
    batch: &mut SparseBatch,
) -> Result<(), String> {
    let rows = batch.rows();
    if label.contains(&b':') {
        return Err(format!("begins with '{}', not with a label", shortened(label)));
    }
    cell(wanted, batch, Text::LABEL.as_bytes(), label)?;
    let mut in_entries = false;
    for word in words {
        if !in_entries && let Some((name, text)) = named(word) {
            cell(wanted, batch, name, text)?;
            continue;
        }
        in_entries = true;
        let (index, value) = entry(word)?;
        batch.push(index, value, wanted.first_index)?;
    }
    for ((name, _), cells) in wanted.cells.iter().zip(&batch.cells) {
        if cells.len() == rows {
            return Err(format!("there is no '{name}:'"));
        }
    }
    Ok(())
}

/// Keeps a named cell if it is wanted.
fn cell(
    wanted: &SparseWanted,
    batch: &mut SparseBatch,
    name: &[u8],
    text: &[u8],
) -> Result<(), String> {
    let rows = batch.rows();
    for ((wish, _), cells) in wanted.cells.iter().zip(&mut batch.cells) {
        if wish.as_bytes() != name {
            continue;
        }
        if cells.len() > rows {
            return Err(format!("there are two '{wish}:'"));
        }
        let text = std::str::from_utf8(text)
            .map_err(|_| format!("{wish} '{}' is not UTF-8 text", shortened(text)))?;
        match cells {
            Cells::Text(cells) => cells.push(text.to_string()),
            Cells::Numbers(cells) => {
                cells.push(number(text).map_err(|problem| format!("{wish}: {problem}"))?);
            }
        }
    }
    Ok(())
}

/// Index and value of `index:value`.
#[inline]
fn entry(word: &[u8]) -> Result<(u64, f64), String> {
    let not_one = || format!("'{}' is not index:value", shortened(word));
    let digits = word.iter().take_while(|byte| byte.is_ascii_digit()).count();
    if !(1..=18).contains(&digits) || word.get(digits) != Some(&b':') {
        return Err(not_one());
    }
    let index = word[..digits].iter().fold(0, |sum, digit| 10 * sum + u64::from(digit - b'0'));
    let value = match &word[digits + 1..] {
        b"1" => 1.0,
        b"-1" => -1.0,
        text => {
            let text = std::str::from_utf8(text).map_err(|_| not_one())?;
            number(text).map_err(|problem| format!("index {index}: {problem}"))?
        }
    };
    Ok((index, value))
}
