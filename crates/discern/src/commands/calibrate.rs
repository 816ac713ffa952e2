use std::path::{Path, PathBuf};
use std::time::Instant;

use anyhow::Result;
use clap::Args as ClapArgs;
use discern_eval::{DirectModel, Weights};
use discern_learn::load_positions;
use discern_players::cores;
use discern_report::{calibrated_phases, print_calibration, score_stage_text};
use discern_train::{ScoreSample, ScoreSettings, calibrate, with_odds, with_scores};

use crate::output::show_all;
use crate::place::{At, check_free};
use crate::progress::bar;

/// Measure what the direct model's odds mean; teach it scores.
///
/// Deeper searches differ from it by some spread: with that, the selective
/// search knows what it may cut off. And its odds are worth some discs. With
/// --odds, the odds themselves are set by the outcomes of other positions. With
/// --scores, the model learns expected scores of its own, which guide the
/// endgame solver. All of it is stored in the weight file, phase by phase.
#[derive(ClapArgs)]
#[command(after_help = "Examples:
  discern calibrate new.weights --positions all.positions --output better.weights
  discern calibrate new.weights --positions all.positions --odds calm.positions \\
      --output better.weights
  discern calibrate new.weights --scores judged.games --output better.weights")]
pub struct Args {
    /// Weight file
    weights: PathBuf,
    /// Classified positions to measure spread and discs on
    #[arg(long, value_name = "FILE", required_unless_present = "scores")]
    positions: Option<PathBuf>,
    /// Classified positions whose outcomes set the odds: of games without random moves that have
    /// not taught the model
    #[arg(long, value_name = "FILE")]
    odds: Option<PathBuf>,
    /// Games from whose positions expected scores are learned, backwards from solved endings
    #[arg(long, value_name = "FILE")]
    scores: Option<PathBuf>,
    /// Boards of each disc count for --scores
    #[arg(long, value_name = "N", default_value_t = 100_000, requires = "scores",
          value_parser = clap::value_parser!(u32).range(100..=10_000_000))]
    boards: u32,
    /// Weight file to write
    #[arg(long, value_name = "FILE")]
    output: PathBuf,
    /// Overwrite the weight file
    #[arg(long)]
    force: bool,
    /// Positions of each disc count for --positions
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
    let mut weights = Weights::load(&args.weights).reading(&args.weights)?;
    let read = |path: &Path| load_positions(path).reading(path);
    let positions = args.positions.as_deref().map(read).transpose()?;
    let threads = args.threads.map_or_else(cores, usize::from);
    if let Some(path) = &args.odds {
        weights = with_odds(&weights, &read(path)?, threads)?;
    }
    if let Some(path) = &args.scores {
        weights = learn_scores(&weights, path, args.boards, threads)?;
    }
    if let Some(positions) = positions {
        let bar = bar(0, "searches");
        let sample = args.sample as usize;
        weights = calibrate(&weights, &positions, sample, threads, &|done, of| {
            bar.set_length(of as u64);
            bar.set_position(done as u64);
        })?;
        bar.finish_and_clear();
    }
    weights.save(&args.output).writing(&args.output)?;
    let model = weights.model("direct")?.get::<DirectModel>().expect("it was just calibrated");
    let phases = calibrated_phases(model);
    show_all(args.json, &phases, |out| print_calibration(out, &phases))
}

/// Teaches the model scores by boards of these games.
fn learn_scores(weights: &Weights, path: &Path, boards: u32, threads: usize) -> Result<Weights> {
    let sample = ScoreSample::read(path, boards.into(), SEED).reading(path)?;
    let settings = ScoreSettings { threads, ..ScoreSettings::default() };
    let began = Instant::now();
    Ok(with_scores(weights, &sample, &settings, &mut |step| {
        eprintln!("{}", score_stage_text(&step, began.elapsed().as_secs_f64()));
    })?)
}

/// Draws the boards of --scores.
const SEED: u64 = 1;
