//! How good the models are on games they have not seen.

use std::io::Write;
use std::ops::RangeInclusive;
use std::path::PathBuf;

use anyhow::{Context, Result, ensure};
use clap::Args as ClapArgs;
use discern_eval::{AnyEvaluator, Weights, evaluator};
use discern_learn::{ModelQuality, PhaseQuality, Split, compare, fit, load_positions};
use discern_report::{Align, TextTable};
use discern_stats::CalibrationBin;
use serde_json::{Value, json};

use super::fit::SettingArgs;

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
        (candidates(&fitted.weights, args.settings.models())?, split.test)
    } else {
        let mut models = Vec::new();
        for path in &args.weights {
            let weights =
                Weights::load(path).with_context(|| format!("while reading {}", path.display()))?;
            let found = candidates(&weights, args.settings.models())
                .with_context(|| path.display().to_string())?;
            // Several files are told apart by their names.
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
    let ranges: Vec<RangeInclusive<usize>> = (4..=64)
        .step_by(usize::from(args.discs))
        .map(|first| first..=(first + usize::from(args.discs) - 1).min(64))
        .collect();
    let models = compare(&models, &test, &ranges);
    ensure!(!models[0].phases.is_empty(), "no phase has both won and lost test positions");
    let mut out = std::io::stdout().lock();
    if args.json {
        for object in models.iter().flat_map(objects) {
            writeln!(out, "{object}")?;
        }
    } else {
        print_table(&mut out, &models)?;
    }
    Ok(out.flush()?)
}

/// The models asked for, or all of the weights, by name.
fn candidates(weights: &Weights, names: &[String]) -> Result<Vec<(String, AnyEvaluator)>> {
    let all = || weights.models().iter().map(|model| model.name().to_owned()).collect();
    let names: Vec<String> = if names.is_empty() { all() } else { names.to_vec() };
    let candidate = |name: String| {
        let evaluator = evaluator(&name, Some(weights))?;
        Ok((name, evaluator))
    };
    names.into_iter().map(candidate).collect()
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
            "model": model.name,
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

fn print_table(out: &mut impl Write, models: &[ModelQuality]) -> Result<()> {
    let mut table = TextTable::new([
        ("discs", Align::Right),
        ("positions", Align::Right),
        ("model", Align::Left),
        ("discordance", Align::Right),
        ("log loss", Align::Right),
        ("Brier", Align::Right),
        ("accuracy", Align::Right),
        ("worst bin, 95 %", Align::Right),
        ("off", Align::Right),
        ("d→d+1 mean", Align::Right),
        ("rms", Align::Right),
    ]);
    let measured = |value: f64, error: f64| format!("{value:.4} ± {error:.4}");
    for row in 0..models[0].phases.len() {
        for (nth, model) in models.iter().enumerate() {
            let phase = &model.phases[row];
            let (metrics, log_loss) = (&phase.metrics, &phase.metrics.log_loss);
            let [discs, positions] = match nth {
                0 => [
                    format!("{}–{}", phase.discs.start(), phase.discs.end()),
                    format!("{:.0}", metrics.rows),
                ],
                _ => [String::new(), String::new()],
            };
            let [worst, off] = calibration_cells(phase);
            table.row([
                discs,
                positions,
                model.name.clone(),
                metrics
                    .discordance
                    .map_or("–".to_owned(), |d| measured(d.value, d.standard_error)),
                measured(log_loss.value, log_loss.standard_error),
                format!("{:.4}", metrics.brier.value),
                format!("{:.1} %", 100.0 * metrics.accuracy.value),
                worst,
                off,
                format!("{:+.3}", phase.agreement.mean),
                format!("{:.3}", phase.agreement.root_mean_square),
            ]);
        }
    }
    write!(out, "{table}")?;
    writeln!(
        out,
        "± one standard error by game; worst bin: predicted less observed share of wins in points, of the twentieths of the scale that hold 1 % of the positions, with the half width of its 95 % interval; off: how many of them miss the diagonal by more than that, one in 20 by chance"
    )?;
    Ok(())
}

/// The worst bin and how many are off.
fn calibration_cells(phase: &PhaseQuality) -> [String; 2] {
    let missed =
        |bin: &&CalibrationBin| bin.predicted < bin.interval.0 || bin.predicted > bin.interval.1;
    let (off, all) =
        (phase.large_bins(LARGE).filter(missed).count(), phase.large_bins(LARGE).count());
    let (distance, width) = phase.worst_bin(LARGE).map_or((0.0, 0.0), |bin| {
        (bin.predicted - bin.observed, (bin.interval.1 - bin.interval.0) / 2.0)
    });
    [format!("{:+.1} ± {:.1}", 100.0 * distance, 100.0 * width), format!("{off} of {all}")]
}

/// Share of the positions from which on a bin counts.
const LARGE: f64 = 0.01;
