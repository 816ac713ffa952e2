//! From the columns of a table to examples, in memory or read for each pass.

use std::collections::{BTreeMap, HashMap};
use std::sync::Mutex;

use anyhow::{Context, Result, bail};
use discern_stats::{Block, Blocks, DataError, Dataset, Example, Examples};
use discern_table::{Batch, Table, Wanted};
use indicatif::{ProgressBar, ProgressStyle};

use super::Args;

/// Which column plays which part.
pub struct Roles {
    table: Table,
    features: Vec<String>,
    /// Features first, then the optional columns in the order of `Parts`.
    wanted: Vec<Wanted>,
    parts: Parts,
}

/// Places of the optional columns among the wanted ones.
#[derive(Clone, Copy, Default)]
struct Parts {
    label: Option<usize>,
    trials: Option<usize>,
    score: Option<usize>,
    weight: Option<usize>,
    phase: Option<usize>,
    group: Option<usize>,
}

impl Roles {
    /// Opens the table and finds the columns.
    pub fn new(args: &Args) -> Result<Self> {
        let table = Table::open(args.table())?;
        let named = [&args.label, &args.of, &args.score, &args.weight, &args.phase, &args.group];
        let mut taken: Vec<&String> = Vec::new();
        for name in named.into_iter().flatten() {
            table.column(name)?;
            if taken.contains(&name) {
                bail!("column '{name}' is given two roles");
            }
            taken.push(name);
        }
        for name in args.features.iter().chain(&args.exclude) {
            table.column(name)?;
        }
        let features: Vec<String> = if args.features.is_empty() {
            let rest = table.columns().iter();
            rest.filter(|name| !taken.contains(name) && !args.exclude.contains(name))
                .cloned()
                .collect()
        } else {
            for (index, name) in args.features.iter().enumerate() {
                if taken.contains(&name) {
                    bail!("column '{name}' is given two roles");
                }
                if args.features[..index].contains(name) {
                    bail!("feature '{name}' is listed twice");
                }
            }
            args.features.clone()
        };
        if features.is_empty() {
            bail!("{}: no column is left for the features", args.table().display());
        }
        let mut wanted = Vec::new();
        for name in &features {
            wanted.push(Wanted::Number(table.column(name)?));
        }
        let mut add = |name: &Option<String>, number: bool| -> Result<Option<usize>> {
            let Some(name) = name else { return Ok(None) };
            let column = table.column(name)?;
            wanted.push(if number { Wanted::Number(column) } else { Wanted::Text(column) });
            Ok(Some(wanted.len() - 1))
        };
        let parts = Parts {
            // Results may be words; counts of successes are numbers.
            label: add(&args.label, args.of.is_some())?,
            trials: add(&args.of, true)?,
            score: add(&args.score, true)?,
            weight: add(&args.weight, true)?,
            phase: add(&args.phase, true)?,
            group: add(&args.group, false)?,
        };
        Ok(Self { table, features, wanted, parts })
    }

    /// Turns every row of a batch into an example.
    fn examples(
        &self,
        batch: &Batch,
        groups: &mut Groups,
        mut use_row: impl FnMut(&Example) -> Result<(), DataError>,
    ) -> Result<()> {
        let columns: Vec<&[f64]> =
            batch.cells[..self.features.len()].iter().map(|cells| cells.numbers()).collect();
        let numbers = |part: Option<usize>| part.map(|part| batch.cells[part].numbers());
        let texts = |part: Option<usize>| part.map(|part| batch.cells[part].text());
        let (scores, weights) = (numbers(self.parts.score), numbers(self.parts.weight));
        let (trials, phases) = (numbers(self.parts.trials), numbers(self.parts.phase));
        let (words, group_names) = (texts(self.parts.label), texts(self.parts.group));
        let successes = numbers(self.parts.label);
        let mut features = vec![0.0; columns.len()];
        for row in 0..batch.rows {
            for (feature, column) in features.iter_mut().zip(&columns) {
                *feature = column[row];
            }
            let mut example = Example {
                features: &features,
                outcome: None,
                trials: trials.map(|trials| trials[row]),
                score: scores.map(|scores| scores[row]),
                weight: weights.map(|weights| weights[row]),
                group: group_names.map(|names| groups.number(&names[row])),
                phase: 0,
            };
            let checked = (|| -> Result<()> {
                if let (Some(successes), Some(trials)) = (successes, trials) {
                    example.outcome = Some(share(successes[row], trials[row])?);
                } else if let Some(words) = words {
                    example.outcome = Some(outcome(&words[row])?);
                }
                if let Some(phases) = phases {
                    example.phase = whole_number(phases[row])?;
                }
                use_row(&example)?;
                Ok(())
            })();
            checked.with_context(|| {
                format!("{}, {}", self.table.path().display(), batch.place(row))
            })?;
        }
        Ok(())
    }
}

/// A result as the share of a win.
pub fn outcome(text: &str) -> Result<f64> {
    let lower = text.to_ascii_lowercase();
    Ok(match lower.as_str() {
        "1" | "w" | "win" | "won" => 1.0,
        "0" | "l" | "loss" | "lost" => 0.0,
        "d" | "draw" | "drawn" | "½" | "1/2" => 0.5,
        _ => match lower.parse::<f64>() {
            Ok(value) if (0.0..=1.0).contains(&value) => value,
            _ => bail!(
                "'{text}' is not a result (win, draw, loss; W, D, L; 1, 0.5, 0; or a share between)"
            ),
        },
    })
}

fn share(successes: f64, trials: f64) -> Result<f64> {
    // The table holds finite numbers only.
    if trials <= 0.0 {
        bail!("{trials} is not a positive number of trials");
    }
    if !(0.0..=trials).contains(&successes) {
        bail!("{successes} successes out of {trials} trials");
    }
    Ok(successes / trials)
}

