//! From the rows of a file to examples, in memory or in a temporary file.

use std::path::Path;

use discern_stats::DataError;
use discern_stats::sparse::{
    MAX_WEIGHTS, SparseDataset, SparseDatasetBuilder, SparseExample, SparseExamples,
};
use discern_table::{Cells, SparseBatch, SparseTable, SparseWanted};
use serde::{Deserialize, Serialize};

use super::store::Store;
use crate::data::{Groups, free_memory};
use crate::error::Error;
use crate::label::{Labels, share_of, whole_number};

/// Which column of a file of sparse rows plays which part. In LIBSVM text the
/// columns are the first cell, `label`, and cells with a name, such as `qid:7`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SparseColumns {
    /// Results, or successes where there are trials.
    pub label: String,
    /// Trials that the label counts successes of.
    pub trials: Option<String>,
    /// How often a row counts.
    pub weight: Option<String>,
    /// A known part of the log-odds.
    pub offset: Option<String>,
    /// The phase, a whole number.
    pub phase: Option<String>,
    /// The game or other group whose rows are not independent.
    pub group: Option<String>,
    /// Lists of indices, in Parquet.
    pub indices: String,
    /// Lists of values, in Parquet: `values` if there is such a column, else
    /// every value is 1.
    pub values: Option<String>,
    /// Whether indices count from 0, not from 1.
    pub zero_based: bool,
}

impl Default for SparseColumns {
    fn default() -> Self {
        Self {
            label: "label".to_string(),
            trials: None,
            weight: None,
            offset: None,
            phase: None,
            group: None,
            indices: "indices".to_string(),
            values: None,
            zero_based: false,
        }
    }
}

impl SparseColumns {
    /// The least index.
    pub fn first_index(&self) -> u32 {
        u32::from(!self.zero_based)
    }

    /// What to read of a table: these flat columns, and the entries.
    pub(super) fn wanted(&self, table: &SparseTable, cells: Vec<(String, bool)>) -> SparseWanted {
        let usual = || Some("values".to_string()).filter(|name| table.has(name));
        SparseWanted {
            cells,
            indices: self.indices.clone(),
            values: self.values.clone().or_else(usual),
            first_index: self.first_index(),
        }
    }
}

/// How much a file may take.
#[derive(Clone, Copy, Debug)]
pub struct SparseLimits {
    /// Weights that there are; as many as rows name if not said.
    pub weights: Option<usize>,
    /// Bytes for the rows and the fit together: beyond them rows go to a
    /// temporary file.
    pub memory: usize,
    /// Bytes that the fit takes beside its rows, by weight and by row.
    pub fit: (usize, usize),
}

/// What is known of a file once it was read.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct SparseFacts {
    /// The file.
    pub file: String,
    /// Its rows.
    pub rows: u64,
    /// Entries of all rows.
    pub entries: u64,
    /// Weights to be fitted.
    pub weights: usize,
    /// Number of groups, if there is a group column.
    pub groups: Option<usize>,
    /// Bytes of the temporary file, if the rows are in one.
    pub streamed: Option<u64>,
}

/// The examples of a file.
pub struct SparseData {
    facts: SparseFacts,
    examples: Box<dyn SparseExamples>,
}

impl SparseData {
    /// Reads a file into memory, or into a temporary file as soon as it turns
    /// out not to fit. `progress` hears the share that was read.
    ///
    /// # Errors
    /// With the place in the file if it cannot be read, and if there are too
    /// many weights for the machine's memory.
    pub fn read(
        path: &Path,
        columns: &SparseColumns,
        limits: SparseLimits,
        mut progress: impl FnMut(f64),
    ) -> Result<Self, Error> {
        let table = SparseTable::open(path)?;
        let mut labels = Labels::default();
        loop {
            let signed = labels.signed;
            let mut reading = Reading::new(&table, columns, limits, labels)?;
            reading.all(&mut progress)?;
            labels = reading.labels;
            if labels.signed == signed || !labels.zeros {
                return reading.finish();
            }
            // A −1 has shown what the zeros before it mean: once more.
        }
    }

    /// What is known of the file.
    #[must_use]
    pub fn facts(&self) -> &SparseFacts {
        &self.facts
    }

    /// The rows.
    #[must_use]
    pub fn examples(&self) -> &dyn SparseExamples {
        &*self.examples
    }
}

/// A file while it is read.
struct Reading<'a> {
    table: &'a SparseTable,
    limits: SparseLimits,
    wanted: SparseWanted,
    /// Places of trials, weight, offset, phase and group among the cells; the
    /// label comes first.
    parts: [Option<usize>; 5],
    builder: SparseDatasetBuilder,
    store: Option<Store>,
    labels: Labels,
    groups: Groups,
    rows: u64,
    entries: u64,
}

const GROUP: usize = 4;

