use std::path::PathBuf;
use std::time::Instant;

use anyhow::Result;
use clap::Parser;
use discern_fit::{
    SparseColumns, SparseData, SparseLimits, SparseLine, SparseModel, SparseReport, SparseSettings,
    check_folds, default_memory, trials_of,
};
use discern_report::{SparseWatch, print_sparse};
use discern_stats::sparse::{Intercepts, SparseLogistic, WeightPrior};
use indicatif::ProgressBar;

use super::row_args::RowArgs;
use crate::output::show;
use crate::place::{At, check_free};
use crate::progress::Live;
use crate::values::{not_negative, within};

/// Fit weights of patterns by logistic regression on sparse rows.
///
/// A row names some of up to two thousand million weights, as the
/// configurations on a board do; its log-odds are their sum. The file is LIBSVM
/// or SVMlight text (`label index:value …`, indices ascending from 1) or
/// Parquet with a list column of indices, both plain or zstd. Rows that do not
/// fit into memory are kept in a temporary file (in TMPDIR).
///
/// In text a row may have named cells behind its label, as in
/// `1 qid:7 phase:20 3:1 12:-1`; options that take a COLUMN name them.
#[derive(Parser)]
#[command(
    override_usage = "discern fit --sparse <FILE> [OPTIONS]",
    after_long_help = "\
Examples:
  discern fit --sparse rows.svm --ridge 2 --output model.sparse --output weights.csv
      weights with errors and counts, for `discern predict` and for a spreadsheet
  discern fit --sparse rows.svm.zst --group qid --phase discs
      one constant per phase, and metrics of games held out
  discern fit --sparse rows.parquet --label won --of games --indices patterns
      rows that count wins out of games; lists of indices in a column `patterns`"
)]
pub struct Args {
    /// LIBSVM text or Parquet with a list column, plain or zstd
    file: PathBuf,
    /// Column of results: win, draw, loss; W, D, L; 1, 0.5, 0; 1, 0, -1; or wins with --of
    #[arg(long, value_name = "COLUMN", default_value = "label")]
    label: String,
    /// Column of trials: the label then counts successes out of them
    #[arg(long, value_name = "COLUMN")]
    of: Option<String>,
    /// Column of a known part of the log-odds, to which the weights add
    #[arg(long, value_name = "COLUMN")]
    offset: Option<String>,
    /// Column of the phase, a whole number: each has a constant of its own
    #[arg(long, value_name = "COLUMN")]
    phase: Option<String>,
    /// Penalty on the difference of the constants of neighbouring phases
    #[arg(long, value_name = "PENALTY", default_value_t = 0.0, value_parser = not_negative, requires = "phase")]
    smooth: f64,
    /// No constant: games in which both sides have equal chances
    #[arg(long, conflicts_with = "phase")]
    no_intercept: bool,
    #[command(flatten)]
    rows: RowArgs,
    /// Column of the lists of indices, in Parquet
    #[arg(long, value_name = "COLUMN", default_value = "indices")]
    indices: String,
    /// Column of the lists of values, in Parquet [default: `values` if it is there, else all are 1]
    #[arg(long, value_name = "COLUMN")]
    values: Option<String>,
    /// Indices count from 0, not from 1
    #[arg(long)]
    zero_based: bool,
    /// Number of weights; an index beyond is an error [default: as many as rows name]
    #[arg(long, value_name = "N")]
    weights: Option<usize>,
    /// Trials n behind each row: y is n−1 won, n/2 drawn, 1 lost; 1 for plain labels
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = trials_of)]
    trials: u32,
    /// Penalty T of T/2 · Σ weight², beside the sum of the log losses
    #[arg(long, value_name = "T", default_value_t = 1.0, value_parser = not_negative)]
    ridge: f64,
    /// The fit ends when no weight is further from its best value, given the
    /// others, than this many of its standard errors. 5 is mostly reached by
    /// the stochastic steps of the start alone and is plenty for play; the
    /// default leaves seven digits of the weights and takes many more passes
    #[arg(long, value_name = "ERRORS", default_value_t = 1e-8, value_parser = within(1e-15..=1e9))]
    tolerance: f64,
    /// Write the model to this file, for `discern predict`, or as CSV (index,
    /// weight, error, count) if its name ends in .csv; may be given twice
    #[arg(short, long = "output", value_name = "FILE")]
    outputs: Vec<PathBuf>,
    /// Overwrite existing output
    #[arg(long)]
    force: bool,
    /// Print one JSON object instead of the summary
    #[arg(long)]
    json: bool,
    /// Use at most about this much memory, and a temporary file for rows beyond
    /// [default: half of the free memory]
    #[arg(long, value_name = "MB")]
    memory: Option<usize>,
}

/// Runs the command.
pub fn run(args: Args) -> Result<()> {
    for path in &args.outputs {
        check_free(path, args.force)?;
    }
    let settings = args.settings();
    let columns = args.columns();
    let mut live = Live::new(ProgressBar::new(1000), "{prefix} {bar:40} {msg}");
    let (since, mut watch) = (Instant::now(), SparseWatch::default());
    let seconds = || since.elapsed().as_secs_f64();
    let memory = args.memory.map_or_else(default_memory, |megabytes| megabytes << 20);
    let limits = SparseLimits { weights: args.weights, memory, fit: settings.model.memory() };
    let data = SparseData::read(&args.file, &columns, limits, |share| {
        live.show(SparseWatch::reading(seconds(), share));
    })?;
    let facts = data.facts();
    check_folds(settings.folds, facts.rows, facts.groups)?;
    let report = SparseReport::fit(&settings, data.examples(), &mut |work| {
        live.show(watch.fitting(seconds(), &work));
    });
    live.finish_and_clear();
    let report = report.at(&args.file)?;
    show(args.json, &SparseLine::new(&report), |out| {
        print_sparse(out, &settings, facts, columns.first_index() as usize, &report)
    })?;
    for sentence in &report.doubts {
        eprintln!("discern: {sentence}");
    }
    let model = SparseModel::of(&args.file, columns, &settings, report.fit);
    for path in &args.outputs {
        model.save(path, args.force).at(path)?;
    }
    Ok(())
}

impl Args {
    fn columns(&self) -> SparseColumns {
        SparseColumns {
            label: self.label.clone(),
            trials: self.of.clone(),
            weight: self.rows.weight.clone(),
            offset: self.offset.clone(),
            phase: self.phase.clone(),
            group: self.rows.group.clone(),
            indices: self.indices.clone(),
            values: self.values.clone(),
            zero_based: self.zero_based,
        }
    }

    fn settings(&self) -> SparseSettings {
        let model = SparseLogistic {
            trials: self.trials.into(),
            prior: WeightPrior::ridge(self.ridge),
            intercepts: match (&self.phase, self.no_intercept) {
                (Some(_), _) => Intercepts::PerPhase { smoothing: self.smooth },
                (None, true) => Intercepts::None,
                (None, false) => Intercepts::One,
            },
            tolerance: self.tolerance,
            threads: self.rows.threads.unwrap_or_default(),
            ..SparseLogistic::default()
        };
        SparseSettings { model, folds: self.rows.folds() }
    }
}
