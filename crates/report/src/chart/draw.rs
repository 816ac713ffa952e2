//! From a chart to SVG.

use super::plot::Plot;
use super::style::{Theme, style_sheet};
use super::{Chart, Mark, Series, Side};
use crate::svg::{Anchor, Svg, text_width, trail};

/// A document that stands alone.
pub(super) fn document(chart: &Chart) -> String {
    let noted = if chart.note.is_empty() { 0.0 } else { 18.0 };
    let top = 62.0 + noted;
    let right = if chart.right.is_some() { 62.0 } else { 22.0 };
    let plot = Plot {
        left: 66.0,
        top,
        width: chart.width - 66.0 - right,
        height: chart.height - top - 54.0,
        hints: true,
    };
    let mut svg = Svg::new(chart.width, chart.height, &chart.title, &chart.note);
    svg.style(&style_sheet(Theme::Media));
    svg.rect("paper", (0.0, 0.0), (chart.width, chart.height), 6.0);
    svg.text("title", (plot.left, 26.0), Anchor::Start, &chart.title);
    svg.text("quiet", (plot.left, 44.0), Anchor::Start, &chart.note);
    legend(&mut svg, &chart.series, plot.left, 44.0 + noted);
    axes(&mut svg, chart, &plot);
    let middle = plot.top + plot.height / 2.0;
    svg.turned_text((18.0, middle), chart.y.label());
    if let Some(axis) = &chart.right {
        svg.turned_text((chart.width - 10.0, middle), axis.label());
    }
    series(&mut svg, chart, &plot);
    svg.finish() + "\n"
}

/// A part of a page. The vertical axes are labelled at their upper ends, where
/// a label needs no room beside them and no turned head.
pub(super) fn panel(chart: &Chart, titled: bool) -> String {
    let widest = |axis: &super::Axis| {
        let widths = axis.ticks(y_ticks(chart.height)).into_iter().map(|tick| text_width(&tick.1));
        widths.fold(0.0, f64::max)
    };
    let heading = if titled { 22.0 } else { 0.0 };
    let top = 26.0 + heading;
    let left = 10.0 + widest(&chart.y);
    let last_tick =
        chart.x.ticks(x_ticks(chart.width)).pop().map_or(0.0, |tick| text_width(&tick.1));
    let right = chart.right.as_ref().map_or(4.0 + 0.5 * last_tick, |axis| 12.0 + widest(axis));
    let plot = Plot {
        left,
        top,
        width: chart.width - left - right,
        height: chart.height - top - 44.0,
        hints: chart.width >= HINTED,
    };
    let mut svg = Svg::new(chart.width, chart.height, &chart.title, &chart.note);
    if titled {
        svg.text("heading", (0.0, 14.0), Anchor::Start, &chart.title);
    }
    svg.text("quiet", (0.0, heading + 12.0), Anchor::Start, chart.y.label());
    if let Some(axis) = &chart.right {
        svg.text("quiet", (chart.width, heading + 12.0), Anchor::End, axis.label());
    }
    axes(&mut svg, chart, &plot);
    series(&mut svg, chart, &plot);
    svg.finish()
}

/// Parts of a page at least this wide answer the pointer.
const HINTED: f64 = 360.0;

fn x_ticks(width: f64) -> usize {
    match width {
        _ if width < 300.0 => 4,
        _ if width < 420.0 => 5,
        _ => 8,
    }
}

fn y_ticks(height: f64) -> usize {
    if height < 260.0 { 4 } else { 5 }
}

fn series(svg: &mut Svg, chart: &Chart, plot: &Plot) {
    for series in &chart.series {
        let axis = match (series.side, &chart.right) {
            (Side::Right, Some(axis)) => axis,
            _ => &chart.y,
        };
        plot.draw(svg, series, &chart.x, axis);
    }
}

fn axes(svg: &mut Svg, chart: &Chart, plot: &Plot) {
    // The grid belongs to the axis that has numbers.
    let grid = match &chart.right {
        Some(axis) if !chart.y.has_numbers() => axis,
        _ => &chart.y,
    };
    let rules = grid.ticks(y_ticks(chart.height)).into_iter().flat_map(|(value, _)| {
        let y = plot.y(grid, value);
        [Some((plot.left, y)), Some((plot.right(), y)), None]
    });
    svg.path("grid", &trail(rules));
    let beside = |(value, label)| ((plot.left - 6.0, plot.y(&chart.y, value) + 4.0), label);
    let labels: Vec<_> = chart.y.ticks(y_ticks(chart.height)).into_iter().map(beside).collect();
    svg.texts("quiet", Anchor::End, &labels);
    let mut marks = vec![Some((plot.left, plot.bottom())), Some((plot.right(), plot.bottom()))];
    let mut labels = Vec::new();
    for (value, label) in chart.x.ticks(x_ticks(chart.width)) {
        let x = plot.x(&chart.x, value);
        marks.extend([None, Some((x, plot.bottom())), Some((x, plot.bottom() + 4.0))]);
        labels.push(((x, plot.bottom() + 18.0), label));
    }
    svg.path("axis", &trail(marks));
    let middle = plot.left + plot.width / 2.0;
    labels.push(((middle, plot.bottom() + 37.0), chart.x.label().to_owned()));
    svg.texts("quiet", Anchor::Middle, &labels);
    if let Some(axis) = &chart.right {
        for (value, label) in axis.ticks(y_ticks(chart.height)) {
            let y = plot.y(axis, value);
            svg.text("quiet", (plot.right() + 6.0, y + 4.0), Anchor::Start, &label);
        }
    }
}

