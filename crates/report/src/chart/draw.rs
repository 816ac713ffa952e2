//! From a chart to SVG.

use std::fmt::Write;

use super::axis::Axis;
use super::style::style_sheet;
use super::{Chart, Mark, Series, Side};

/// The rectangle the data are drawn in.
struct Plot {
    left: f64,
    top: f64,
    width: f64,
    height: f64,
}

impl Plot {
    fn x(&self, axis: &Axis, value: f64) -> f64 {
        self.left + self.width * axis.share(value).clamp(-0.01, 1.01)
    }

    fn y(&self, axis: &Axis, value: f64) -> f64 {
        self.top + self.height * (1.0 - axis.share(value).clamp(-0.01, 1.01))
    }

    fn right(&self) -> f64 {
        self.left + self.width
    }

    fn bottom(&self) -> f64 {
        self.top + self.height
    }
}

pub(super) fn svg(chart: &Chart) -> String {
    let noted = if chart.note.is_empty() { 0.0 } else { 18.0 };
    let top = 62.0 + noted;
    let right = if chart.right.is_some() { 62.0 } else { 22.0 };
    let plot = Plot {
        left: 66.0,
        top,
        width: chart.width - 66.0 - right,
        height: chart.height - top - 54.0,
    };
    let (width, height) = (chart.width, chart.height);
    let mut out = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"discern-chart\" role=\"img\" \
         viewBox=\"0 0 {width} {height}\" width=\"{width}\" height=\"{height}\">\
         <title>{title}</title><desc>{note}</desc><style>{style}</style>\
         <rect class=\"paper\" width=\"{width}\" height=\"{height}\" rx=\"6\"/>",
        title = escape(&chart.title),
        note = escape(&chart.note),
        style = style_sheet(),
    );
    text(&mut out, "title", plot.left, 26.0, "start", &chart.title);
    text(&mut out, "quiet", plot.left, 44.0, "start", &chart.note);
    legend(&mut out, &chart.series, plot.left, 44.0 + noted);
    axes(&mut out, chart, &plot);
    for series in &chart.series {
        let axis = match (series.side, &chart.right) {
            (Side::Right, Some(axis)) => axis,
            _ => &chart.y,
        };
        mark(&mut out, series, &chart.x, axis, &plot);
    }
    out.push_str("</svg>\n");
    out
}

fn axes(out: &mut String, chart: &Chart, plot: &Plot) {
    for (value, label) in chart.y.ticks(5) {
        let y = plot.y(&chart.y, value);
        line(out, "grid", (plot.left, y), (plot.right(), y));
        text(out, "quiet", plot.left - 8.0, y + 4.0, "end", &label);
    }
    for (value, label) in chart.x.ticks(7) {
        let x = plot.x(&chart.x, value);
        line(out, "grid", (x, plot.top), (x, plot.bottom()));
        text(out, "quiet", x, plot.bottom() + 18.0, "middle", &label);
    }
    line(out, "axis", (plot.left, plot.bottom()), (plot.right(), plot.bottom()));
    line(out, "axis", (plot.left, plot.top), (plot.left, plot.bottom()));
    let middle = plot.left + plot.width / 2.0;
    text(out, "label", middle, plot.bottom() + 42.0, "middle", chart.x.label());
    turned_text(out, 18.0, plot.top + plot.height / 2.0, chart.y.label());
    if let Some(axis) = &chart.right {
        for (value, label) in axis.ticks(5) {
            text(out, "quiet", plot.right() + 8.0, plot.y(axis, value) + 4.0, "start", &label);
        }
        line(out, "axis", (plot.right(), plot.top), (plot.right(), plot.bottom()));
        turned_text(out, chart.width - 10.0, plot.top + plot.height / 2.0, axis.label());
    }
}

fn mark(out: &mut String, series: &Series, x: &Axis, y: &Axis, plot: &Plot) {
    let colour = series.colour.class();
    let path = |points: &[(f64, f64)]| -> String {
        let mut path = String::new();
        for (index, &(a, b)) in points.iter().enumerate() {
            let command = if index == 0 { 'M' } else { 'L' };
            let _ = write!(path, "{command}{:.2} {:.2}", plot.x(x, a), plot.y(y, b));
        }
        path
    };
    match &series.mark {
        Mark::Line(points) if !points.is_empty() => {
            let _ = write!(out, "<path class=\"{colour} line\" d=\"{}\"/>", path(points));
        }
        Mark::Reference(points) if !points.is_empty() => {
            let _ = write!(out, "<path class=\"{colour} dashed\" d=\"{}\"/>", path(points));
        }
        Mark::Area(points) => {
            if let (Some(first), Some(last)) = (points.first(), points.last()) {
                let _ = write!(
                    out,
                    "<path class=\"{colour} area\" d=\"M{:.2} {base:.2}{}L{:.2} {base:.2}\"/>",
                    plot.x(x, first.0),
                    path(points).replacen('M', "L", 1),
                    plot.x(x, last.0),
                    base = plot.bottom(),
                );
            }
        }
        Mark::Dots(points) => {
            for point in points {
                let at = plot.x(x, point.x);
                let (low, high) = point.interval;
                line(
                    out,
                    &format!("{colour} whisker"),
                    (at, plot.y(y, low)),
                    (at, plot.y(y, high)),
                );
                let _ = write!(
                    out,
                    "<circle class=\"{colour} dot\" cx=\"{at:.2}\" cy=\"{:.2}\" r=\"3.5\"/>",
                    plot.y(y, point.y),
                );
            }
        }
        Mark::Line(_) | Mark::Reference(_) => {}
    }
}

