use std::path::PathBuf;

use anyhow::Result;
use clap::Parser;
use discern_fit::{AnyPredictor, PredictColumns};
use discern_report::print_metrics;
use discern_stats::Metrics;

use crate::output::write_to;

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
    let models = AnyPredictor::open(&args.model, &args.models)?;
    let columns =
        PredictColumns { phase: args.phase, label: args.label.clone(), group: args.group };
    let applied = write_to(args.output.as_deref(), args.force, |out| {
        Ok(models.apply(&args.table, &columns, out, args.json)?)
    })?;
    for sentence in &applied.doubts {
        eprintln!("discern: {sentence}");
    }
    let rows: Vec<(&str, &Metrics)> = applied.metrics.iter().map(|(name, m)| (*name, m)).collect();
    match (args.label, args.output) {
        (None, _) => Ok(()),
        (Some(_), Some(_)) => Ok(print_metrics(&mut std::io::stdout(), &rows)?),
        // The table itself owns the standard output.
        (Some(_), None) => Ok(print_metrics(&mut std::io::stderr(), &rows)?),
    }
}
