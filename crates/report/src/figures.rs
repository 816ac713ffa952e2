//! The figures of a fit.

use discern_stats::{CalibrationBin, ClassHistogram};

use crate::chart::{Axis, Chart, Colour, Estimated, Mark, Numbers, Series};
use crate::sections::calibration::{model, square};

/// Predicted against observed winning probability; a calibrated model lies on
/// the diagonal.
pub fn calibration_chart(
    title: &str,
    note: &str,
    models: &[(String, Vec<CalibrationBin>)],
) -> Chart {
    let chart = square(title.to_owned()).note(note).size(560.0, 520.0);
    models.iter().fold(chart, |chart, (name, bins)| model(chart, name, name, bins.iter(), 0.0))
}

/// Densities of a value in each class with P(W) on a second axis (Figure 1).
///
/// `probability` is drawn where given: the model's curve over the value.
pub fn class_density_chart(
    title: &str,
    note: &str,
    value: &str,
    histogram: &ClassHistogram,
    probability: Option<Vec<(f64, f64)>>,
) -> Chart {
    let (won, won_top) = density(histogram, &histogram.won);
    let (lost, lost_top) = density(histogram, &histogram.lost);
    let top = 1.08 * won_top.max(lost_top).max(f64::MIN_POSITIVE);
    let mut chart = Chart::new(
        title,
        Axis::new(value, (histogram.low, histogram.high)),
        Axis::new("density", (0.0, top)).numbers(Numbers::None),
    )
    .note(note)
    .series(Series::new("lost", Colour::Orange, Mark::Area(lost)))
    .series(Series::new("won", Colour::Purple, Mark::Area(won)));
    if let Some(curve) = probability {
        chart = chart
            .right_axis(Axis::new("P(W)", (0.0, 1.0)).numbers(Numbers::Percent))
            .series(Series::new("P(W)", Colour::Ink, Mark::Line(curve)).on_right());
    }
    chart
}

/// The share of wins in bins of one value, with the model's curve (Figure 2).
pub fn winning_share_chart(
    title: &str,
    note: &str,
    value: &str,
    shares: Vec<Estimated>,
    curve: Option<Vec<(f64, f64)>>,
    range: (f64, f64),
) -> Chart {
    let mut chart = Chart::new(
        title,
        Axis::new(value, range),
        Axis::new("share of wins", (0.0, 1.0)).numbers(Numbers::Percent),
    )
    .note(note)
    .series(Series::new("observed", Colour::Blue, Mark::Dots(shares)));
    if let Some(curve) = curve {
        chart = chart.series(Series::new("fitted", Colour::Green, Mark::Line(curve)));
    }
    chart
}

/// The outline of a histogram of area 1, and its height.
fn density(histogram: &ClassHistogram, counts: &[f64]) -> (Vec<(f64, f64)>, f64) {
    let width = histogram.width();
    let area = counts.iter().sum::<f64>() * width;
    let mut outline = Vec::with_capacity(2 * counts.len());
    let mut top = 0.0f64;
    for (bin, count) in counts.iter().enumerate() {
        let height = if area > 0.0 { count / area } else { 0.0 };
        let middle = histogram.middle(bin);
        outline.push((middle - 0.5 * width, height));
        outline.push((middle + 0.5 * width, height));
        top = top.max(height);
    }
    (outline, top)
}
