//! Models side by side on held-out positions.

use std::io::{Result, Write};

use discern_learn::{Agreement, ModelQuality, PhaseQuality, Split};
use discern_stats::{CalibrationBin, Metrics};
use serde::Serialize;

use crate::{Align, TextTable};

/// What is learned from and tested on, and what was left out.
pub fn split_text(split: &Split) -> String {
    let Split { training, test, duplicates, shared } = split;
    format!(
        "learning from {} positions, testing on {} (left out: {duplicates} of the test games' \
         positions that occur in training, {shared} that groups of games share)",
        training.len(),
        test.len()
    )
}

/// A model in a range of disc counts, for programs.
#[derive(Serialize)]
pub struct ComparisonRow<'a> {
    model: &'a str,
    discs: [usize; 2],
    positions: f64,
    #[serde(flatten)]
    metrics: &'a Metrics,
    calibration: &'a [CalibrationBin],
    agreement: &'a Agreement,
}

/// All models in all ranges.
pub fn comparison_rows(models: &[ModelQuality]) -> impl Iterator<Item = ComparisonRow<'_>> {
    let all = models.iter().flat_map(|model| model.phases.iter().map(move |phase| (model, phase)));
    all.map(|(model, phase)| ComparisonRow {
        model: &model.name,
        discs: [*phase.discs.start(), *phase.discs.end()],
        positions: phase.metrics.rows,
        metrics: &phase.metrics,
        calibration: &phase.calibration,
        agreement: &phase.agreement,
    })
}

/// Share of the positions from which on a bin counts.
const LARGE: f64 = 0.01;

/// Writes a row for each model and range of disc counts.
///
/// # Errors
/// If `out` fails.
pub fn print_comparison(out: &mut dyn Write, models: &[ModelQuality]) -> Result<()> {
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
    )
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
