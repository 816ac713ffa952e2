//! `discern predict`: winning probabilities for the rows of a table.

use std::collections::BTreeMap;
use std::io::Write;
use std::path::PathBuf;

use anyhow::{Context, Result, bail};
use clap::Parser;
use discern_stats::{Metrics, Prediction, metrics};
use discern_table::{Batch, Table, Wanted};

use super::fit::{outcome, print_metrics, whole_number};
use super::model_file::{ModelFile, Weights};
use super::whole_file::WholeFile;

/// Add winning probabilities to a table, from a model of `discern fit`
///
/// Prints the table as CSV with one further column per model, `p_log`,
/// `p_fisher` and so on. With --label the predictions are also compared with
/// the results.
#[derive(Parser)]
#[command(after_long_help = "\
Examples:
  discern predict model.json new.csv > with-probabilities.csv
  discern predict model.json held-out.csv --label result --output rated.csv
      also says how good the predictions are")]
pub struct Args {
    /// Model file written by `discern fit --output`
    model: PathBuf,

    /// CSV or Parquet file, plain or zstd, with the columns of the features
    table: PathBuf,

    /// Models to apply, if not all of the file: log, fisher, quad, ols
    #[arg(long, value_name = "MODELS", value_delimiter = ',')]
    models: Vec<String>,

    /// Column of the phase, if it is not named as it was in the fit
    #[arg(long, value_name = "COLUMN")]
    phase: Option<String>,

    /// Column of results to compare with
    #[arg(long, value_name = "COLUMN")]
    label: Option<String>,

    /// Column of the game, for the errors of the comparison
    #[arg(long, value_name = "COLUMN", requires = "label")]
    group: Option<String>,

    /// Write the table to this file instead of the standard output
    #[arg(long, value_name = "FILE")]
    output: Option<PathBuf>,

    /// Overwrite existing output
    #[arg(long)]
    force: bool,

    /// Print JSON instead of CSV: one object per row
    #[arg(long)]
    json: bool,
}

/// Runs the command.
pub fn run(args: Args) -> Result<()> {
    let file = ModelFile::read(&args.model)?;
    let models =
        Models::new(&file, &args.models).with_context(|| args.model.display().to_string())?;
    let table = Table::open(&args.table)?;
    let columns = Columns::new(&args, &file, &table, &models)?;
    let mut job = Job {
        columns,
        models,
        table: &table,
        json: args.json,
        predictions: BTreeMap::new(),
        groups: BTreeMap::new(),
        strange_phases: 0,
    };
    match &args.output {
        Some(path) => {
            let mut out = WholeFile::create(path, args.force)?;
            job.run(&mut out)?;
            out.finish()?;
        }
        None => job.run(&mut std::io::stdout().lock())?,
    }
    if job.strange_phases > 0 {
        eprintln!(
            "discern: {} rows are of phases without a model; the nearest phase was used",
            job.strange_phases
        );
    }
    if args.label.is_some() {
        let found: Vec<(&str, Metrics)> = job
            .predictions
            .iter()
            .filter_map(|(name, rows)| Some((name.as_str(), metrics(rows)?)))
            .collect();
        let rows: Vec<(&str, &Metrics)> = found.iter().map(|(name, m)| (*name, m)).collect();
        // The table itself owns the standard output unless it goes to a file.
        match args.output {
            Some(_) => print_metrics(&mut std::io::stdout().lock(), &rows)?,
            None => print_metrics(&mut std::io::stderr().lock(), &rows)?,
        }
    }
    Ok(())
}

/// The equations of the file by model and phase.
struct Models(BTreeMap<String, BTreeMap<Option<i32>, Weights>>);

impl Models {
    fn new(file: &ModelFile, wanted: &[String]) -> Result<Self> {
        let mut models: BTreeMap<String, BTreeMap<Option<i32>, Weights>> = BTreeMap::new();
        for entry in &file.models {
            let name = entry.equation.name();
            if wanted.is_empty() || wanted.iter().any(|wanted| wanted == name) {
                let weights = entry.equation.weights(&file.features)?;
                models.entry(name.to_string()).or_default().insert(entry.phase, weights);
            }
        }
        for name in wanted {
            if !models.contains_key(name) {
                bail!("has no model '{name}'");
            }
        }
        Ok(Self(models))
    }

    /// The weights of a model for a phase, and whether the phase was fitted.
    fn at(phases: &BTreeMap<Option<i32>, Weights>, phase: Option<i32>) -> (&Weights, bool) {
        match phases.get(&phase) {
            Some(weights) => (weights, true),
            None => {
                let nearest = phases.iter().min_by_key(|(fitted, _)| match (fitted, phase) {
                    (Some(fitted), Some(phase)) => fitted.abs_diff(phase),
                    _ => 0,
                });
                // `ModelFile::read` refuses files without models.
                (nearest.expect("a model has at least one phase").1, false)
            }
        }
    }
}

/// What is read of each row: everything as text, and some of it as numbers.
struct Columns {
    wanted: Vec<Wanted>,
    texts: usize,
    features: usize,
    phase: Option<usize>,
    label: Option<usize>,
    group: Option<usize>,
}

