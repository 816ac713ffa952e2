//! `discern calibrate`: what the odds of the direct model mean.

use std::io::Write;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use clap::Args as ClapArgs;
use discern_eval::{DirectModel, Weights};
use discern_learn::load_positions;
use discern_report::print_calibration;
use discern_train::{calibrate, with_odds};
use serde_json::json;

use super::jobs::cores;
use super::whole_file::check_free;
use crate::progress::bar;

/// Measure what the odds of the direct model mean.
///
/// Deeper searches differ from it by some spread: with that, the selective
/// search knows what it may cut off. And its odds are worth some discs: with
/// that, it guides the endgame solver. With --odds, the odds themselves are set
/// by the outcomes of other positions. All of it is stored in the weight file,
/// phase by phase.
#[derive(ClapArgs)]
#[command(after_help = "Examples:
  discern calibrate new.weights --positions all.positions --output better.weights
  discern calibrate new.weights --positions all.positions --odds calm.positions \\
      --output better.weights")]
pub struct Args {
    /// Weight file
    weights: PathBuf,
    /// Classified positions to measure on
    #[arg(long, value_name = "FILE")]
    positions: PathBuf,
    /// Classified positions whose outcomes set the odds: of games without random moves that have
    /// not taught the model
    #[arg(long, value_name = "FILE")]
    odds: Option<PathBuf>,
    /// Weight file to write
    #[arg(long, value_name = "FILE")]
    output: PathBuf,
    /// Overwrite the weight file
    #[arg(long)]
    force: bool,
    /// Positions of each disc count
    #[arg(long, value_name = "N", default_value_t = 300,
          value_parser = clap::value_parser!(u32).range(1..=100_000))]
    sample: u32,
    /// Searches at a time; all cores if left out
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=256))]
    threads: Option<u16>,
    /// Print one JSON object per phase
    #[arg(long)]
    json: bool,
}

pub fn run(args: Args) -> Result<()> {
    check_free(&args.output, args.force)?;
    let weights = Weights::load(&args.weights)
        .with_context(|| format!("while reading {}", args.weights.display()))?;
    let read = |path: &Path| {
        load_positions(path).with_context(|| format!("while reading {}", path.display()))
    };
    let positions = read(&args.positions)?;
    let threads = args.threads.map_or_else(|| cores(1), usize::from);
    let weights = match &args.odds {
        Some(path) => with_odds(&weights, &read(path)?, threads)?,
        None => weights,
    };
    let bar = bar(0, "searches");
    let measured = calibrate(&weights, &positions, args.sample as usize, threads, &|done, of| {
        bar.set_length(of as u64);
        bar.set_position(done as u64);
    })?;
    bar.finish_and_clear();
    measured
        .save(&args.output)
        .with_context(|| format!("while writing {}", args.output.display()))?;
    let model = measured.model("direct")?.get::<DirectModel>().expect("it was just calibrated");
    let mut out = std::io::stdout().lock();
    if !args.json {
        return Ok(print_calibration(&mut out, model)?);
    }
    for (discs, phase) in model.phases.iter() {
        let object = json!({
            "phase": discs, "intercept": phase.intercept, "scale": phase.scale,
            "spread": phase.spread, "half_score": phase.half_score,
        });
        writeln!(out, "{object}")?;
    }
    Ok(())
}
