//! `discern fit --games`: the direct model from games with evaluations.

use std::path::PathBuf;
use std::time::Instant;

use anyhow::{Context, Result, ensure};
use clap::Args as ClapArgs;
use discern_eval::Features;
use discern_learn::{DirectSettings, Hindsight, Judgements, StageDone, fit_judged, load_positions};
use discern_players::command_line;
use discern_records::archive::ArchiveReader;
use discern_report::duration;
use discern_stats::Threads;

use crate::commands::whole_file::check_free;
use crate::engine_args::weights;
use crate::numbers::within;

/// Fit the direct model to what searches thought of the positions of games
#[derive(ClapArgs)]
#[command(after_help = "Examples:
  discern generate plan new --player direct,depth=8 --player direct,depth=8 --evaluations
  discern generate run new && discern generate merge new -o new.games
  discern fit --games new.games --output new.weights")]
pub struct Args {
    /// Archives of games with evaluations (`discern generate plan --evaluations`)
    #[arg(required = true)]
    games: Vec<PathBuf>,
    /// Classified positions, of which those with at most 20 empty squares teach,
    /// too: their outcomes are proven
    #[arg(long, value_name = "FILE")]
    endings: Option<PathBuf>,
    /// Weight file to write
    #[arg(long, value_name = "FILE")]
    output: PathBuf,
    /// Overwrite the weight file
    #[arg(long)]
    force: bool,
    /// Weight file whose other models are kept [default: the shipped one]
    #[arg(long, value_name = "FILE")]
    into: Option<PathBuf>,
    /// What the model looks at
    #[arg(long, default_value = DirectSettings::FEATURES)]
    features: Features,
    /// How far what came later corrects what a search thought: 0 believes the
    /// search alone, 1 the outcome alone
    #[arg(long, value_name = "SHARE", default_value_t = Hindsight::default().share,
          value_parser = within(0.0_f32..=1.0))]
    hindsight: f32,
    /// No move was blind with this many empty squares or fewer (--stray-until of
    /// the games' plan)
    #[arg(long, value_name = "EMPTIES", default_value_t = Hindsight::default().blind_until)]
    blind_until: u32,
    /// Penalty of large weights
    #[arg(long, value_name = "T", default_value_t = DirectSettings::default().ridge)]
    ridge: f64,
    /// Disc counts beyond a stage whose positions it also sees
    #[arg(long, value_name = "N", default_value_t = DirectSettings::default().margin)]
    margin: usize,
    /// A stage ends when no weight is further from its best value, given the
    /// others, than this many of its standard errors
    #[arg(long, value_name = "ERRORS", default_value_t = DirectSettings::default().tolerance)]
    tolerance: f64,
    /// Threads; the result does not depend on it
    #[arg(long, value_name = "N")]
    threads: Option<usize>,
}

pub fn run(args: Args) -> Result<()> {
    check_free(&args.output, args.force)?;
    let hindsight =
        Hindsight { share: args.hindsight, blind_until: args.blind_until, ..Hindsight::default() };
    let start = Instant::now();
    let mut found = Judgements::default();
    for path in &args.games {
        let reading = || format!("while reading {}", path.display());
        for record in ArchiveReader::open(path).with_context(reading)? {
            found.add(&record.with_context(reading)?, &hindsight);
        }
    }
    if let Some(path) = &args.endings {
        let endings =
            load_positions(path).with_context(|| format!("while reading {}", path.display()))?;
        found.add_endings(&endings);
    }
    let positions = found.finish();
    ensure!(!positions.is_empty(), "no position of these games has an evaluation");
    let settings = DirectSettings {
        ridge: args.ridge,
        margin: args.margin,
        tolerance: args.tolerance,
        threads: args.threads.map_or_else(Threads::default, Threads::new),
        ..DirectSettings::default()
    };
    let into = weights(args.into.as_deref())?;
    let began = Instant::now();
    eprintln!("{} positions read in {}", positions.len(), duration(start.elapsed().as_secs_f64()));
    let watch = |stage: StageDone| {
        let seconds = began.elapsed().as_secs_f64();
        let left = seconds * (1.0 - stage.done) / stage.done;
        eprintln!(
            "stage {} of {}: {} positions, {:.1} passes; {} so far, about {} left",
            stage.stage + 1,
            settings.stages.count(),
            stage.positions,
            stage.passes,
            duration(seconds),
            duration(left)
        );
    };
    let command = command_line();
    let fitted = fit_judged(&positions, &args.features, &settings, &command, &into, &watch)?;
    fitted
        .save(&args.output)
        .with_context(|| format!("while writing {}", args.output.display()))?;
    let seconds = start.elapsed().as_secs_f64();
    eprintln!("{} positions fitted in {seconds:.1} s", positions.len());
    Ok(())
}