impl Columns {
    fn new(args: &Args, file: &ModelFile, table: &Table, models: &Models) -> Result<Self> {
        for name in models.0.keys() {
            for added in [format!("p_{name}"), format!("score_{name}")] {
                if table.columns().contains(&added) {
                    bail!("{}: has a column '{added}' already", args.table.display());
                }
            }
        }
        let mut wanted: Vec<Wanted> = (0..table.columns().len()).map(Wanted::Text).collect();
        let texts = wanted.len();
        for feature in &file.features {
            wanted.push(Wanted::Number(table.column(feature)?));
        }
        let phase = match (&file.phase_column, &args.phase) {
            (None, _) => None,
            (Some(_), Some(name)) | (Some(name), None) => {
                wanted.push(Wanted::Number(table.column(name)?));
                Some(wanted.len() - 1)
            }
        };
        Ok(Self {
            texts,
            features: file.features.len(),
            phase,
            label: args.label.as_deref().map(|name| table.column(name)).transpose()?,
            group: args.group.as_deref().map(|name| table.column(name)).transpose()?,
            wanted,
        })
    }
}

struct Job<'a> {
    columns: Columns,
    models: Models,
    table: &'a Table,
    json: bool,
    predictions: BTreeMap<String, Vec<Prediction>>,
    groups: BTreeMap<String, u32>,
    strange_phases: u64,
}

impl Job<'_> {
    /// Writes every row with its predictions.
    fn run(&mut self, out: &mut impl Write) -> Result<()> {
        let header = self.header();
        let mut out = Rows::new(out, header, self.columns.texts, self.json)?;
        for batch in self.table.read(&self.columns.wanted)? {
            let batch = batch?;
            for row in 0..batch.rows {
                let predicted = self.predict(&batch, row).with_context(|| {
                    format!("{}, {}", self.table.path().display(), batch.place(row))
                })?;
                let texts = batch.cells[..self.columns.texts]
                    .iter()
                    .map(|cells| cells.text()[row].as_str());
                out.write(texts, &predicted)?;
            }
        }
        out.finish()
    }

    fn header(&self) -> Vec<String> {
        let mut header = self.table.columns().to_vec();
        for name in self.models.0.keys() {
            header.push(format!("p_{name}"));
            if name == "ols" {
                header.push(format!("score_{name}"));
            }
        }
        header
    }

    /// The new cells of a row.
    fn predict(&mut self, batch: &Batch, row: usize) -> Result<Vec<f64>> {
        let Columns { texts, features, phase, label, group, .. } = self.columns;
        let x: Vec<f64> =
            batch.cells[texts..texts + features].iter().map(|cells| cells.numbers()[row]).collect();
        let phase = match phase {
            Some(column) => Some(whole_number(batch.cells[column].numbers()[row])?),
            None => None,
        };
        let share = match label {
            Some(column) => Some(outcome(&batch.cells[column].text()[row])?),
            None => None,
        };
        let group = group.map(|column| {
            let next = self.groups.len() as u32;
            *self.groups.entry(batch.cells[column].text()[row].clone()).or_insert(next)
        });
        let mut cells = Vec::new();
        let mut strange = false;
        for (name, phases) in &self.models.0 {
            let (weights, fitted) = Models::at(phases, phase);
            strange |= !fitted;
            cells.push(weights.probability(&x));
            cells.extend(weights.score(&x));
            if let Some(share) = share {
                self.predictions.entry(name.clone()).or_default().push(Prediction {
                    phase: phase.unwrap_or(0),
                    log_odds: weights.log_odds(&x),
                    outcome: share,
                    weight: 1.0,
                    group,
                });
            }
        }
        self.strange_phases += u64::from(strange);
        Ok(cells)
    }
}

/// The output, row by row.
enum Rows<W: Write> {
    Csv(Box<csv::Writer<W>>),
    Json { out: W, header: Vec<String>, texts: usize },
}

impl<W: Write> Rows<W> {
    fn new(out: W, header: Vec<String>, texts: usize, json: bool) -> Result<Self> {
        if json {
            return Ok(Self::Json { out, header, texts });
        }
        let mut writer = Box::new(csv::Writer::from_writer(out));
        writer.write_record(&header).map_err(io_error)?;
        Ok(Self::Csv(writer))
    }

    fn write<'a>(&mut self, texts: impl Iterator<Item = &'a str>, new: &[f64]) -> Result<()> {
        match self {
            Self::Csv(writer) => {
                for text in texts {
                    writer.write_field(text).map_err(io_error)?;
                }
                for value in new {
                    writer.write_field(value.to_string()).map_err(io_error)?;
                }
                writer.write_record(None::<&[u8]>).map_err(io_error)?;
            }
            Self::Json { out, header, texts: count } => {
                let mut object = serde_json::Map::new();
                for (name, text) in header.iter().zip(texts) {
                    object.insert(name.clone(), text.into());
                }
                for (name, &value) in header[*count..].iter().zip(new) {
                    object.insert(name.clone(), value.into());
                }
                serde_json::to_writer(&mut *out, &object).map_err(std::io::Error::from)?;
                writeln!(out)?;
            }
        }
        Ok(())
    }

    fn finish(self) -> Result<()> {
        match self {
            Self::Csv(mut writer) => writer.flush()?,
            Self::Json { mut out, .. } => out.flush()?,
        }
        Ok(())
    }
}

/// The error of the system within, so that a broken pipe is known as one.
fn io_error(error: csv::Error) -> std::io::Error {
    match error.into_kind() {
        csv::ErrorKind::Io(error) => error,
        other => std::io::Error::other(format!("{other:?}")),
    }
}
