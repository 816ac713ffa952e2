//! How values and features are distributed in each class: what the plots of a
//! fit show.

use discern_stats::{
    ClassHistogram, Examples, FitError, LogisticFit, Moments, PhaseRange, Predict, class_histogram,
    logistic, share_interval,
};

use crate::data::TableData;
use crate::models::{FitReport, Fitted, PhaseReport, Settings};

const BINS: usize = 48;

/// The distributions of one phase.
#[derive(Clone, Debug)]
pub struct PhaseDensities {
    /// The phase, if there are several.
    pub phase: Option<i32>,
    /// The phases whose rows count.
    pub range: PhaseRange,
    /// f(x) of LOG in each class with P(W) (Figure 1), if it was fitted.
    pub value: Option<(ClassHistogram, Vec<(f64, f64)>)>,
    /// Each feature.
    pub features: Vec<FeatureDensity>,
}

/// The distribution of one feature, and how wins depend on it (Figure 2).
#[derive(Clone, Debug)]
pub struct FeatureDensity {
    /// Its name.
    pub name: String,
    /// Its values in each class.
    pub histogram: ClassHistogram,
    /// Share of wins by value, with its interval.
    pub shares: Vec<WinningShare>,
    /// P(W) of LOG against the feature. The other features take the mean they
    /// have beside a value of this one (as linear regression gives it), since
    /// so do the rows that are counted.
    pub curve: Option<Vec<(f64, f64)>>,
}

/// The share of wins among the rows of a bin.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct WinningShare {
    /// The middle of the bin.
    pub value: f64,
    /// The share.
    pub share: f64,
    /// Its interval.
    pub interval: (f64, f64),
}

/// The distributions of every phase that has rows of both classes.
///
/// # Errors
/// If the rows cannot be read again.
pub fn densities(
    settings: &Settings,
    data: &TableData,
    report: &FitReport,
) -> Result<Vec<PhaseDensities>, FitError> {
    let examples = data.examples();
    let extents = extents(examples)?;
    let mut found = Vec::new();
    for phase in &report.phases {
        let Some(moments) = &phase.moments else { continue };
        let fit = fitted_log(phase);
        let value =
            fit.map(|fit| value_density(settings, examples, phase, moments, fit)).transpose()?;
        let mut features = Vec::new();
        for (feature, &extent) in extents.iter().enumerate() {
            let histogram = histogram(settings, examples, phase, moments, feature, extent)?;
            features.push(FeatureDensity {
                name: moments.features[feature].clone(),
                shares: shares(settings, &histogram),
                curve: fit.map(|fit| curve(moments, fit, feature, &histogram)),
                histogram,
            });
        }
        let range = phase.range.within(report.present());
        found.push(PhaseDensities { phase: phase.phase, range, value, features });
    }
    Ok(found)
}

fn fitted_log(phase: &PhaseReport) -> Option<&LogisticFit> {
    phase.models.iter().find_map(|model| match &model.fitted {
        Ok(Fitted::Log(fit)) => Some(fit),
        _ => None,
    })
}

fn value_density(
    settings: &Settings,
    examples: &dyn Examples,
    phase: &PhaseReport,
    moments: &Moments,
    fit: &LogisticFit,
) -> Result<(ClassHistogram, Vec<(f64, f64)>), FitError> {
    let all = moments.all();
    let deviation = all.covariance().quadratic_form(&fit.coefficients[1..]).sqrt();
    let middle = fit.log_odds(&all.mean);
    let bounds = (middle - 4.0 * deviation, middle + 4.0 * deviation);
    let log_odds = |_: i32, x: &[f64]| fit.log_odds(x);
    let histogram =
        class_histogram(examples, phase.range, bounds, BINS, settings.threads, log_odds)?;
    Ok((histogram, between(bounds).map(|value| (value, logistic(value))).collect()))
}

/// A hundred equal steps.
fn between((low, high): (f64, f64)) -> impl Iterator<Item = f64> {
    (0..=100).map(move |i| low + (high - low) * f64::from(i) / 100.0)
}

fn histogram(
    settings: &Settings,
    examples: &dyn Examples,
    phase: &PhaseReport,
    moments: &Moments,
    feature: usize,
    extent: Extent,
) -> Result<ClassHistogram, FitError> {
    let all = moments.all();
    let middle = all.mean[feature];
    let deviation = (all.scatter[(feature, feature)] / all.weight).sqrt().max(1e-12);
    let (bounds, bins) = extent.bins(middle - 4.0 * deviation, middle + 4.0 * deviation);
    class_histogram(examples, phase.range, bounds, bins, settings.threads, |_, x| x[feature])
}

fn shares(settings: &Settings, histogram: &ClassHistogram) -> Vec<WinningShare> {
    let share = |bin: usize| {
        let weight = histogram.won[bin] + histogram.lost[bin];
        // Fewer rows than that say nothing.
        (weight >= 5.0).then(|| {
            let share = histogram.won[bin] / weight;
            let interval = share_interval(share, weight, settings.confidence);
            WinningShare { value: histogram.middle(bin), share, interval }
        })
    };
    (0..histogram.won.len()).filter_map(share).collect()
}

fn curve(
    moments: &Moments,
    fit: &LogisticFit,
    feature: usize,
    histogram: &ClassHistogram,
) -> Vec<(f64, f64)> {
    let all = moments.all();
    let slopes = all.scatter.row(feature).iter().map(|s| s / all.scatter[(feature, feature)]);
    let slopes: Vec<f64> = slopes.collect();
    let point = |value: f64| {
        let away = value - all.mean[feature];
        let others = all.mean.iter().zip(&slopes);
        let x: Vec<f64> = others.map(|(mean, slope)| mean + slope * away).collect();
        (value, fit.probability(&x))
    };
    between((histogram.low, histogram.high)).map(point).collect()
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
fn extents(examples: &dyn Examples) -> Result<Vec<Extent>, FitError> {
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
