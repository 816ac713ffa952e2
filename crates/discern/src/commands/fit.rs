//! `discern fit`: models from a table of features and results, or from
//! classified positions.

mod judged;
mod partial;
mod positions;
mod sparse;

use std::io::Write;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};
use clap::error::ErrorKind as Usage;
use clap::{Parser, Subcommand, ValueEnum};
use discern_files::printable;
use discern_fit::{
    Columns, FitReport, ModelFile, ModelKind, Settings, Source as ModelSource, TableData,
    default_memory,
};
use discern_report::{fit_plots, print_fit};
use discern_stats::{ErrorKind, Pooling, Prior, Threads, Trials};
use indicatif::ProgressBar;

use super::whole_file::{self, WholeFile, check_free};
use crate::numbers::{not_negative, within};
use crate::progress::styled;
pub use positions::SettingArgs;

/// Fit LOG, FISHER and QUAD to a table of features and results
///
/// The table is a CSV or Parquet file with named columns, also compressed with
/// zstd. The label column holds win, draw and loss (or W, D, L, or 1, 0.5, 0)
/// from the view of the side whose win is predicted; all columns without
/// another role are features.
///
/// With --sparse, fit a weight for each of many patterns to rows that list the
/// patterns they have. With --positions, make the weights of the engine from
/// classified positions, which bring their features, phases and games.
#[derive(Parser)]
#[command(
    args_conflicts_with_subcommands = true,
    subcommand_negates_reqs = true,
    disable_help_subcommand = true,
    subcommand_help_heading = "Or",
    override_usage = "discern fit <TABLE> --label <COLUMN> [OPTIONS]
       discern fit --sparse <FILE> [OPTIONS]
       discern fit --positions <FILE> --output <FILE> [OPTIONS]",
    after_long_help = "\
Examples:
  discern fit games.csv --label result
      one model of each kind for all rows
  discern fit games.csv --label result --phase discs --group game --output model.json
      one per phase, standard errors by game, held-out metrics, saved for `predict`
  discern fit duels.parquet --label wins --of games --models log
      rows that count wins out of games
  discern fit games.csv --score margin --models ols
      linear regression on the margin of victory
  discern fit --sparse rows.svm --output model.sparse
      weights of any number of patterns (more in `discern fit --sparse --help`)
  discern fit --positions all.positions --output new.weights
      the weights of the engine (more in `discern fit --positions --help`)"
)]
pub struct Args {
    #[command(subcommand)]
    source: Option<Source>,
    /// CSV or Parquet file, plain or zstd
    #[arg(required = true)]
    table: Option<PathBuf>,
    /// Column of results: win, draw, loss; W, D, L; 1, 0.5, 0; 1, 0, -1; or wins with --of
    #[arg(long, value_name = "COLUMN", required_unless_present = "score")]
    label: Option<String>,
    /// Column of trials: the label then counts successes out of them
    #[arg(long, value_name = "COLUMN", requires = "label")]
    of: Option<String>,
    /// Column of a numeric result, for the model ols
    #[arg(long, value_name = "COLUMN")]
    score: Option<String>,
    /// Column of the phase, a whole number: one fit per phase
    #[arg(long, value_name = "COLUMN")]
    phase: Option<String>,
    /// Column of the game or other group whose rows are not independent
    #[arg(long, value_name = "COLUMN")]
    group: Option<String>,
    /// Column that says how often a row counts
    #[arg(long, value_name = "COLUMN")]
    weight: Option<String>,
    /// Features, if not all remaining columns
    #[arg(long, value_name = "COLUMNS", value_delimiter = ',')]
    features: Vec<String>,
    /// Columns that are not features
    #[arg(long, value_name = "COLUMNS", value_delimiter = ',', conflicts_with = "features")]
    exclude: Vec<String>,
    /// Models to fit: log, fisher, quad, ols
    #[arg(long, value_name = "MODELS", value_delimiter = ',')]
    models: Vec<ModelKind>,
    /// Phases on either side that lend their rows to the fit of a phase
    #[arg(long, value_name = "N", default_value_t = 2)]
    window: u32,
    /// Trials n behind each row of LOG: y is n−1 won, n/2 drawn, 1 lost; 1 for plain labels
    #[arg(long, value_name = "N", default_value_t = 100, value_parser = trials)]
    trials: u32,
    /// Ridge penalty of LOG on squared standardised coefficients
    #[arg(long, value_name = "PENALTY", default_value_t = 0.0, value_parser = not_negative)]
    ridge: f64,
    /// Take LOG's Newton steps exactly as the paper prints them, over all rows: slower, the
    /// same estimates
    #[arg(long)]
    plain_newton: bool,
    /// A priori probabilities of FISHER and QUAD
    #[arg(long, value_enum, default_value_t = PriorChoice::Equal)]
    prior: PriorChoice,
    /// Standard errors to print: clustered if there are groups, else corrected
    #[arg(long, value_enum)]
    errors: Option<ErrorChoice>,
    /// Level of confidence intervals
    #[arg(long, value_name = "LEVEL", default_value_t = 0.95, value_parser = within(0.001..=0.999_999))]
    confidence: f64,
    /// Folds of cross-validation by group; 0 for none [default: 5 with --group, else 0]
    #[arg(long, value_name = "K", value_parser = folds)]
    folds: Option<u32>,
    /// Also compare the classes: covariances, shapes, variance inflation
    #[arg(long)]
    diagnostics: bool,
    /// Write the models to this file, for `discern predict`
    #[arg(long, value_name = "FILE")]
    output: Option<PathBuf>,
    /// Draw calibration and class densities as SVG into this directory
    #[arg(long, value_name = "DIR")]
    plots: Option<PathBuf>,
    /// Overwrite existing output
    #[arg(long)]
    force: bool,
    /// Print one JSON object per phase and model instead of the summary
    #[arg(long)]
    json: bool,
    /// Threads; the result does not depend on it [default: all processors]
    #[arg(long, value_name = "N")]
    threads: Option<Threads>,
    /// Hold at most this much of the table in memory, else read it for each pass
    /// [default: half of the free memory]
    #[arg(long, value_name = "MB")]
    memory: Option<usize>,
}