fn legend(svg: &mut Svg, series: &[Series], left: f64, y: f64) {
    let mut x = left;
    for series in series.iter().filter(|series| !series.name.is_empty()) {
        swatch(svg, series, (x, y - 4.0));
        svg.text("quiet", (x + 28.0, y), Anchor::Start, &series.name);
        x += 28.0 + text_width(&series.name) + 20.0;
    }
}

/// The picture of a series in a legend of its own.
pub(super) fn key(series: &Series) -> String {
    let mut svg = Svg::new(24.0, 16.0, &series.name, "");
    swatch(&mut svg, series, (1.0, 8.0));
    svg.finish()
}

/// What a series looks like, 22 wide and 14 high.
fn swatch(svg: &mut Svg, series: &Series, (x, middle): (f64, f64)) {
    let colour = series.look.colour.class();
    let line = ((x, middle), (x + 22.0, middle));
    match &series.mark {
        Mark::Line(_) => svg.line(&series.look.line_class(), line.0, line.1),
        Mark::Reference(_) => svg.line(&format!("{colour} dashed"), line.0, line.1),
        Mark::Area(_) | Mark::Band(_) => {
            let class = format!("{} area", series.look.line_class().replace(" line", ""));
            svg.rect(&class, (x + 2.0, middle - 5.0), (18.0, 10.0), 0.0);
        }
        Mark::Columns(_) => {
            svg.rect(&format!("{colour} column"), (x + 5.0, middle - 6.0), (12.0, 12.0), 0.0);
        }
        Mark::Dots(points) => {
            let at = (x + 11.0, middle);
            if points.iter().any(|point| point.interval.0 < point.interval.1) {
                let ends = ((at.0, middle - 7.0), (at.0, middle + 7.0));
                svg.line(&format!("{colour} whisker"), ends.0, ends.1);
            }
            svg.shape(&series.look.dot_class(), series.look.shape, at);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Axis, Chart, Colour, Column, Estimated, Mark, Series};

    #[test]
    fn names_from_data_cannot_break_the_document() {
        let evil = "<script>&\"'\u{0}";
        let chart = Chart::new(evil, Axis::new(evil, (0.0, 1.0)), Axis::new(evil, (0.0, 1.0)))
            .note(evil)
            .series(Series::new(evil, Colour::Blue, Mark::Line(vec![(0.0, 0.0), (1.0, 1.0)])));
        for svg in [chart.svg(), chart.panel(), chart.titled_panel(), chart.keys()[0].1.clone()] {
            assert!(!svg.contains("<script"));
            assert!(svg.contains("&lt;script&gt;&amp;&quot;&#39;\u{fffd}"));
        }
    }

    #[test]
    fn every_mark_is_drawn_once_and_only_numbers_come_out() {
        let points = vec![(0.0, 0.2), (0.5, 0.7), (1.0, 0.4)];
        let dots = vec![
            Estimated { x: 0.5, y: 0.5, interval: (0.4, 0.6) },
            Estimated { x: 0.7, y: f64::NAN, interval: (0.4, 0.6) },
        ];
        let columns = vec![Column { x: 0.5, from: 0.0, to: 0.5 }];
        let chart = Chart::new("t", Axis::new("x", (0.0, 1.0)), Axis::new("y", (0.0, 1.0)))
            .right_axis(Axis::new("z", (0.0, 2.0)))
            .series(Series::new("", Colour::Blue, Mark::Line(points.clone())))
            .series(Series::new("", Colour::Grey, Mark::Reference(points.clone())))
            .series(Series::new("", Colour::Green, Mark::Area(points)).on_right())
            .series(Series::new("", Colour::Orange, Mark::Dots(dots.clone())))
            .series(Series::new("", Colour::Orange, Mark::Band(dots)))
            .series(Series::new("", Colour::Orange, Mark::Columns(columns)))
            .series(Series::new("", Colour::Purple, Mark::Line(Vec::new())));
        for svg in [chart.svg(), chart.panel()] {
            // Grid and axis, line, reference, area, band and columns.
            assert_eq!(svg.matches("<path").count(), 7);
            assert_eq!(svg.matches("<circle").count(), 1, "what is not a number has no dot");
            assert_eq!(svg.matches(" column\"").count(), 1);
            assert!(!svg.contains("NaN") && !svg.contains("inf"));
            assert_eq!(svg.matches("<svg").count(), svg.matches("</svg>").count());
        }
    }

    #[test]
    fn a_line_has_a_gap_where_a_value_is_missing() {
        let points = vec![(0.0, 0.1), (0.2, f64::NAN), (0.4, 0.1), (0.6, 0.2)];
        let chart = Chart::new("t", Axis::new("x", (0.0, 1.0)), Axis::new("y", (0.0, 1.0)))
            .series(Series::new("", Colour::Blue, Mark::Line(points)));
        let svg = chart.panel();
        let path = svg.split("blue line\" d=\"").nth(1).unwrap().split('"').next().unwrap();
        assert_eq!(path.matches('M').count(), 2);
        assert_eq!(path.matches('l').count(), 1);
    }
}