fn legend(out: &mut String, series: &[Series], left: f64, y: f64) {
    let mut x = left;
    for series in series.iter().filter(|series| !series.name.is_empty()) {
        let class = series.colour.class();
        let middle = y - 4.0;
        match series.mark {
            Mark::Line(_) => line(out, &format!("{class} line"), (x, middle), (x + 22.0, middle)),
            Mark::Reference(_) => {
                line(out, &format!("{class} dashed"), (x, middle), (x + 22.0, middle));
            }
            Mark::Area(_) => {
                let _ = write!(
                    out,
                    "<rect class=\"{class} area\" x=\"{:.1}\" y=\"{:.1}\" width=\"18\" height=\"10\"/>",
                    x + 2.0,
                    middle - 5.0
                );
            }
            Mark::Dots(_) => {
                line(
                    out,
                    &format!("{class} whisker"),
                    (x + 11.0, middle - 7.0),
                    (x + 11.0, middle + 7.0),
                );
                let _ = write!(
                    out,
                    "<circle class=\"{class} dot\" cx=\"{:.1}\" cy=\"{middle:.1}\" r=\"3.5\"/>",
                    x + 11.0
                );
            }
        }
        text(out, "quiet", x + 28.0, y, "start", &series.name);
        // About the width of the text at this size.
        x += 28.0 + 6.6 * series.name.chars().count() as f64 + 20.0;
    }
}

fn line(out: &mut String, class: &str, from: (f64, f64), to: (f64, f64)) {
    let _ = write!(
        out,
        "<line class=\"{class}\" x1=\"{:.2}\" y1=\"{:.2}\" x2=\"{:.2}\" y2=\"{:.2}\"/>",
        from.0, from.1, to.0, to.1
    );
}

fn text(out: &mut String, class: &str, x: f64, y: f64, anchor: &str, content: &str) {
    if !content.is_empty() {
        let _ = write!(
            out,
            "<text class=\"{class}\" x=\"{x:.1}\" y=\"{y:.1}\" text-anchor=\"{anchor}\">{}</text>",
            escape(content)
        );
    }
}

fn turned_text(out: &mut String, x: f64, y: f64, content: &str) {
    let _ = write!(
        out,
        "<text x=\"{x:.1}\" y=\"{y:.1}\" text-anchor=\"middle\" \
         transform=\"rotate(-90 {x:.1} {y:.1})\">{}</text>",
        escape(content)
    );
}

/// Text that may stand between tags and in attributes. Characters XML does not
/// allow at all are replaced.
fn escape(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for character in text.chars() {
        match character {
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '&' => out.push_str("&amp;"),
            '"' => out.push_str("&quot;"),
            '\'' => out.push_str("&#39;"),
            c if c.is_control() => out.push('\u{fffd}'),
            c => out.push(c),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::super::{Axis, Chart, Colour, Estimated, Mark, Series};

    #[test]
    fn names_from_data_cannot_break_the_document() {
        let evil = "<script>&\"'\u{0}";
        let chart = Chart::new(evil, Axis::new(evil, (0.0, 1.0)), Axis::new(evil, (0.0, 1.0)))
            .note(evil)
            .series(Series::new(evil, Colour::Blue, Mark::Line(vec![(0.0, 0.0), (1.0, 1.0)])));
        let svg = chart.svg();
        assert!(!svg.contains("<script"));
        assert!(svg.contains("&lt;script&gt;&amp;&quot;&#39;\u{fffd}"));
    }

    #[test]
    fn every_mark_is_drawn_once_and_only_numbers_come_out() {
        let points = vec![(0.0, 0.2), (0.5, 0.7), (1.0, 0.4)];
        let dots = vec![Estimated { x: 0.5, y: 0.5, interval: (0.4, 0.6) }];
        let chart = Chart::new("t", Axis::new("x", (0.0, 1.0)), Axis::new("y", (0.0, 1.0)))
            .right_axis(Axis::new("z", (0.0, 2.0)))
            .series(Series::new("", Colour::Blue, Mark::Line(points.clone())))
            .series(Series::new("", Colour::Grey, Mark::Reference(points.clone())))
            .series(Series::new("", Colour::Green, Mark::Area(points)).on_right())
            .series(Series::new("", Colour::Orange, Mark::Dots(dots)))
            .series(Series::new("", Colour::Purple, Mark::Line(Vec::new())));
        let svg = chart.svg();
        assert_eq!(svg.matches("<path").count(), 3);
        assert_eq!(svg.matches("<circle").count(), 1);
        assert!(!svg.contains("NaN") && !svg.contains("inf"));
        assert_eq!(svg.matches("<svg").count(), svg.matches("</svg>").count());
    }
}
