//! `discern predict`: winning probabilities for the rows of a table.

use std::io::Write;
use std::path::PathBuf;

use anyhow::{Result, anyhow};
use clap::Parser;
use discern_fit::{ModelFile, PredictColumns, Predictor, SparseModel, SparsePredictor};
use discern_report::print_metrics;
use discern_stats::Metrics;
use discern_table::{RowWriter, SparseTable, Table};

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
      also prints how good the predictions are
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
    let mut rows = predictor.rows(&table, &args.columns())?;
    let mut header = table.columns().to_vec();
    header.extend(predictor.columns());
    args.write(header, |out| {
        for batch in &mut rows {
            let batch = batch?;
            for (row, added) in batch.added.iter().enumerate() {
                out.write(batch.texts(row), added)?;
            }
        }
        Ok(())
    })?;
    if rows.foreign_phases() > 0 {
        eprintln!(
            "discern: {} rows are of phases without a model; the nearest phase was used",
            rows.foreign_phases()
        );
    }
    if args.label.is_some() {
        let found = rows.metrics();
        let rows: Vec<(&str, &Metrics)> = found.iter().map(|(name, m)| (*name, m)).collect();
        args.print_metrics(&rows)?;
    }
    Ok(())
}

/// The same for a sparse model.
fn run_sparse(args: &Args) -> Result<()> {
    if let Some(name) = args.models.iter().find(|name| *name != "sparse") {
        return Err(anyhow!("{}: has no model '{name}'", args.model.display()));
    }
    let predictor = SparsePredictor::new(SparseModel::read(&args.model)?);
    let table = SparseTable::open(&args.table)?;
    let mut rows = predictor.rows(&table, &args.columns())?;
    let mut header = rows.shown().to_vec();
    header.push(SparsePredictor::COLUMN.to_string());
    args.write(header, |out| {
        for row in &mut rows {
            let row = row?;
            out.write(row.texts.iter().map(String::as_str), &[row.probability])?;
        }
        Ok(())
    })?;
    if rows.unknown() > 0 {
        eprintln!(
            "discern: {} rows name indices beyond those of the model, which count as 0",
            rows.unknown()
        );
    }
    if let Some(metrics) = rows.metrics() {
        args.print_metrics(&[("sparse", &metrics)])?;
    }
    Ok(())
}

impl Args {
    fn columns(&self) -> PredictColumns {
        PredictColumns {
            phase: self.phase.clone(),
            label: self.label.clone(),
            group: self.group.clone(),
        }
    }

    /// Writes rows below a header into the file asked for, or prints them.
    fn write(
        &self,
        header: Vec<String>,
        rows: impl FnOnce(&mut RowWriter<&mut dyn Write>) -> Result<()>,
    ) -> Result<()> {
        let mut file = match &self.output {
            Some(path) => Some(WholeFile::create(path, self.force)?),
            None => None,
        };
        let mut stdout = std::io::stdout().lock();
        let out: &mut dyn Write = match &mut file {
            Some(file) => file,
            None => &mut stdout,
        };
        let mut out = RowWriter::new(out, header, self.json)?;
        rows(&mut out)?;
        out.finish()?;
        file.map_or(Ok(()), WholeFile::finish)
    }

    /// The table itself owns the standard output unless it goes to a file.
    fn print_metrics(&self, rows: &[(&str, &Metrics)]) -> Result<()> {
        match self.output {
            Some(_) => Ok(print_metrics(&mut std::io::stdout().lock(), rows)?),
            None => Ok(print_metrics(&mut std::io::stderr().lock(), rows)?),
        }
    }
}
