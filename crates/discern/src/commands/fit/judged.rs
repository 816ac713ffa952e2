use std::path::PathBuf;
use std::time::Instant;

use anyhow::{Result, ensure};
use clap::Args as ClapArgs;
use discern_eval::Features;
use discern_learn::{DirectSettings, Hindsight, Judgements, StageDone, fit_judged, load_positions};
use discern_players::{command_line, weights_of};
use discern_records::archive::ArchiveReader;
use discern_report::{duration, stage_text};
use discern_stats::Threads;

use crate::place::{At, check_free};
use crate::values::within;

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
    /// Learn only what configurations are worth to their owner, not what they
    /// are worth to whoever is to move
    #[arg(long)]
    no_tempo: bool,
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
        for record in ArchiveReader::open(path).reading(path)? {
            found.add(&record.reading(path)?, &hindsight);
        }
    }
    if let Some(path) = &args.endings {
        found.add_endings(&load_positions(path).reading(path)?);
    }
    let positions = found.finish();
    ensure!(!positions.is_empty(), "no position of these games has an evaluation");
    let settings = DirectSettings {
        tempo: !args.no_tempo,
        ridge: args.ridge,
        margin: args.margin,
        tolerance: args.tolerance,
        threads: args.threads.map_or_else(Threads::default, Threads::new),
        ..DirectSettings::default()
    };
    let into = weights_of(args.into.as_deref())?;
    let began = Instant::now();
    eprintln!("{} positions read in {}", positions.len(), duration(start.elapsed().as_secs_f64()));
    let watch = |stage: StageDone| {
        let seconds = began.elapsed().as_secs_f64();
        eprintln!("{}", stage_text(&stage, settings.stages.count(), seconds));
    };
    let command = command_line();
    let fitted = fit_judged(&positions, &args.features, &settings, &command, &into, &watch)?;
    fitted.save(&args.output).writing(&args.output)?;
    let seconds = start.elapsed().as_secs_f64();
    eprintln!("{} positions fitted in {seconds:.1} s", positions.len());
    Ok(())
}
