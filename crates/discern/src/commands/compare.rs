//! How good the models are on games they have not seen.

use std::ops::RangeInclusive;
use std::path::PathBuf;

use anyhow::{Context, Result, ensure};
use clap::Args as ClapArgs;
use discern_eval::Weights;
use discern_learn::{ModelQuality, PhaseQuality, Split, compare, fit, load_positions, quality};
use discern_stats::CalibrationBin;
use serde_json::{Value, json};

use super::fit::SettingArgs;

/// Compare LOG, FISHER and QUAD on held-out games
///
/// Without --weights the games are split: most of them make tables and
/// weights, the others test them, and positions that occur in both are left
/// out of the test. With --weights all positions given are the test.
#[derive(ClapArgs)]
#[command(after_help = "Examples:
  discern compare all.positions
  discern compare new.positions --weights old.weights --json")]
pub struct Args {
    /// Classified positions
    positions: PathBuf,
    /// Weights to test, made from other games
    #[arg(long, value_name = "FILE")]
    weights: Option<PathBuf>,
    /// Share of the games kept apart for the test
    #[arg(long, value_name = "SHARE", default_value_t = 0.2, value_parser = share,
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

fn share(text: &str) -> Result<f64, String> {
    match text.parse() {
        Ok(share) if (0.01..=0.9).contains(&share) => Ok(share),
        _ => Err("must be a share between 0.01 and 0.9".into()),
    }
}

pub fn run(args: Args) -> Result<()> {
    let positions = load_positions(&args.positions)
        .with_context(|| format!("while reading {}", args.positions.display()))?;
    let (weights, test) = match &args.weights {
        Some(path) => {
            let weights =
                Weights::load(path).with_context(|| format!("while reading {}", path.display()))?;
            eprintln!("testing {} on {} positions", path.display(), positions.len());
            (weights, positions)
        }
        None => {
            let split = Split::by_group(&positions, args.test, args.seed);
            eprintln!(
                "learning from {} positions, testing on {} (left out: {} of the test games' positions that occur in training, {} that groups of games share)",
                split.training.len(),
                split.test.len(),
                split.duplicates,
                split.shared
            );
            let fitted = fit(&split.training, &args.settings.settings(), "discern compare")
                .with_context(|| format!("while fitting {}", args.positions.display()))?;
            (fitted.weights, split.test)
        }
    };
    let ranges: Vec<RangeInclusive<usize>> = (4..=64)
        .step_by(usize::from(args.discs))
        .map(|first| first..=(first + usize::from(args.discs) - 1).min(64))
        .collect();
    let mut models = compare(&weights, &test, &ranges).models;
    if let Some(direct) = weights.direct() {
        models.push(quality("DIRECT", &direct, &test, &ranges));
    }
    ensure!(!models[0].phases.is_empty(), "no phase has both won and lost test positions");
    if args.json {
        models.iter().flat_map(objects).for_each(|object| println!("{object}"));
    } else {
        print_table(&models);
    }
    Ok(())
}

fn objects(model: &ModelQuality) -> Vec<Value> {
    let object = |phase: &PhaseQuality| {
        let measured = |m: &discern_stats::Measured| json!({ "value": m.value, "standard_error": m.standard_error });
        let calibration: Vec<Value> = phase
            .calibration
            .iter()
            .map(|bin| {
                json!({
                    "predicted": bin.predicted,
                    "observed": bin.observed,
                    "interval": [bin.interval.0, bin.interval.1],
                    "positions": bin.weight,
                })
            })
            .collect();
        json!({
            "model": model.name.to_lowercase(),
            "discs": [phase.discs.start(), phase.discs.end()],
            "positions": phase.metrics.rows,
            "discordance": phase.metrics.discordance.as_ref().map(|d| {
                json!({ "value": d.value, "standard_error": d.standard_error })
            }),
            "log_loss": measured(&phase.metrics.log_loss),
            "brier": measured(&phase.metrics.brier),
            "accuracy": measured(&phase.metrics.accuracy),
            "calibration": calibration,
            "agreement": {
                "positions": phase.agreement.positions,
                "mean": phase.agreement.mean,
                "root_mean_square": phase.agreement.root_mean_square,
            },
        })
    };
    model.phases.iter().map(object).collect()
}

fn print_table(models: &[ModelQuality]) {
    println!(
        "discs  positions  model   discordance      log loss         Brier   accuracy  worst bin, 95 %     off  d→d+1 mean, rms"
    );
    for row in 0..models[0].phases.len() {
        for (nth, model) in models.iter().enumerate() {
            let phase = &model.phases[row];
            let (first, last) = (phase.discs.start(), phase.discs.end());
            let left = match nth {
                0 => format!("{first:2}–{last:2} {:11.0}", phase.metrics.rows),
                _ => String::new(),
            };
            let (value, error) = phase
                .metrics
                .discordance
                .as_ref()
                .map_or((f64::NAN, f64::NAN), |d| (d.value, d.standard_error));
            let metrics = &phase.metrics;
            println!(
                "{left:17}  {:6}  {value:.4} ± {error:.4}  {:.4} ± {:.4}  {:.4}     {:5.1} %  {}  {:+.3}, {:.3}",
                model.name,
                metrics.log_loss.value,
                metrics.log_loss.standard_error,
                metrics.brier.value,
                100.0 * metrics.accuracy.value,
                calibration_cells(phase),
                phase.agreement.mean,
                phase.agreement.root_mean_square,
            );
        }
    }
    println!(
        "± one standard error by game; worst bin: predicted less observed share of wins in points, of the twentieths of the scale that hold 1 % of the positions, with the half width of its 95 % interval; off: how many of them miss the diagonal by more than that, one in 20 by chance"
    );
}

/// The worst bin and how many are off.
fn calibration_cells(phase: &PhaseQuality) -> String {
    let missed =
        |bin: &&CalibrationBin| bin.predicted < bin.interval.0 || bin.predicted > bin.interval.1;
    let (off, all) =
        (phase.large_bins(LARGE).filter(missed).count(), phase.large_bins(LARGE).count());
    let (distance, width) = phase.worst_bin(LARGE).map_or((0.0, 0.0), |bin| {
        (bin.predicted - bin.observed, (bin.interval.1 - bin.interval.0) / 2.0)
    });
    format!("{:+5.1} ± {:4.1}  {off:4} of {all:2}", 100.0 * distance, 100.0 * width)
}

/// Share of the positions from which on a bin counts.
const LARGE: f64 = 0.01;
