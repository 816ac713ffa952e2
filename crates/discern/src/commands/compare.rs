use std::path::PathBuf;

use anyhow::{Context, Result, ensure};
use clap::Args as ClapArgs;
use discern_learn::{Split, compare, disc_ranges, fit, load_positions};
use discern_players::evaluators_of;
use discern_report::{comparison_rows, print_comparison, split_text};

use super::fit::SettingArgs;
use crate::output::show_all;
use crate::place::At;
use crate::values::within;

/// Compare models on held-out games
///
/// Without --weights the games are split: most of them make tables and
/// weights, the others test them, and positions that occur in both are left
/// out of the test. With --weights all positions given are the test.
#[derive(ClapArgs)]
#[command(after_help = "Examples:
  discern compare all.positions
  discern compare all.positions --models log,direct,rev
  discern compare new.positions --weights old.weights --weights new.weights --json")]
pub struct Args {
    /// Classified positions
    positions: PathBuf,
    /// Weights to test, made from other games; may be repeated
    #[arg(long, value_name = "FILE")]
    weights: Vec<PathBuf>,
    /// Share of the games kept apart for the test
    #[arg(long, value_name = "SHARE", default_value_t = 0.2, value_parser = within(0.01..=0.9),
          conflicts_with = "weights")]
    test: f64,
    /// Deals the games to training and test
    #[arg(long, default_value_t = 1, conflicts_with = "weights")]
    seed: u64,
    /// Disc counts in a row of the report
    #[arg(long, value_name = "N", default_value_t = 4,
          value_parser = clap::value_parser!(u8).range(1..=61))]
    discs: u8,
    #[command(flatten)]
    settings: SettingArgs,
    /// Print one JSON object per model and range of disc counts
    #[arg(long)]
    json: bool,
}

pub fn run(args: Args) -> Result<()> {
    let positions = load_positions(&args.positions).reading(&args.positions)?;
    let (models, test) = if args.weights.is_empty() {
        let split = Split::by_group(&positions, args.test, args.seed);
        eprintln!("{}", split_text(&split));
        let fitted = fit(&split.training, &args.settings.settings()?, "discern compare")
            .with_context(|| format!("while fitting {}", args.positions.display()))?;
        (fitted.weights.evaluators(args.settings.models())?, split.test)
    } else {
        let models = evaluators_of(&args.weights, args.settings.models())?;
        eprintln!("testing {} models on {} positions", models.len(), positions.len());
        (models, positions)
    };
    let models = compare(&models, &test, &disc_ranges(args.discs));
    ensure!(!models[0].phases.is_empty(), "no phase has both won and lost test positions");
    show_all(args.json, comparison_rows(&models), |out| print_comparison(out, &models))
}
