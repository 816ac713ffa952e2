//! `discern predict`: winning probabilities for the rows of a table.

use std::io::Write;
use std::path::PathBuf;

use anyhow::{Result, anyhow};
use clap::Parser;
use discern_fit::{
    ModelFile, PredictColumns, PredictedRows, Predictor, SparseModel, SparsePredictor, SparseRows,
};
use discern_stats::Metrics;
use discern_table::{SparseTable, Table};

use super::fit::print_metrics;
use super::whole_file::WholeFile;

/// Add winning probabilities to a table by a model of `discern fit`
///
/// Prints the table as CSV with one further column per model, `p_log`,
/// `p_fisher` and so on. With --label the predictions are also compared with
/// the results.
///
/// With a model of `discern fit --sparse` the file has sparse rows; printed are
/// their label, group and phase and a column `p_sparse`.
#[derive(Parser)]
#[command(after_long_help = "\
Examples:
  discern predict model.json new.csv > with-probabilities.csv
  discern predict model.json held-out.csv --label result --output rated.csv
      also says how good the predictions are
  discern predict model.sparse held-out.svm --label label > probabilities.csv")]
pub struct Args {
    /// Model file written by `discern fit --output`
    model: PathBuf,

    /// CSV or Parquet file, plain or zstd, with the columns of the features; or sparse rows
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
    if SparseModel::is_one(&args.model) {
        return run_sparse(&args);
    }
    let predictor = Predictor::new(&ModelFile::read(&args.model)?, &args.models)
        .map_err(|problem| anyhow!("{}: {problem}", args.model.display()))?;
    let table = Table::open(&args.table)?;
    let columns = columns(&args);
    let mut rows = predictor.rows(&table, &columns)?;
    let mut header = table.columns().to_vec();
    header.extend(predictor.columns());
    let texts = table.columns().len();
    match &args.output {
        Some(path) => {
            let mut out = WholeFile::create(path, args.force)?;
            write(&mut rows, Rows::new(&mut out, header, texts, args.json)?)?;
            out.finish()?;
        }
        None => {
            let out = std::io::stdout().lock();
            write(&mut rows, Rows::new(out, header, texts, args.json)?)?;
        }
    }
    if rows.foreign_phases() > 0 {
        eprintln!(
            "discern: {} rows are of phases without a model; the nearest phase was used",
            rows.foreign_phases()
        );
    }
    if args.label.is_some() {
        let found = rows.metrics();
        let rows: Vec<(&str, &Metrics)> = found.iter().map(|(name, m)| (*name, m)).collect();
        print_comparison(&args, &rows)?;
    }
    Ok(())
}

fn columns(args: &Args) -> PredictColumns {
    PredictColumns {
        phase: args.phase.clone(),
        label: args.label.clone(),
        group: args.group.clone(),
    }
}

/// The table itself owns the standard output unless it goes to a file.
fn print_comparison(args: &Args, rows: &[(&str, &Metrics)]) -> Result<()> {
    match args.output {
        Some(_) => print_metrics(&mut std::io::stdout().lock(), rows),
        None => print_metrics(&mut std::io::stderr().lock(), rows),
    }
}

/// The same for a sparse model.
fn run_sparse(args: &Args) -> Result<()> {
    if let Some(name) = args.models.iter().find(|name| *name != "sparse") {
        return Err(anyhow!("{}: has no model '{name}'", args.model.display()));
    }
    let predictor = SparsePredictor::new(SparseModel::read(&args.model)?);
    let table = SparseTable::open(&args.table)?;
    let mut rows = predictor.rows(&table, &columns(args))?;
    let mut header = rows.shown().to_vec();
    header.push(SparsePredictor::COLUMN.to_string());
    let texts = rows.shown().len();
    match &args.output {
        Some(path) => {
            let mut out = WholeFile::create(path, args.force)?;
            write_sparse(&mut rows, Rows::new(&mut out, header, texts, args.json)?)?;
            out.finish()?;
        }
        None => {
            let out = std::io::stdout().lock();
            write_sparse(&mut rows, Rows::new(out, header, texts, args.json)?)?;
        }
    }
    if rows.unknown() > 0 {
        eprintln!(
            "discern: {} rows name indices beyond those of the model, which count as 0",
            rows.unknown()
        );
    }
    if let Some(metrics) = rows.metrics() {
        print_comparison(args, &[("sparse", &metrics)])?;
    }
    Ok(())
}

fn write_sparse(rows: &mut SparseRows, mut out: Rows<impl Write>) -> Result<()> {
    for row in rows {
        let row = row?;
        out.write(row.texts.iter().map(String::as_str), &[row.probability])?;
    }
    out.finish()
}

/// Writes every row with its predictions.
fn write(rows: &mut PredictedRows, mut out: Rows<impl Write>) -> Result<()> {
    for batch in rows {
        let batch = batch?;
        for (row, added) in batch.added.iter().enumerate() {
            out.write(batch.texts(row), added)?;
        }
    }
    out.finish()
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