/// A phase.
pub fn whole_number(phase: f64) -> Result<i32> {
    let whole = phase as i32;
    if f64::from(whole) != phase {
        bail!("phase {phase} is not a whole number");
    }
    Ok(whole)
}

/// Numbers of the groups, in the order they turn up.
#[derive(Default)]
struct Groups(HashMap<String, u32>);

impl Groups {
    fn number(&mut self, name: &str) -> u32 {
        if let Some(&number) = self.0.get(name) {
            return number;
        }
        let number = self.0.len() as u32;
        self.0.insert(name.to_string(), number);
        number
    }
}

/// What the summary says of the table.
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

/// Half of the memory that is free, or 2 GB where the system does not say.
pub fn default_memory() -> usize {
    let free = || -> Option<usize> {
        let text = std::fs::read_to_string("/proc/meminfo").ok()?;
        let line = text.lines().find(|line| line.starts_with("MemAvailable:"))?;
        let kilobytes: usize = line.split_whitespace().nth(1)?.parse().ok()?;
        Some(kilobytes << 10)
    };
    free().map_or(2 << 30, |bytes| bytes / 2)
}

/// Reads the table into memory, or finds that it must be read for each pass.
pub fn load(roles: Roles, limit: usize) -> Result<(Box<dyn Examples>, Facts)> {
    let mut builder = Some(Dataset::builder(roles.features.iter().cloned()));
    let mut groups = Groups::default();
    let mut rows = 0;
    let bar = progress_bar("reading");
    let mut reader = roles.table.read(&roles.wanted)?;
    while let Some(batch) = reader.next() {
        let batch = batch?;
        rows += batch.rows as u64;
        roles.examples(&batch, &mut groups, |example| match &mut builder {
            Some(builder) => builder.push(example),
            None => Ok(()),
        })?;
        // Beyond the limit the rest is only checked and counted.
        if builder.as_ref().is_some_and(|builder| builder.bytes() > limit) {
            builder = None;
        }
        bar.set_position((reader.progress() * 1000.0) as u64);
    }
    bar.finish_and_clear();
    if rows == 0 {
        bail!("{}: has no rows", roles.table.path().display());
    }
    let facts = Facts {
        table: roles.table.path().display().to_string(),
        features: roles.features.clone(),
        rows,
        groups: roles.parts.group.map(|_| groups.0.len()),
        streamed: builder.is_none(),
    };
    let examples: Box<dyn Examples> = match builder {
        Some(builder) => Box::new(builder.finish()),
        None => Box::new(TableExamples { roles, groups: Mutex::new(groups) }),
    };
    Ok((examples, facts))
}

/// A bar on a terminal, nothing elsewhere.
fn progress_bar(what: &'static str) -> ProgressBar {
    let style = ProgressStyle::with_template("{prefix} [{bar:40}] {percent} %, {eta} left");
    let bar = ProgressBar::new(1000).with_prefix(what);
    match style {
        Ok(style) => bar.with_style(style.progress_chars("=> ")),
        Err(_) => bar,
    }
}

/// A table that is read anew for each pass.
struct TableExamples {
    roles: Roles,
    /// Filled by the first reading; the same names get the same numbers again.
    groups: Mutex<Groups>,
}

impl Examples for TableExamples {
    fn features(&self) -> &[String] {
        &self.roles.features
    }

    fn blocks(&self) -> Blocks<'_> {
        let failed = |error: anyhow::Error| DataError::Read(format!("{error:#}"));
        let reader = match self.roles.table.read(&self.roles.wanted) {
            Ok(reader) => reader,
            Err(error) => return Box::new(std::iter::once(Err(failed(error.into())))),
        };
        let blocks = reader.flat_map(move |batch| {
            let blocks = batch.map_err(anyhow::Error::from).and_then(|b| self.split(&b));
            match blocks {
                Ok(blocks) => blocks.into_iter().map(Ok).collect(),
                Err(error) => vec![Err(failed(error))],
            }
        });
        Box::new(blocks)
    }
}

impl TableExamples {
    /// The rows of a batch as one block per phase.
    fn split(&self, batch: &Batch) -> Result<Vec<Block<'static>>> {
        let mut groups = self.groups.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        let mut phases: BTreeMap<i32, Rows> = BTreeMap::new();
        self.roles.examples(batch, &mut groups, |example| {
            phases.entry(example.phase).or_default().push(example);
            Ok(())
        })?;
        Ok(phases.into_iter().map(|(phase, rows)| rows.block(phase)).collect())
    }
}

/// Rows of one phase, column by column.
#[derive(Default)]
struct Rows {
    features: Vec<Vec<f64>>,
    outcome: Vec<f64>,
    trials: Vec<f64>,
    score: Vec<f64>,
    weight: Vec<f64>,
    group: Vec<u32>,
}

impl Rows {
    fn push(&mut self, example: &Example) {
        self.features.resize(example.features.len(), Vec::new());
        for (column, &value) in self.features.iter_mut().zip(example.features) {
            column.push(value);
        }
        self.outcome.extend(example.outcome);
        self.trials.extend(example.trials);
        self.score.extend(example.score);
        self.weight.extend(example.weight);
        self.group.extend(example.group);
    }

    fn block(self, phase: i32) -> Block<'static> {
        let optional = |values: Vec<f64>| (!values.is_empty()).then(|| values.into());
        Block {
            phase,
            features: self.features.into_iter().map(Into::into).collect(),
            outcome: optional(self.outcome),
            trials: optional(self.trials),
            score: optional(self.score),
            weight: optional(self.weight),
            group: (!self.group.is_empty()).then(|| self.group.into()),
        }
    }
}