#[derive(Subcommand)]
enum Source {
    /// Make the weights of the engine from classified positions
    #[command(long_flag = "positions")]
    Positions(positions::Args),
    /// Fit weights of patterns to sparse rows, LIBSVM text or Parquet
    #[command(long_flag = "sparse")]
    Sparse(sparse::Args),
    /// Make the direct model of the engine from games with evaluations
    #[command(long_flag = "games")]
    Games(judged::Args),
    /// Sum up one table among many, for a fit of all of them
    #[command(long_flag = "partial")]
    Partial(partial::Args),
}

#[derive(Clone, Copy, ValueEnum)]
enum PriorChoice {
    /// P(W) = P(L) = 1/2
    Equal,
    /// Shares of the classes in the data
    Data,
}

impl From<PriorChoice> for Prior {
    fn from(choice: PriorChoice) -> Prior {
        match choice {
            PriorChoice::Equal => Prior::Equal,
            PriorChoice::Data => Prior::FromData,
        }
    }
}

#[derive(Clone, Copy, ValueEnum)]
enum ErrorChoice {
    /// Inverse information of the model as specified
    Information,
    /// The same with every row as one trial
    Corrected,
    /// Sandwich over rows
    Robust,
    /// Sandwich over groups
    Clustered,
}

/// Runs the command.
pub fn run(mut args: Args) -> Result<()> {
    match args.source.take() {
        Some(Source::Positions(args)) => return positions::run(args),
        Some(Source::Sparse(args)) => return sparse::run(args),
        Some(Source::Games(args)) => return judged::run(args),
        Some(Source::Partial(args)) => return partial::run(args),
        None => {}
    }
    let settings = settings(&args).unwrap_or_else(|wrong| wrong.exit());
    if let Some(output) = &args.output {
        check_free(output, args.force)?;
    }
    let table = args.table.as_deref().expect("required without --positions");
    let data = read(&args, table)?;
    let (dealt, most) = match data.facts().groups {
        Some(groups) => ("groups", groups as u64),
        None => ("rows", data.facts().rows),
    };
    if u64::from(settings.folds) > most {
        bail!("{} folds of {most} {dealt}: give at most that many", settings.folds);
    }
    let report = FitReport::fit(&settings, data.examples())?;
    if let Some(output) = &args.output {
        let mut file = WholeFile::create(output, args.force)?;
        model_file(&args, &settings, &data, &report)
            .write(&mut file)
            .with_context(|| format!("{}: cannot be written", output.display()))?;
        file.finish()?;
    }
    if let Some(directory) = &args.plots {
        std::fs::create_dir_all(directory)
            .with_context(|| format!("{}: cannot be made", directory.display()))?;
        for (name, chart) in fit_plots(&settings, &data, &report)? {
            let path = directory.join(format!("{name}.svg"));
            whole_file::write(&path, chart.svg().as_bytes(), args.force)?;
        }
    }
    let mut out = std::io::stdout().lock();
    if args.json {
        for line in report.lines() {
            serde_json::to_writer(&mut out, &line)?;
            writeln!(out)?;
        }
    } else {
        print_fit(&mut out, &settings, data.facts(), &report)?;
    }
    for sentence in report.failures().chain(report.warnings()) {
        eprintln!("discern: {}", printable(&sentence));
    }
    Ok(())
}

