//! `discern calibrate`: what the odds of the direct model mean.

use std::io::Write;
use std::path::PathBuf;

use anyhow::{Context, Result};
use clap::Args as ClapArgs;
use discern_eval::{DirectModel, Weights};
use discern_learn::load_positions;
use discern_report::print_calibration;
use discern_train::calibrate;
use serde_json::json;

use super::jobs::cores;
use super::whole_file::check_free;
use crate::progress::bar;

/// Measure what the odds of the direct model mean.
///
/// Deeper searches differ from it by some spread: with that, the selective
/// search knows what it may cut off. And its odds are worth some discs: with
/// that, it guides the endgame solver. Both are stored in the weight file, phase
/// by phase.
#[derive(ClapArgs)]
#[command(after_help = "Examples:
  discern calibrate new.weights --positions all.positions --output better.weights")]
pub struct Args {
    /// Weight file
    weights: PathBuf,
    /// Classified positions to measure on
    #[arg(long, value_name = "FILE")]
    positions: PathBuf,
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
    let positions = load_positions(&args.positions)
        .with_context(|| format!("while reading {}", args.positions.display()))?;
    let bar = bar(0, "searches");
    let threads = args.threads.map_or_else(|| cores(1), usize::from);
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
        let (spread, half_score) = (phase.spread, phase.half_score);
        let object = json!({ "phase": discs, "spread": spread, "half_score": half_score });
        writeln!(out, "{object}")?;
    }
    Ok(())
}
