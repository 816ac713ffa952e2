//! From the columns of a table to examples, in memory or read for each pass.

use std::collections::{BTreeSet, HashMap};
use std::path::Path;
use std::sync::Mutex;

use discern_stats::{Blocks, DataError, Dataset, Example, Examples, FitError, Threads};
use discern_table::{Batch, Cells, Table, Wanted};
use serde::{Deserialize, Serialize};

use crate::error::Error;
use crate::label::{Labels, share_of, whole_number};
use crate::models::{ModelKind, Settings};

/// Which column of a table plays which part.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Columns {
    /// Results, or successes where there are trials.
    pub label: Option<String>,
    /// Trials that the label counts successes of.
    pub trials: Option<String>,
    /// A numeric result.
    pub score: Option<String>,
    /// How often a row counts.
    pub weight: Option<String>,
    /// The phase, a whole number.
    pub phase: Option<String>,
    /// The game or other group whose rows are not independent.
    pub group: Option<String>,
    /// The features; all columns without another part if there are none here.
    pub features: Vec<String>,
    /// Columns without a part that are no features all the same.
    pub exclude: Vec<String>,
}

impl Columns {
    /// These models, or if there are none those that the columns have results
    /// for, each once.
    #[must_use]
    pub fn models(&self, asked: &[ModelKind]) -> Vec<ModelKind> {
        let mut models = match (asked, &self.label, &self.score) {
            ([], None, Some(_)) => vec![ModelKind::Ols],
            ([], Some(_), Some(_)) => ModelKind::ALL.to_vec(),
            ([], ..) => Settings::default().models,
            _ => asked.to_vec(),
        };
        models.sort_unstable();
        models.dedup();
        models
    }
}

/// What is known of a table once it was read.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Facts {
    /// The table.
    pub table: String,
    /// Names of the features.
    pub features: Vec<String>,
    /// Rows of the table.
    pub rows: u64,
    /// Number of groups, if there is a group column.
    pub groups: Option<usize>,
    /// Whether the table is read anew for each pass.
    pub streamed: bool,
}

/// The examples of a table.
pub struct TableData {
    facts: Facts,
    examples: Box<dyn Examples>,
    pub(crate) labels: Labels,
}

impl TableData {
    /// Reads a table into memory, or finds that it must be read for each pass:
    /// when it takes more than `memory` bytes there. `progress` hears the share
    /// that was read.
    ///
    /// # Errors
    /// With the place in the table if it cannot be read, and if there are no
    /// more rows than features or too many features for the machine's memory.
    pub fn read(
        path: &Path,
        columns: &Columns,
        memory: usize,
        progress: impl FnMut(f64),
    ) -> Result<Self, Error> {
        let (source, data) = Source::open(path, columns)?.load_all(memory, progress)?;
        source.check(&data)?;
        Ok(source.finish(data))
    }

    /// Reads a table that is only a part of the rows, so that it may have few of
    /// them or none. `signed` says that a −1 was found in another part.
    ///
    /// # Errors
    /// With the place in the table if it cannot be read.
    pub fn read_part(
        path: &Path,
        columns: &Columns,
        signed: bool,
        memory: usize,
    ) -> Result<Self, Error> {
        let source = Source::open(path, columns)?;
        lock(&source.labels).signed = signed;
        let (source, data) = source.load_all(memory, |_| ())?;
        Ok(source.finish(data))
    }

    /// What is known of the table.
    #[must_use]
    pub fn facts(&self) -> &Facts {
        &self.facts
    }

    /// The rows.
    #[must_use]
    pub fn examples(&self) -> &dyn Examples {
        &*self.examples
    }
}

/// Half of the memory that is free, or 2 GB where the system does not say.
#[must_use]
pub fn default_memory() -> usize {
    free_memory().map_or(2 << 30, |bytes| bytes / 2)
}

pub(crate) fn free_memory() -> Option<usize> {
    let text = std::fs::read_to_string("/proc/meminfo").ok()?;
    let line = text.lines().find(|line| line.starts_with("MemAvailable:"))?;
    let kilobytes: usize = line.split_whitespace().nth(1)?.parse().ok()?;
    Some(kilobytes << 10)
}

/// A table and the parts of its columns; examples when read for each pass.
struct Source {
    table: Table,
    features: Vec<String>,
    /// Features first, then the optional columns.
    wanted: Vec<Wanted>,
    parts: Parts<usize>,
    /// Filled by the first reading; the same names get the same numbers again.
    groups: Mutex<Groups>,
    labels: Mutex<Labels>,
}

