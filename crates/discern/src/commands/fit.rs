mod judged;
mod partial;
mod positions;
mod row_args;
mod sparse;

use std::path::PathBuf;

use anyhow::{Context, Result};
use clap::error::ErrorKind as Usage;
use clap::{Parser, Subcommand};
use discern_files::printable;
use discern_fit::{
    Columns, FitReport, ModelFile, ModelKind, Settings, TableData, check_folds, default_memory,
    trials_of,
};
use discern_report::{fit_plots, print_fit};
use discern_stats::{ErrorKind, Pooling, Prior};
use indicatif::ProgressBar;

use crate::output::show_all;
use crate::place::{At, check_free};
use crate::progress::styled;
use crate::values::{not_negative, one_of, within};
pub use positions::SettingArgs;
use row_args::RowArgs;

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
    #[command(flatten)]
    rows: RowArgs,
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
    #[arg(long, value_name = "N", default_value_t = 100, value_parser = trials_of)]
    trials: u32,
    /// Ridge penalty of LOG on squared standardised coefficients
    #[arg(long, value_name = "PENALTY", default_value_t = 0.0, value_parser = not_negative)]
    ridge: f64,
    /// Take LOG's Newton steps exactly as the paper prints them, over all rows: slower, the
    /// same estimates
    #[arg(long)]
    plain_newton: bool,
    /// A priori probabilities of FISHER and QUAD
    #[arg(long, value_parser = one_of(Prior::WORDS), default_value = "equal")]
    prior: Prior,
    /// Standard errors to print: clustered if there are groups, else corrected
    #[arg(long, value_parser = one_of(ErrorKind::WORDS))]
    errors: Option<ErrorKind>,
    /// Level of confidence intervals
    #[arg(long, value_name = "LEVEL", default_value_t = 0.95, value_parser = within(0.001..=0.999_999))]
    confidence: f64,
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

/// Runs the command.
pub fn run(mut args: Args) -> Result<()> {
    match args.source.take() {
        Some(Source::Positions(args)) => return positions::run(args),
        Some(Source::Sparse(args)) => return sparse::run(args),
        Some(Source::Games(args)) => return judged::run(args),
        Some(Source::Partial(args)) => return partial::run(args),
        None => {}
    }
    let columns = args.columns();
    let settings = settings(&args, &columns).unwrap_or_else(|wrong| wrong.exit());
    if let Some(output) = &args.output {
        check_free(output, args.force)?;
    }
    let data = read(&args, &columns)?;
    let facts = data.facts();
    check_folds(settings.folds, facts.rows, facts.groups)?;
    let report = FitReport::fit(&settings, data.examples())?;
    if let Some(output) = &args.output {
        let file = ModelFile::of(&columns, &settings, facts, &report);
        discern_files::write(output, file.text().as_bytes(), args.force).at(output)?;
    }
    if let Some(directory) = &args.plots {
        std::fs::create_dir_all(directory)
            .with_context(|| format!("{}: cannot be made", directory.display()))?;
        for (name, chart) in fit_plots(&settings, &data, &report)? {
            let path = directory.join(format!("{name}.svg"));
            discern_files::write(&path, chart.svg().as_bytes(), args.force).at(&path)?;
        }
    }
    show_all(args.json, report.lines(), |out| print_fit(out, &settings, facts, &report))?;
    for sentence in report.failures().chain(report.warnings()) {
        eprintln!("discern: {}", printable(&sentence));
    }
    Ok(())
}

impl Args {
    fn columns(&self) -> Columns {
        Columns {
            label: self.label.clone(),
            trials: self.of.clone(),
            score: self.score.clone(),
            weight: self.rows.weight.clone(),
            phase: self.phase.clone(),
            group: self.rows.group.clone(),
            features: self.features.clone(),
            exclude: self.exclude.clone(),
        }
    }
}

/// Reads the table, with a bar on a terminal.
fn read(args: &Args, columns: &Columns) -> Result<TableData> {
    let table = args.table.as_deref().expect("required without --positions");
    let memory = args.memory.map_or_else(default_memory, |megabytes| megabytes << 20);
    let bar = styled(ProgressBar::new(1000), "reading {bar:40} {percent} %, {eta} left");
    let data = TableData::read(table, columns, memory, |share| {
        bar.set_position((share * 1000.0) as u64);
    });
    bar.finish_and_clear();
    Ok(data?)
}

fn settings(args: &Args, columns: &Columns) -> Result<Settings, clap::Error> {
    let models = columns.models(&args.models);
    let missing = |what: &str| clap::Error::raw(Usage::MissingRequiredArgument, what);
    if args.label.is_none() && models.iter().any(|model| *model != ModelKind::Ols) {
        return Err(missing("--label is needed for these models: the column of results\n"));
    }
    if args.score.is_none() && models.contains(&ModelKind::Ols) {
        return Err(missing("--score is needed for ols: the column of the numeric result\n"));
    }
    if args.errors == Some(ErrorKind::Clustered) && args.rows.group.is_none() {
        return Err(missing("--errors clustered needs --group: the column of the game\n"));
    }
    Ok(Settings {
        models,
        pooling: args.phase.as_ref().map(|_| Pooling(args.window)),
        trials: args.trials.into(),
        ridge: args.ridge,
        plain_newton: args.plain_newton,
        prior: args.prior,
        errors: args.errors,
        confidence: args.confidence,
        folds: args.rows.folds(),
        diagnostics: args.diagnostics,
        threads: args.rows.threads.unwrap_or_default(),
    })
}
