//! Calibration and class densities as SVG files.

use std::io::Write;
use std::path::Path;

use anyhow::{Context, Result};
use discern_fit::{FitReport, Fitted, ModelKind, PhaseReport, Settings, TableData};
use discern_report::chart::{Chart, Estimated};
use discern_report::{calibration_chart, class_density_chart, winning_share_chart};
use discern_stats::{
    CalibrationBin, ClassHistogram, Examples, Metrics, Moments, PhaseRange, Predict,
    class_histogram, logistic, share_interval,
};

use super::summary;
use crate::commands::whole_file::WholeFile;

const BINS: usize = 48;

/// Draws everything into a directory.
pub fn draw(
    directory: &Path,
    force: bool,
    settings: &Settings,
    data: &TableData,
    report: &FitReport,
) -> Result<()> {
    let examples = data.examples();
    std::fs::create_dir_all(directory)
        .with_context(|| format!("{}: cannot be made", directory.display()))?;
    let write = |name: &str, chart: &Chart| -> Result<()> {
        let path = directory.join(format!("{name}.svg"));
        let mut file = WholeFile::create(&path, force)?;
        file.write_all(chart.svg().as_bytes())
            .with_context(|| format!("{}: cannot be written", path.display()))?;
        file.finish()
    };
    if !report.overall.is_empty() {
        let note = format!("held-out rows, {}", summary::folds(settings, data.facts()));
        let curve = |(model, _, bins): &(ModelKind, Metrics, Vec<CalibrationBin>)| {
            (model.name().to_uppercase(), bins.clone())
        };
        let curves: Vec<_> = report.overall.iter().map(curve).collect();
        write("calibration", &calibration_chart("Calibration", &note, &curves))?;
    }
    let extents = extents(examples)?;
    let present = report.present();
    for phase in &report.phases {
        let Some(moments) = &phase.moments else { continue };
        let ending = phase.phase.map_or(String::new(), |phase| format!("-phase-{phase}"));
        let note = match phase.phase {
            Some(number) => match phase.range.within(present) {
                PhaseRange { first, last } if first < last => format!("phases {first} to {last}"),
                _ => format!("phase {number}"),
            },
            None => "all rows".to_string(),
        };
        if let Some(fit) = fitted_log(phase) {
            let chart = value_densities(settings, examples, phase, moments, fit, &note)?;
            write(&format!("density-value{ending}"), &chart)?;
        }
        for (feature, &extent) in extents.iter().enumerate() {
            let name = file_name(&moments.features[feature]);
            let histogram = feature_histogram(settings, examples, phase, moments, feature, extent)?;
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
fn value_densities(
    settings: &Settings,
    examples: &dyn Examples,
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

fn feature_histogram(
    settings: &Settings,
    examples: &dyn Examples,
    phase: &PhaseReport,
    moments: &Moments,
    feature: usize,
    extent: Extent,
) -> Result<ClassHistogram> {
    let all = moments.all();
    let middle = all.mean[feature];
    let deviation = (all.scatter[(feature, feature)] / all.weight).sqrt().max(1e-12);
    let (bounds, bins) = extent.bins(middle - 4.0 * deviation, middle + 4.0 * deviation);
    Ok(class_histogram(examples, phase.range, bounds, bins, settings.threads, |_, x| x[feature])?)
}

/// What values a feature takes.
#[derive(Clone, Copy, Debug)]
struct Extent {
    least: f64,
    most: f64,
    /// Whether all of them are whole numbers.
    whole: bool,
}

impl Extent {
    /// Bounds and number of bins for the values between `low` and `high`.
    ///
    /// Bins of whole numbers hold equally many of them each, lest the
    /// histogram become a comb.
    fn bins(self, low: f64, high: f64) -> ((f64, f64), usize) {
        let (low, high) = (low.max(self.least), high.min(self.most));
        if self.whole {
            let (low, high) = (low.floor(), high.ceil());
            let width = ((high - low + 1.0) / BINS as f64).ceil();
            let bins = ((high - low + 1.0) / width).ceil();
            return ((low - 0.5, low - 0.5 + bins * width), bins as usize);
        }
        // The largest value belongs into the last bin, not behind it.
        let edge = 1e-9 * (high - low);
        ((low, high + edge), BINS)
    }
}

/// The extent of each feature.
fn extents(examples: &dyn Examples) -> Result<Vec<Extent>> {
    let none = Extent { least: f64::INFINITY, most: f64::NEG_INFINITY, whole: true };
    let mut extents = vec![none; examples.features().len()];
    for block in examples.blocks() {
        for (extent, column) in extents.iter_mut().zip(&block?.features) {
            for value in column.values() {
                extent.least = extent.least.min(value);
                extent.most = extent.most.max(value);
                extent.whole &= value.fract() == 0.0;
            }
        }
    }
    Ok(extents)
}

/// Figure 2: share of wins against one feature, with the curve of LOG. The
/// other features take the mean they have beside a value of this one (as
/// linear regression tells it), for so do the rows that are counted.
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
        let all = moments.all();
        let slopes = all.scatter.row(feature).iter().map(|s| s / all.scatter[(feature, feature)]);
        let slopes: Vec<f64> = slopes.collect();
        (0..=100)
            .map(|i| {
                let value = range.0 + (range.1 - range.0) * f64::from(i) / 100.0;
                let away = value - all.mean[feature];
                let x: Vec<f64> =
                    all.mean.iter().zip(&slopes).map(|(mean, slope)| mean + slope * away).collect();
                (value, fit.probability(&x))
            })
            .collect()
    });
    let name = &moments.features[feature];
    let title = format!("Share of wins by {name}");
    let note = format!("{note}; curve: LOG, other features at their mean given {name}");
    winning_share_chart(&title, &note, name, shares, curve, range)
}

/// A feature's name as part of a file name.
fn file_name(feature: &str) -> String {
    feature
        .chars()
        .map(|c| if c.is_alphanumeric() || c == '-' || c == '_' { c } else { '_' })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bins_of_whole_numbers_hold_equally_many_of_them() {
        let extent = Extent { least: -5.0, most: 5.0, whole: true };
        assert_eq!(extent.bins(-12.9, 12.9), ((-5.5, 5.5), 11));
        assert_eq!(extent.bins(-2.3, 3.1), ((-3.5, 4.5), 8));
        let wide = Extent { least: 0.0, most: 99.0, whole: true };
        assert_eq!(wide.bins(-1e3, 1e3), ((-0.5, 101.5), 34));
    }

    #[test]
    fn bins_of_other_numbers_end_where_the_values_do() {
        let extent = Extent { least: -1.5, most: 2.0, whole: false };
        let ((low, high), bins) = extent.bins(-9.0, 9.0);
        assert!(low == -1.5 && high > 2.0 && high < 2.001 && bins == BINS);
    }
}