/// The optional columns: label, trials, score, weight, phase and group; their
/// names, or their places among the wanted ones.
type Parts<T> = [Option<T>; 6];
const GROUP: usize = 5;

/// Numbers of the groups, in the order they turn up.
#[derive(Default)]
pub(crate) struct Groups(HashMap<String, u32>);

impl Groups {
    pub(crate) fn number(&mut self, name: &str) -> u32 {
        if let Some(&number) = self.0.get(name) {
            return number;
        }
        let number = self.0.len() as u32;
        self.0.insert(name.to_string(), number);
        number
    }

    pub(crate) fn count(&self) -> usize {
        self.0.len()
    }
}

/// What the first reading finds.
struct Loaded {
    /// `None` if it does not fit into memory.
    data: Option<Dataset>,
    rows: u64,
    phases: usize,
}

impl Source {
    /// Opens the table and finds the columns.
    fn open(path: &Path, columns: &Columns) -> Result<Self, Error> {
        let table = Table::open(path)?;
        let Columns { label, trials, score, weight, phase, group, features, exclude } = columns;
        let names = [label, trials, score, weight, phase, group].map(Option::as_ref);
        let mut taken: Vec<&String> = Vec::new();
        let two_roles = |name| Error::Asked(format!("column '{name}' is given two roles"));
        for name in names.into_iter().flatten() {
            table.column(name)?;
            if taken.contains(&name) {
                return Err(two_roles(name));
            }
            taken.push(name);
        }
        for name in exclude {
            table.column(name)?;
        }
        let mut wanted = Vec::new();
        for (index, name) in features.iter().enumerate() {
            wanted.push(Wanted::Number(table.column(name)?));
            if taken.contains(&name) {
                return Err(two_roles(name));
            }
            if features[..index].contains(name) {
                return Err(Error::Asked(format!("feature '{name}' is listed twice")));
            }
        }
        if wanted.is_empty() {
            let rest = table.columns().iter().enumerate();
            wanted = rest
                .filter(|(_, name)| !taken.contains(name) && !exclude.contains(name))
                .map(|(index, _)| Wanted::Number(index))
                .collect();
        }
        let features: Vec<String> =
            wanted.iter().map(|wanted| table.columns()[wanted.index()].clone()).collect();
        if features.is_empty() {
            return Err(Error::file(path, "no column is left for the features"));
        }
        let mut parts = Parts::default();
        for (part, name) in names.into_iter().enumerate() {
            let Some(name) = name else { continue };
            // Results may be words; counts of successes are numbers.
            let text = part == GROUP || (part == 0 && trials.is_none());
            let column = table.column(name)?;
            parts[part] = Some(wanted.len());
            wanted.push(if text { Wanted::Text(column) } else { Wanted::Number(column) });
        }
        let (groups, labels) = Default::default();
        Ok(Self { table, features, wanted, parts, groups, labels })
    }

    fn labels(&self) -> Labels {
        *lock(&self.labels)
    }

    /// Reads every row, and again if that showed what they mean.
    fn load_all(
        mut self,
        memory: usize,
        mut progress: impl FnMut(f64),
    ) -> Result<(Self, Loaded), Error> {
        loop {
            let signed = self.labels().signed;
            let data = self.load(memory, &mut progress)?;
            let labels = self.labels();
            if labels.signed == signed || !labels.zeros {
                return Ok((self, data));
            }
            // A −1 has shown what the zeros before it mean: once more.
            self.groups = Mutex::default();
        }
    }

    /// Reads every row once.
    fn load(&self, memory: usize, progress: &mut impl FnMut(f64)) -> Result<Loaded, Error> {
        let mut builder = Some(Dataset::builder(self.features.iter().cloned()));
        let mut rows = 0;
        let mut phases = BTreeSet::new();
        let mut reader = self.table.read(&self.wanted)?;
        while let Some(batch) = reader.next() {
            let batch = batch?;
            rows += batch.rows as u64;
            self.examples(&batch, |example| {
                phases.insert(example.phase);
                builder.as_mut().map_or(Ok(()), |builder| builder.push(example))
            })?;
            // Beyond the limit the rest is only checked and counted.
            if builder.as_ref().is_some_and(|builder| builder.bytes() > memory) {
                builder = None;
            }
            progress(reader.progress());
        }
        Ok(Loaded { data: builder.map(|builder| builder.finish()), rows, phases: phases.len() })
    }