impl<'a> Reading<'a> {
    fn new(
        table: &'a SparseTable,
        columns: &SparseColumns,
        limits: SparseLimits,
        labels: Labels,
    ) -> Result<Self, Error> {
        let SparseColumns { label, trials, weight, offset, phase, group, .. } = columns;
        let mut cells = vec![(label.clone(), trials.is_some())];
        let mut parts = [None; 5];
        for (part, name) in [trials, weight, offset, phase, group].into_iter().enumerate() {
            let Some(name) = name else { continue };
            if cells.iter().any(|(other, _)| other == name) {
                return Err(Error::Asked(format!("column '{name}' is given two roles")));
            }
            parts[part] = Some(cells.len());
            cells.push((name.clone(), part != GROUP));
        }
        let weights = limits.weights.unwrap_or(MAX_WEIGHTS);
        if weights == 0 || weights > MAX_WEIGHTS {
            return Err(Error::Asked(format!("{weights} weights: give 1 to {MAX_WEIGHTS}")));
        }
        Ok(Self {
            table,
            limits,
            wanted: columns.wanted(table, cells),
            parts,
            builder: SparseDataset::builder(weights),
            store: None,
            labels,
            groups: Groups::default(),
            rows: 0,
            entries: 0,
        })
    }

    fn all(&mut self, progress: &mut impl FnMut(f64)) -> Result<(), Error> {
        let mut reader = self.table.read(&self.wanted)?;
        while let Some(batch) = reader.next() {
            let batch = batch?;
            for row in 0..batch.rows() {
                self.row(&batch, row).map_err(|problem| Error::Row {
                    path: self.table.path().to_path_buf(),
                    place: batch.place(row),
                    problem,
                })?;
            }
            self.spill()?;
            progress(reader.progress());
        }
        Ok(())
    }

    fn row(&mut self, batch: &SparseBatch, row: usize) -> Result<(), String> {
        let entries = batch.entries(row);
        if let (Some(weights), Some(&(last, _))) = (self.limits.weights, entries.last())
            && last as usize >= weights
        {
            let first = self.wanted.first_index as usize;
            let (index, last) = (last as usize + first, weights - 1 + first);
            return Err(format!("index {index} is out of range: {last} is the last"));
        }
        let [trials, weight, offset, phase, group] =
            self.parts.map(|part| part.map(|part| &batch.cells[part]));
        let number = |cells: Option<&Cells>| cells.map(|cells| cells.numbers()[row]);
        let trials = number(trials);
        let outcome = match trials {
            Some(trials) => share_of(batch.cells[0].numbers()[row], trials)?,
            None => {
                let value = self.labels.read(&batch.cells[0].text()[row])?;
                self.labels.share(value)
            }
        };
        let example = SparseExample {
            trials,
            weight: number(weight),
            offset: number(offset),
            group: group.map(|group| self.groups.number(&group.text()[row])),
            phase: number(phase).map(whole_number).transpose()?.unwrap_or(0),
            ..SparseExample::new(entries, outcome)
        };
        self.builder.push(&example).map_err(|error| error.to_string())?;
        self.rows += 1;
        self.entries += entries.len() as u64;
        Ok(())
    }

    /// Bytes of the fit beside its rows.
    fn needed(&self) -> usize {
        let (by_weight, by_row) = self.limits.fit;
        let weights = self.limits.weights.unwrap_or_else(|| self.builder.bound());
        weights.saturating_mul(by_weight).saturating_add(self.rows as usize * by_row)
    }

    /// Takes full blocks to a file where they do not fit into memory.
    fn spill(&mut self) -> Result<(), Error> {
        let too_large = || self.builder.bytes().saturating_add(self.needed()) > self.limits.memory;
        if self.store.is_none() && !too_large() {
            return Ok(());
        }
        let blocks = self.builder.take_full();
        let store = match &mut self.store {
            Some(store) => store,
            None => self.store.insert(Store::new().map_err(no_room)?),
        };
        blocks.iter().try_for_each(|block| store.push(block)).map_err(no_room)
    }

    fn finish(self) -> Result<SparseData, Error> {
        let path = self.table.path();
        if self.rows == 0 {
            return Err(Error::file(path, "has no rows"));
        }
        let weights = self.limits.weights.unwrap_or_else(|| self.builder.bound());
        if weights == 0 {
            return Err(Error::file(path, "no row has an entry"));
        }
        if let Some(free) = free_memory().filter(|&free| self.needed() > free) {
            let [needed, free] = [self.needed(), free].map(|bytes| bytes as f64 / 1e9);
            let problem =
                format!("{weights} weights need about {needed:.1} GB; {free:.1} GB are free");
            return Err(Error::file(path, problem));
        }
        let facts = SparseFacts {
            file: path.display().to_string(),
            rows: self.rows,
            entries: self.entries,
            weights,
            groups: self.parts[GROUP].map(|_| self.groups.count()),
            streamed: None,
        };
        let data = self.builder.finish();
        let wrong = |error: DataError| Error::file(path, error.to_string());
        let Some(mut store) = self.store else {
            let data = SparseDataset::from_blocks(weights, data.into_blocks()).map_err(wrong)?;
            return Ok(SparseData { facts, examples: Box::new(data) });
        };
        data.into_blocks().iter().try_for_each(|block| store.push(block)).map_err(no_room)?;
        let facts = SparseFacts { streamed: Some(store.bytes()), ..facts };
        let stored = store.finish(weights).map_err(no_room)?;
        Ok(SparseData { facts, examples: Box::new(stored) })
    }
}

fn no_room(error: std::io::Error) -> Error {
    let folder = std::env::temp_dir();
    Error::file(&folder, format!("rows cannot be kept in a temporary file there: {error}"))
}
