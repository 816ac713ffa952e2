//! The rectangle the data are drawn in, and the marks in it.

use std::fmt::Write;

use super::axis::Axis;
use super::{Estimated, Mark, Series};
use crate::svg::Svg;

/// Where in the drawing the data lie.
pub(super) struct Plot {
    pub left: f64,
    pub top: f64,
    pub width: f64,
    pub height: f64,
}

impl Plot {
    pub fn x(&self, axis: &Axis, value: f64) -> f64 {
        self.left + self.width * axis.share(value).clamp(-0.01, 1.01)
    }

    pub fn y(&self, axis: &Axis, value: f64) -> f64 {
        self.top + self.height * (1.0 - axis.share(value).clamp(-0.01, 1.01))
    }

    pub fn right(&self) -> f64 {
        self.left + self.width
    }

    pub fn bottom(&self) -> f64 {
        self.top + self.height
    }

    /// Draws one series. What is not a number leaves a gap.
    pub fn draw(&self, svg: &mut Svg, series: &Series, x: &Axis, y: &Axis) {
        let colour = series.look.colour.class();
        let place = |a: f64, b: f64| (self.x(x, a) + series.shift, self.y(y, b));
        let path = |points: &mut dyn Iterator<Item = (f64, f64)>| {
            let (mut path, mut command) = (String::new(), 'M');
            for (a, b) in points {
                if a.is_finite() && b.is_finite() {
                    let (a, b) = place(a, b);
                    let _ = write!(path, "{command}{a:.1} {b:.1}");
                    command = 'L';
                } else {
                    command = 'M';
                }
            }
            path
        };
        match &series.mark {
            Mark::Line(points) if !points.is_empty() => {
                // A line ends where it leaves the plot; along its edge it would lie.
                let inside = |(a, b): (f64, f64)| (a, if y.covers(b) { b } else { f64::NAN });
                svg.path(&series.look.line_class(), &path(&mut points.iter().copied().map(inside)));
            }
            Mark::Reference(points) if !points.is_empty() => {
                svg.path(&format!("{colour} dashed"), &path(&mut points.iter().copied()));
            }
            Mark::Line(_) | Mark::Reference(_) => {}
            Mark::Area(points) => {
                if let (Some(first), Some(last)) = (points.first(), points.last()) {
                    let outline = path(&mut points.iter().copied()).replacen('M', "L", 1);
                    let (from, to, base) = (self.x(x, first.0), self.x(x, last.0), self.bottom());
                    svg.path(
                        &format!("{} area", series.look.line_class().replace(" line", "")),
                        &format!("M{from:.1} {base:.1}{outline}L{to:.1} {base:.1}"),
                    );
                }
            }
            Mark::Band(points) if !points.is_empty() => {
                let there = points.iter().map(|point| (point.x, point.interval.1));
                let back = points.iter().rev().map(|point| (point.x, point.interval.0));
                let known = |(_, end): &(f64, f64)| end.is_finite();
                let outline = path(&mut there.chain(back).filter(known));
                svg.path(&format!("{colour} band"), &format!("{outline}Z"));
            }
            Mark::Band(_) => {}
            Mark::Columns(columns) => {
                let apart = columns.windows(2).map(|pair| pair[1].x - pair[0].x);
                let step = apart.fold(f64::INFINITY, f64::min);
                let step = if step.is_finite() { step } else { 1.0 };
                for column in columns {
                    let (left, top) = place(column.x - 0.42 * step, column.to);
                    let (right, bottom) = place(column.x + 0.42 * step, column.from);
                    let hint = format!("{}: {}", series.name, y.say(column.to - column.from));
                    svg.hinted(&format!("{hint} ({} {})", x.label(), x.say(column.x)), |svg| {
                        let size = (right - left, bottom - top);
                        svg.rect(&format!("{colour} column"), (left, top), size, 0.0);
                    });
                }
            }
            Mark::Dots(points) => {
                for point in
                    points.iter().filter(|point| point.x.is_finite() && point.y.is_finite())
                {
                    let hint = hint(series, point, x, y);
                    svg.hinted(&hint, |svg| {
                        let (low, high) = point.interval;
                        if low.is_finite() && high.is_finite() && low < high {
                            let ends = (place(point.x, low), place(point.x, high));
                            svg.line(&format!("{colour} whisker"), ends.0, ends.1);
                        }
                        let at = place(point.x, point.y);
                        svg.shape(&series.look.dot_class(), series.look.shape, at);
                    });
                }
            }
        }
    }
}

/// What the pointer is told about a dot.
fn hint(series: &Series, point: &Estimated, x: &Axis, y: &Axis) -> String {
    let name = if series.name.is_empty() { y.label() } else { &series.name };
    let (low, high) = point.interval;
    let interval =
        if low < high { format!(" ({} to {})", y.say(low), y.say(high)) } else { String::new() };
    format!("{name}: {}{interval}; {}: {}", y.say(point.y), x.label(), x.say(point.x))
}