    /// Are there enough rows, and memory for their sums?
    fn check(&self, loaded: &Loaded) -> Result<(), Error> {
        let &Loaded { rows, phases, .. } = loaded;
        let path = self.table.path();
        if rows == 0 {
            return Err(Error::file(path, "has no rows"));
        }
        let features = self.features.len();
        if rows <= features as u64 {
            let coefficients = features + 1;
            let problem = FitError::TooFewRows { rows: rows as f64, coefficients };
            return Err(Error::file(path, problem.to_string()));
        }
        // Sums of products by lane in each thread, and finished ones by phase.
        let matrices = 48 * Threads::available().count() + 16 * phases + 200;
        let needed = features.saturating_pow(2).saturating_mul(matrices);
        if let Some(free) = free_memory().filter(|&free| needed > free) {
            let [needed, free] = [needed, free].map(|bytes| bytes as f64 / 1e9);
            let problem =
                format!("{features} features need about {needed:.1} GB; {free:.1} GB are free");
            return Err(Error::file(path, problem));
        }
        Ok(())
    }

    fn finish(self, loaded: Loaded) -> TableData {
        let Loaded { data, rows, .. } = loaded;
        let labels = self.labels();
        let facts = Facts {
            table: self.table.path().display().to_string(),
            features: self.features.clone(),
            rows,
            groups: self.parts[GROUP].map(|_| lock(&self.groups).count()),
            streamed: data.is_none(),
        };
        let examples: Box<dyn Examples> = match data {
            Some(data) => Box::new(data),
            None => Box::new(self),
        };
        TableData { facts, examples, labels }
    }

    /// Turns every row of a batch into an example.
    fn examples(
        &self,
        batch: &Batch,
        mut use_row: impl FnMut(&Example) -> Result<(), DataError>,
    ) -> Result<(), Error> {
        let (mut groups, mut labels) = (lock(&self.groups), lock(&self.labels));
        let columns: Vec<&[f64]> =
            batch.cells[..self.features.len()].iter().map(|cells| cells.numbers()).collect();
        let [label, trials, score, weight, phase, group] =
            self.parts.map(|part| part.map(|part| &batch.cells[part]));
        let number = |cells: Option<&Cells>, row: usize| cells.map(|cells| cells.numbers()[row]);
        let mut features = vec![0.0; columns.len()];
        for row in 0..batch.rows {
            for (feature, column) in features.iter_mut().zip(&columns) {
                *feature = column[row];
            }
            let mut example = Example {
                features: &features,
                outcome: None,
                trials: number(trials, row),
                score: number(score, row),
                weight: number(weight, row),
                group: group.map(|group| groups.number(&group.text()[row])),
                phase: 0,
            };
            let checked = (|| -> Result<(), String> {
                example.outcome = match (label, example.trials) {
                    (None, _) => None,
                    (Some(label), Some(trials)) => Some(share_of(label.numbers()[row], trials)?),
                    (Some(label), None) => {
                        let value = labels.read(&label.text()[row])?;
                        Some(labels.share(value))
                    }
                };
                if let Some(phase) = number(phase, row) {
                    example.phase = whole_number(phase)?;
                }
                use_row(&example).map_err(|error| error.to_string())
            })();
            checked.map_err(|problem| Error::Row {
                path: self.table.path().to_path_buf(),
                place: batch.place(row),
                problem,
            })?;
        }
        Ok(())
    }

    /// The rows of a batch as blocks of one phase each.
    fn split(&self, batch: &Batch) -> Result<Dataset, Error> {
        let mut builder = Dataset::builder(self.features.iter().cloned());
        self.examples(batch, |example| builder.push(example))?;
        Ok(builder.finish())
    }
}

fn lock<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(std::sync::PoisonError::into_inner)
}

impl Examples for Source {
    fn features(&self) -> &[String] {
        &self.features
    }

    fn blocks(&self) -> Blocks<'_> {
        let reader = match self.table.read(&self.wanted) {
            Ok(reader) => reader,
            Err(error) => return Box::new(std::iter::once(Err(Error::from(error).into()))),
        };
        Box::new(reader.flat_map(move |batch| {
            match batch.map_err(Error::from).and_then(|batch| self.split(&batch)) {
                Ok(data) => data.into_blocks().into_iter().map(Ok).collect(),
                Err(error) => vec![Err(error.into())],
            }
        }))
    }
}
