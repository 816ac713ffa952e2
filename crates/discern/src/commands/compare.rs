//! How good the models are on games they have not seen.

use std::io::Write;
use std::path::PathBuf;

use anyhow::{Context, Result, ensure};
use clap::Args as ClapArgs;
use discern_learn::{Agreement, PhaseQuality, Split, compare, disc_ranges, fit, load_positions};
use discern_report::print_comparison;
use discern_stats::{CalibrationBin, Metrics};
use serde::Serialize;

use super::fit::SettingArgs;
use crate::engine_args::weights;
use crate::numbers::within;

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

/// A model in a range of disc counts, for programs.
#[derive(Serialize)]
struct Row<'a> {
    model: &'a str,
    discs: [usize; 2],
    positions: f64,
    #[serde(flatten)]
    metrics: &'a Metrics,
    calibration: &'a [CalibrationBin],
    agreement: &'a Agreement,
}

pub fn run(args: Args) -> Result<()> {
    let positions = load_positions(&args.positions)
        .with_context(|| format!("while reading {}", args.positions.display()))?;
    let (models, test) = if args.weights.is_empty() {
        let split = Split::by_group(&positions, args.test, args.seed);
        eprintln!(
            "learning from {} positions, testing on {} (left out: {} of the test games' positions that occur in training, {} that groups of games share)",
            split.training.len(),
            split.test.len(),
            split.duplicates,
            split.shared
        );
        let fitted = fit(&split.training, &args.settings.settings()?, "discern compare")
            .with_context(|| format!("while fitting {}", args.positions.display()))?;
        (fitted.weights.evaluators(args.settings.models())?, split.test)
    } else {
        let mut models = Vec::new();
        for path in &args.weights {
            let weights = weights(Some(path))?;
            let found = weights
                .evaluators(args.settings.models())
                .with_context(|| path.display().to_string())?;
            // Models of several files are named after their files.
            let file = path.file_stem().unwrap_or_default().to_string_lossy();
            let several = args.weights.len() > 1;
            models.extend(found.into_iter().map(|(name, evaluator)| match several {
                true => (format!("{file}:{name}"), evaluator),
                false => (name, evaluator),
            }));
        }
        eprintln!("testing {} models on {} positions", models.len(), positions.len());
        (models, positions)
    };
    let models = compare(&models, &test, &disc_ranges(args.discs));
    ensure!(!models[0].phases.is_empty(), "no phase has both won and lost test positions");
    let mut out = std::io::stdout().lock();
    if args.json {
        for model in &models {
            for PhaseQuality { discs, metrics, calibration, agreement } in &model.phases {
                let row = Row {
                    model: &model.name,
                    discs: [*discs.start(), *discs.end()],
                    positions: metrics.rows,
                    metrics,
                    calibration,
                    agreement,
                };
                writeln!(out, "{}", serde_json::to_string(&row)?)?;
            }
        }
    } else {
        print_comparison(&mut out, &models)?;
    }
    Ok(out.flush()?)
}
