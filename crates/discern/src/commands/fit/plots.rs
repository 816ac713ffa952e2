//! Calibration and class densities as SVG files.

use std::io::Write;
use std::path::Path;

use anyhow::{Context, Result};
use discern_report::chart::{Chart, Estimated};
use discern_report::{calibration_chart, class_density_chart, winning_share_chart};
use discern_stats::{
    ClassHistogram, Examples, Moments, Predict, class_histogram, logistic, share_interval,
};

use super::Settings;
use super::models::{FitReport, Fitted, PhaseReport};
use crate::commands::whole_file::WholeFile;

const BINS: usize = 48;

/// Draws everything into a directory.
pub fn draw<E: Examples>(
    directory: &Path,
    force: bool,
    settings: &Settings,
    examples: &E,
    report: &FitReport,
) -> Result<()> {
    std::fs::create_dir_all(directory)
        .with_context(|| format!("{}: cannot be made", directory.display()))?;
    let write = |name: &str, chart: &Chart| -> Result<()> {
        let path = directory.join(format!("{name}.svg"));
        let mut file = WholeFile::create(&path, force)?;
        file.write_all(chart.svg().as_bytes())
            .with_context(|| format!("{}: cannot be written", path.display()))?;
        file.finish()
    };
    if !report.overall_calibration.is_empty() {
        let note = format!("held-out rows, {} folds {}", settings.folds, settings.folds_of());
        write(
            "calibration",
            &calibration_chart("Calibration", &note, &report.overall_calibration),
        )?;
    }
    for phase in &report.phases {
        let Some(moments) = &phase.moments else { continue };
        let ending = phase.phase.map_or(String::new(), |phase| format!("-phase-{phase}"));
        let note = match phase.phase {
            Some(number) if phase.range.first == number => format!("phase {number}"),
            Some(_) => format!("phases {} to {}", phase.range.first, phase.range.last),
            None => "all rows".to_string(),
        };
        if let Some(fit) = fitted_log(phase) {
            let chart = value_densities(settings, examples, phase, moments, fit, &note)?;
            write(&format!("density-value{ending}"), &chart)?;
        }
        for feature in 0..moments.features.len() {
            let name = file_name(&moments.features[feature]);
            let histogram = feature_histogram(settings, examples, phase, moments, feature)?;
            let title = format!("Densities of {}", moments.features[feature]);
            let feature_name = &moments.features[feature];
            let chart = class_density_chart(&title, &note, feature_name, &histogram, None);
            write(&format!("density-{name}{ending}"), &chart)?;
            let chart = winning_shares(settings, moments, phase, feature, &histogram, &note);
            write(&format!("winning-{name}{ending}"), &chart)?;
        }
    }
    Ok(())
}

fn fitted_log(phase: &PhaseReport) -> Option<&discern_stats::LogisticFit> {
    phase.models.iter().find_map(|model| match &model.fitted {
        Ok(Fitted::Log(fit)) => Some(fit),
        _ => None,
    })
}

/// Figure 1: densities of f(x) in each class, with P(W).
fn value_densities<E: Examples>(
    settings: &Settings,
    examples: &E,
    phase: &PhaseReport,
    moments: &Moments,
    fit: &discern_stats::LogisticFit,
    note: &str,
) -> Result<Chart> {
    let all = moments.all();
    let deviation = all.covariance().quadratic_form(&fit.coefficients[1..]).sqrt();
    let middle = fit.log_odds(&all.mean);
    let bounds = (middle - 4.0 * deviation, middle + 4.0 * deviation);
    let histogram =
        class_histogram(examples, phase.range, bounds, BINS, settings.threads, |_, x| {
            fit.log_odds(x)
        })?;
    let curve = (0..=100)
        .map(|i| bounds.0 + (bounds.1 - bounds.0) * f64::from(i) / 100.0)
        .map(|value| (value, logistic(value)))
        .collect();
    let title = "Densities of the value and winning probability";
    Ok(class_density_chart(title, note, "value f(x) of LOG [logits]", &histogram, Some(curve)))
}

fn feature_histogram<E: Examples>(
    settings: &Settings,
    examples: &E,
    phase: &PhaseReport,
    moments: &Moments,
    feature: usize,
) -> Result<ClassHistogram> {
    let all = moments.all();
    let middle = all.mean[feature];
    let deviation = (all.scatter[(feature, feature)] / all.weight).sqrt().max(1e-12);
    let bounds = (middle - 4.0 * deviation, middle + 4.0 * deviation);
    Ok(class_histogram(examples, phase.range, bounds, BINS, settings.threads, |_, x| x[feature])?)
}

/// Figure 2: share of wins against one feature, with the curve of a logistic
/// regression at the mean of the other features.
fn winning_shares(
    settings: &Settings,
    moments: &Moments,
    phase: &PhaseReport,
    feature: usize,
    histogram: &ClassHistogram,
    note: &str,
) -> Chart {
    let shares = (0..histogram.won.len())
        .filter_map(|bin| {
            let weight = histogram.won[bin] + histogram.lost[bin];
            // Fewer rows than that say nothing.
            if weight < 5.0 {
                return None;
            }
            let y = histogram.won[bin] / weight;
            let interval = share_interval(y, weight, settings.confidence);
            Some(Estimated { x: histogram.middle(bin), y, interval })
        })
        .collect();
    let range = (histogram.low, histogram.high);
    let curve = fitted_log(phase).map(|fit| {
        let mut x = moments.all().mean;
        (0..=100)
            .map(|i| {
                x[feature] = range.0 + (range.1 - range.0) * f64::from(i) / 100.0;
                (x[feature], fit.probability(&x))
            })
            .collect()
    });
    let name = &moments.features[feature];
    let title = format!("Share of wins by {name}");
    let note = format!("{note}; curve: LOG with the other features at their mean");
    winning_share_chart(&title, &note, name, shares, curve, range)
}

/// A feature's name as part of a file name.
fn file_name(feature: &str) -> String {
    feature
        .chars()
        .map(|c| if c.is_alphanumeric() || c == '-' || c == '_' { c } else { '_' })
        .collect()
}
