//! `discern fit --sparse`: weights of any number of indices from sparse rows.

use std::io::{IsTerminal, Write};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};
use clap::Parser;
use discern_fit::{
    Forecast, SparseColumns, SparseData, SparseLimits, SparseLine, SparseModel, SparseReport,
    SparseSettings, SparseSource, SparseWork, default_memory,
};
use discern_report::{duration, print_sparse};
use discern_stats::sparse::{Intercepts, SparseLogistic, WeightPrior};
use discern_stats::{Threads, Trials};
use indicatif::ProgressBar;

use super::{folds, trials};
use crate::commands::whole_file::{self, WholeFile, check_free};
use crate::numbers::{not_negative, within};
use crate::progress::styled;

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
    /// Column that says how often a row counts
    #[arg(long, value_name = "COLUMN")]
    weight: Option<String>,
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
    /// Column of the game or other group whose rows are not independent
    #[arg(long, value_name = "COLUMN")]
    group: Option<String>,
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
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = trials)]
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
    /// Folds of cross-validation by group; 0 for none [default: 5 with --group, else 0]
    #[arg(long, value_name = "K", value_parser = folds)]
    folds: Option<u32>,
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
    /// Threads; the result does not depend on it [default: all processors]
    #[arg(long, value_name = "N")]
    threads: Option<Threads>,
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
    let settings = settings(&args);
    let columns = SparseColumns {
        label: args.label.clone(),
        trials: args.of.clone(),
        weight: args.weight.clone(),
        offset: args.offset.clone(),
        phase: args.phase.clone(),
        group: args.group.clone(),
        indices: args.indices.clone(),
        values: args.values.clone(),
        zero_based: args.zero_based,
    };
    let mut progress = Progress::new();
    let memory = args.memory.map_or_else(default_memory, |megabytes| megabytes << 20);
    let limits = SparseLimits { weights: args.weights, memory, fit: settings.model.memory() };
    let data = SparseData::read(&args.file, &columns, limits, |share| progress.reading(share))?;
    let (dealt, most) = match data.facts().groups {
        Some(groups) => ("groups", groups as u64),
        None => ("rows", data.facts().rows),
    };
    if u64::from(settings.folds) > most {
        bail!("{} folds of {most} {dealt}: give at most that many", settings.folds);
    }
    let report = SparseReport::fit(&settings, data.examples(), &mut |work| progress.fitting(&work));
    progress.finish();
    let report = report.with_context(|| args.file.display().to_string())?;
    let mut out = std::io::stdout().lock();
    if args.json {
        serde_json::to_writer(&mut out, &SparseLine::new(&report))?;
        writeln!(out)?;
    } else {
        print_sparse(&mut out, &settings, data.facts(), columns.first_index() as usize, &report)?;
    }
    for sentence in &report.doubts {
        eprintln!("discern: {sentence}");
    }
    if !args.outputs.is_empty() {
        write(&args, model(&args, columns, report))?;
    }
    Ok(())
}

fn settings(args: &Args) -> SparseSettings {
    let model = SparseLogistic {
        trials: if args.trials == 1 { Trials::One } else { Trials::Each(args.trials.into()) },
        prior: WeightPrior::ridge(args.ridge),
        intercepts: match (&args.phase, args.no_intercept) {
            (Some(_), _) => Intercepts::PerPhase { smoothing: args.smooth },
            (None, true) => Intercepts::None,
            (None, false) => Intercepts::One,
        },
        tolerance: args.tolerance,
        threads: args.threads.unwrap_or_default(),
        ..SparseLogistic::default()
    };
    SparseSettings { model, folds: args.folds.unwrap_or(if args.group.is_some() { 5 } else { 0 }) }
}

fn model(args: &Args, columns: SparseColumns, report: SparseReport) -> SparseModel {
    let fit = report.fit;
    let source = SparseSource {
        file: args.file.display().to_string(),
        columns,
        rows: fit.rows,
        trials: args.trials.into(),
        ridge: args.ridge,
        stop: fit.stop.word().to_string(),
        errors: fit.error_kind.word().to_string(),
        log_likelihood: fit.log_likelihood,
        discern: env!("CARGO_PKG_VERSION").to_string(),
    };
    SparseModel::new(source, fit)
}

fn write(args: &Args, model: SparseModel) -> Result<()> {
    let failed = |path: &Path| format!("{}: cannot be written", path.display());
    for path in &args.outputs {
        if path.extension().is_some_and(|end| end.eq_ignore_ascii_case("csv")) {
            let mut file = WholeFile::create(path, args.force)?;
            model.write_csv(&mut file).with_context(|| failed(path))?;
            file.finish()?;
        } else {
            let bytes = model.to_bytes().with_context(|| failed(path))?;
            whole_file::write(path, &bytes, args.force)?;
        }
    }
    Ok(())
}

/// What is being done, on a terminal as a bar with the time left, elsewhere as
/// a line now and then.
struct Progress {
    bar: Option<ProgressBar>,
    since: Instant,
    last_line: Instant,
    forecast: Forecast,
}

const LINE_EVERY: Duration = Duration::from_secs(30);

impl Progress {
    fn new() -> Self {
        let bar = std::io::stderr().is_terminal().then(|| {
            styled(ProgressBar::new(1000).with_prefix("reading"), "{prefix} {bar:40} {msg}")
        });
        let now = Instant::now();
        Self { bar, since: now, last_line: now, forecast: Forecast::default() }
    }

    fn reading(&mut self, share: f64) {
        let passed = self.since.elapsed().as_secs_f64();
        let left = (share > 0.0).then(|| passed * (1.0 - share) / share);
        self.show("reading", share, format!("{:.0} %", 100.0 * share), left);
    }

    fn fitting(&mut self, work: &SparseWork) {
        let passed = self.since.elapsed().as_secs_f64();
        let left = self.forecast.left(passed, work);
        let share = left.map_or(0.0, |left| passed / (passed + left));
        let what = match work.fit {
            0 => "fitting".to_string(),
            fold => format!("fold {fold} of {}", work.fits - 1),
        };
        let progress = &work.progress;
        let text = match progress.gradient {
            None => format!("pass {:.1} of the warm-up", progress.passes),
            Some(gradient) => format!(
                "pass {:.0}, gradient {gradient:.0e} of {:.0e}",
                progress.passes, work.tolerance
            ),
        };
        self.show(&what, share, text, left);
    }

    fn show(&mut self, what: &str, share: f64, text: String, left: Option<f64>) {
        let text = match left {
            Some(left) => format!("{text}, {} left", duration(left)),
            None => text,
        };
        if let Some(bar) = &self.bar {
            bar.set_prefix(what.to_string());
            bar.set_message(text);
            bar.set_position((share * 1000.0) as u64);
        } else if self.last_line.elapsed() >= LINE_EVERY {
            eprintln!("{what}: {text}");
            self.last_line = Instant::now();
        }
    }

    fn finish(&self) {
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
    }
}