/// Reads the table, with a bar on a terminal.
fn read(args: &Args, table: &Path) -> Result<TableData> {
    let columns = Columns {
        label: args.label.clone(),
        trials: args.of.clone(),
        score: args.score.clone(),
        weight: args.weight.clone(),
        phase: args.phase.clone(),
        group: args.group.clone(),
        features: args.features.clone(),
        exclude: args.exclude.clone(),
    };
    let memory = args.memory.map_or_else(default_memory, |megabytes| megabytes << 20);
    let bar = styled(ProgressBar::new(1000), "reading {bar:40} {percent} %, {eta} left");
    let data = TableData::read(table, &columns, memory, |share| {
        bar.set_position((share * 1000.0) as u64);
    });
    bar.finish_and_clear();
    Ok(data?)
}

fn settings(args: &Args) -> Result<Settings, clap::Error> {
    let mut models = args.models.clone();
    if models.is_empty() {
        models = match (&args.label, &args.score) {
            (None, Some(_)) => vec![ModelKind::Ols],
            (Some(_), Some(_)) => ModelKind::ALL.to_vec(),
            _ => Settings::default().models,
        };
    }
    models.sort_unstable();
    models.dedup();
    let missing = |what: &str| clap::Error::raw(Usage::MissingRequiredArgument, what);
    if args.label.is_none() && models.iter().any(|model| *model != ModelKind::Ols) {
        return Err(missing("--label is needed for these models: the column of results\n"));
    }
    if args.score.is_none() && models.contains(&ModelKind::Ols) {
        return Err(missing("--score is needed for ols: the column of the numeric result\n"));
    }
    let errors = args.errors.map(|choice| match choice {
        ErrorChoice::Information => ErrorKind::Information,
        ErrorChoice::Corrected => ErrorKind::Corrected,
        ErrorChoice::Robust => ErrorKind::Robust,
        ErrorChoice::Clustered => ErrorKind::Clustered,
    });
    if errors == Some(ErrorKind::Clustered) && args.group.is_none() {
        return Err(missing("--errors clustered needs --group: the column of the game\n"));
    }
    Ok(Settings {
        models,
        pooling: args.phase.as_ref().map(|_| Pooling(args.window)),
        trials: if args.trials == 1 { Trials::One } else { Trials::Each(args.trials.into()) },
        ridge: args.ridge,
        plain_newton: args.plain_newton,
        prior: args.prior.into(),
        errors,
        confidence: args.confidence,
        folds: args.folds.unwrap_or(if args.group.is_some() { 5 } else { 0 }),
        diagnostics: args.diagnostics,
        threads: args.threads.unwrap_or_default(),
    })
}

fn model_file(args: &Args, settings: &Settings, data: &TableData, report: &FitReport) -> ModelFile {
    let facts = data.facts();
    let source = ModelSource {
        table: facts.table.clone(),
        label: args.label.clone(),
        rows: facts.rows as f64,
        trials: settings.trials.count(),
        window: args.window,
        discern: env!("CARGO_PKG_VERSION").to_string(),
    };
    ModelFile::new(facts.features.clone(), args.phase.clone(), source, report.entries())
}

fn number<T: std::str::FromStr>(
    text: &str,
    fits: impl Fn(&T) -> bool,
    what: &str,
) -> Result<T, String> {
    text.parse().ok().filter(fits).ok_or_else(|| what.to_string())
}

fn trials(text: &str) -> Result<u32, String> {
    number(text, |&n| n == 1 || n > 2, "give 1, or at least 3 so that n − 1 and 1 differ")
}

fn folds(text: &str) -> Result<u32, String> {
    number(text, |&folds| folds != 1, "give at least 2, or 0 for none")
}
