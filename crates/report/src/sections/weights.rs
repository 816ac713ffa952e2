//! The weights of every phase: LOG, FISHER and the linear terms of QUAD.

use std::fmt::Write;

use discern_eval::Feature;
use discern_experiment::{PhaseFit, Reproduction, Weight};

use crate::chart::{Axis, Chart, Colour, Estimated, Look, Mark, Series};
use crate::drawings::mini_board;
use crate::markup::{self, Figure, escape, missing};
use crate::numbers::interval_of;
use crate::page::Section;

pub(crate) fn section(reproduction: &Reproduction) -> Section {
    let fits = &reproduction.fits;
    let mut body = String::from(
        "<p>A weight says by how much the log-odds rise when a feature grows by one. Weights may \
         change as the board fills up, so each number of discs has its own set, fitted to the \
         positions of its neighbourhood.</p>\n",
    );
    body.push_str(&if fits.is_empty() {
        missing("Weights: nothing was fitted.")
    } else {
        figure(fits).html()
    });
    Section { id: "weights", title: "The weights, phase by phase", body }
}

fn figure(fits: &[PhaseFit]) -> Figure {
    let features = features(fits);
    let charts: Vec<Chart> = features.iter().map(|feature| panel(fits, feature)).collect();
    let mut body = charts.first().map_or(String::new(), markup::legend);
    body.push_str("<div class=\"panels many\">\n");
    for (feature, chart) in features.iter().zip(charts) {
        let board = mini_board(feature);
        let _ = writeln!(
            body,
            "<div><p class=\"panel-title\">{board}<span>{}</span></p>{}</div>",
            escape(&title_and_name(feature)),
            chart.size(264.0, 200.0).panel()
        );
    }
    body.push_str("</div>\n");
    Figure {
        id: "weights-figure",
        title: "Weights with 95 % intervals.".to_string(),
        caption: "Each panel has its own scale; the dashed line is zero. The small board shows where \
                  a pattern lies, in one of its places. Bands are intervals that treat the positions \
                  of one game as one piece of evidence; QUAD’s, which also has squares and products \
                  of features, are those of normally distributed features. Where a band is narrow and away from zero, \
                  the feature surely matters at that stage. Where the models run apart they \
                  disagree on how much. All weights with their errors are in \
                  <code>weights.csv</code>; the positions behind each phase, and how its fit ended, \
                  in <code>phases.csv</code>."
            .to_string(),
        body,
        numbers: Vec::new(),
    }
}

/// A title for a short name; a name we do not know is its own title.
fn title(name: &str) -> &str {
    match Feature::named(name) {
        Some(feature) => feature.title(),
        None if name == "(intercept)" => "Constant",
        None => name,
    }
}

/// `Edges (R1)`, or the bare title if that says it all.
pub(super) fn title_and_name(name: &str) -> String {
    match Feature::named(name) {
        Some(feature) => format!("{} ({name})", feature.title()),
        None => title(name).to_owned(),
    }
}

/// Names of all models with weights.
fn models(fits: &[PhaseFit]) -> Vec<&str> {
    in_order(fits.iter().flat_map(|fit| &fit.models).map(|model| &*model.model))
}

/// Names of all weights in the order of the models.
fn features(fits: &[PhaseFit]) -> Vec<&str> {
    let models = fits.iter().flat_map(|fit| &fit.models);
    let mut names =
        in_order(models.flat_map(|model| &model.weights).map(|weight| &*weight.feature));
    // QUAD's squares are in the file of all weights; drawn, they would double the
    // panels.
    names.retain(|name| !name.contains('²'));
    // The constant is no feature: last.
    names.sort_by_key(|name| *name == "(intercept)");
    names
}

/// Each name once, where it comes first.
fn in_order<'a>(all: impl Iterator<Item = &'a str>) -> Vec<&'a str> {
    let mut names = Vec::new();
    for name in all {
        if !names.contains(&name) {
            names.push(name);
        }
    }
    names
}

fn find<'a>(fit: &'a PhaseFit, model: &str, feature: &str) -> Option<&'a Weight> {
    let model = fit.models.iter().find(|fitted| fitted.model == model)?;
    model.weights.iter().find(|weight| weight.feature == feature)
}

fn panel(fits: &[PhaseFit], feature: &str) -> Chart {
    let points = |model: &str| -> Vec<Estimated> {
        let known = fits.iter().filter_map(|fit| Some((fit.discs, find(fit, model, feature)?)));
        known
            .map(|(discs, estimate)| Estimated {
                x: discs as f64,
                y: estimate.value,
                interval: interval_of(estimate.value, estimate.standard_error.unwrap_or(f64::NAN)),
            })
            .collect()
    };
    let series: Vec<(&str, Vec<Estimated>)> =
        models(fits).into_iter().map(|model| (model, points(model))).collect();
    let range = range(series.iter().flat_map(|(_, points)| points));
    let discs = (fits[0].discs as f64, fits[fits.len() - 1].discs as f64);
    let mut chart = Chart::new(
        format!("Weight of {} by number of discs", title(feature)),
        Axis::new("discs on the board", discs),
        Axis::new("weight [log-odds per unit]", range),
    )
    .series(Series::new(
        "",
        Colour::Grey,
        Mark::Reference(vec![(discs.0, 0.0), (discs.1, 0.0)]),
    ));
    for (name, points) in series {
        let look = Look::of_model(name);
        let line = points.iter().map(|point| (point.x, point.y)).collect();
        chart = chart.series(Series::new("", look, Mark::Band(points))).series(Series::new(
            name,
            look,
            Mark::Line(line),
        ));
    }
    chart
}

/// From the least to the greatest value with zero, and the intervals as far as
/// they do not squeeze the values: a phase with little data has a wide one.
fn range<'a>(points: impl Iterator<Item = &'a Estimated>) -> (f64, f64) {
    let points: Vec<&Estimated> = points.filter(|point| point.y.is_finite()).collect();
    let low = points.iter().map(|point| point.y).fold(0.0, f64::min);
    let high = points.iter().map(|point| point.y).fold(0.0, f64::max);
    let slack = 0.35 * (high - low);
    let down = points.iter().map(|point| point.interval.0).fold(low, f64::min);
    let up = points.iter().map(|point| point.interval.1).fold(high, f64::max);
    (down.max(low - slack), up.min(high + slack))
}
