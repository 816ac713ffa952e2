//! Calibration and class densities of a fit as charts.

use discern_fit::{FitReport, ModelKind, PhaseDensities, Settings, TableData, densities};
use discern_stats::{CalibrationBin, FitError, Metrics, PhaseRange};

use crate::chart::{Chart, Estimated};
use crate::figures::{calibration_chart, class_density_chart, winning_share_chart};
use crate::text::folds;

/// All plots of a fit, each with a name that a file can have.
///
/// # Errors
/// If the rows cannot be read again.
pub fn fit_plots(
    settings: &Settings,
    data: &TableData,
    report: &FitReport,
) -> Result<Vec<(String, Chart)>, FitError> {
    let mut plots = Vec::new();
    if !report.overall.is_empty() {
        let note = format!("held-out rows, {}", folds(settings, data.facts()));
        let curve = |(model, _, bins): &(ModelKind, Metrics, Vec<CalibrationBin>)| {
            (model.name().to_uppercase(), bins.clone())
        };
        let curves: Vec<_> = report.overall.iter().map(curve).collect();
        plots.push(("calibration".into(), calibration_chart("Calibration", &note, &curves)));
    }
    for phase in densities(settings, data, report)? {
        phase_plots(&mut plots, phase);
    }
    Ok(plots)
}

fn phase_plots(plots: &mut Vec<(String, Chart)>, phase: PhaseDensities) {
    let ending = phase.phase.map_or(String::new(), |phase| format!("-phase-{phase}"));
    let note = match (phase.phase, phase.range) {
        (None, _) => "all rows".to_string(),
        (Some(_), PhaseRange { first, last }) if first < last => {
            format!("phases {first} to {last}")
        }
        (Some(number), _) => format!("phase {number}"),
    };
    if let Some((histogram, curve)) = phase.value {
        let title = "Densities of the value and winning probability";
        let axis = "value f(x) of LOG [logits]";
        let chart = class_density_chart(title, &note, axis, &histogram, Some(curve));
        plots.push((format!("density-value{ending}"), chart));
    }
    for feature in phase.features {
        let (name, histogram) = (&feature.name, &feature.histogram);
        let file = file_name(name);
        let title = format!("Densities of {name}");
        let chart = class_density_chart(&title, &note, name, histogram, None);
        plots.push((format!("density-{file}{ending}"), chart));
        let shares = feature.shares.iter();
        let shares =
            shares.map(|s| Estimated { x: s.value, y: s.share, interval: s.interval }).collect();
        let title = format!("Share of wins by {name}");
        let note = format!("{note}; curve: LOG, other features at their mean given {name}");
        let range = (histogram.low, histogram.high);
        let chart = winning_share_chart(&title, &note, name, shares, feature.curve, range);
        plots.push((format!("winning-{file}{ending}"), chart));
    }
}

/// A feature's name as part of a file name.
fn file_name(feature: &str) -> String {
    feature
        .chars()
        .map(|c| if c.is_alphanumeric() || c == '-' || c == '_' { c } else { '_' })
        .collect()
}
