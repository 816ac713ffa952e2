use std::io::Write;
use std::path::PathBuf;

use anyhow::{Context, Result, bail};
use clap::Args as ClapArgs;
use discern_arena::openings::{Opening, Selection};
use discern_records::{NewFile, WriteError};
use discern_search::StopFlag;
use indicatif::{ProgressBar, ProgressStyle};

use crate::engine_args::EngineArgs;

/// Find nearly even openings to begin tournament games with.
///
/// By default as in the paper: 100 positions with 14 discs, different up to
/// symmetry and after seven moves, whose value at 11 plies lies within ±0.4
/// logits. The same seed gives the same openings for any number of threads.
#[derive(ClapArgs)]
#[command(after_help = "Examples:
  discern openings -o even.txt
  discern openings --count 20 --depth 6 --seed 7
  discern tournament --openings even.txt --player name=a --player name=b,model=material --depth 4")]
pub struct Args {
    #[command(flatten)]
    engine: EngineArgs,
    /// How many
    #[arg(long, value_name = "N", default_value_t = 100, value_parser = clap::value_parser!(u32).range(1..=100_000))]
    count: u32,
    /// Discs of the positions
    #[arg(long, value_name = "N", default_value_t = 14, value_parser = clap::value_parser!(u32).range(5..=24))]
    discs: u32,
    /// Largest value for either side, in logits
    #[arg(long, value_name = "LOGITS", default_value_t = 0.4)]
    bound: f64,
    /// Depth of the value in plies
    #[arg(long, value_name = "N", default_value_t = 11, value_parser = clap::value_parser!(u32).range(1..=30))]
    depth: u32,
    /// Chooses among all possible sets
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
    /// File to write, one transcript a line [default: standard output]
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
    /// Replace the file if it exists
    #[arg(long, requires = "output")]
    force: bool,
}

pub fn run(args: Args) -> Result<()> {
    if args.bound.is_nan() || args.bound < 0.0 {
        bail!("--bound is a number of logits from 0 on");
    }
    let selection = Selection {
        count: args.count as usize,
        plies: args.discs as usize - 4,
        bound: args.bound,
        depth: args.depth,
        seed: args.seed,
        ..Selection::default()
    };
    let file = match &args.output {
        Some(path) => Some(
            NewFile::create(path, args.force)
                .map_err(|error| match error {
                    WriteError::Exists => anyhow::anyhow!("the file exists; --force replaces it"),
                    error => error.into(),
                })
                .with_context(|| path.display().to_string())?,
        ),
        None => None,
    };
    // Positions are searched side by side, each by one thread: that is the
    // same for any number of threads.
    let alone = EngineArgs { threads: 1, ..args.engine.clone() };
    let mut engines =
        (0..args.engine.threads).map(|_| alone.engine()).collect::<Result<Vec<_>>>()?;
    let style = ProgressStyle::with_template("{bar:40} {pos}/{len} openings, {eta} left")
        .expect("a valid template");
    let bar = ProgressBar::new(u64::from(args.count)).with_style(style);
    let told = |found: usize| bar.set_position(found as u64);
    let openings = selection.find(&[], &mut engines, &StopFlag::new(), told);
    bar.finish_and_clear();
    if openings.len() < selection.count {
        bail!("only {} such openings were found", openings.len());
    }
    let text = text(&args, &selection, args.engine.weights_fingerprint()?, &openings);
    match file {
        Some(file) => {
            file.file()?.write_all(text.as_bytes())?;
            file.finish()?;
        }
        None => std::io::stdout().write_all(text.as_bytes())?,
    }
    Ok(())
}

/// A manifest as comments, and a transcript with its value per line.
fn text(
    args: &Args,
    selection: &Selection,
    weights: Option<String>,
    openings: &[Opening],
) -> String {
    let Selection { count, plies, apart_after, bound, depth, seed } = selection;
    let mut text = format!(
        "% {count} openings with {} discs, |value| <= {bound} logits at {depth} plies for the side to move,\n\
         % different up to symmetry, no two alike after {apart_after} moves\n\
         % made by discern {} openings --model {} --count {count} --discs {} --bound {bound} --depth {depth} --seed {seed}\n",
        plies + 4,
        env!("CARGO_PKG_VERSION"),
        args.engine.model(),
        args.discs,
    );
    if let Some(weights) = weights {
        text.push_str(&format!("% weights {weights}\n"));
    }
    for Opening { game, value } in openings {
        text.push_str(&format!("{game} % {value}\n"));
    }
    text
}
