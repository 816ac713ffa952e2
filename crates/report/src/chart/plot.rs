//! The rectangle the data are drawn in, and the marks in it.

use super::axis::Axis;
use super::{Estimated, Mark, Series};
use crate::svg::{Svg, trail};

/// Where in the drawing the data lie.
pub(super) struct Plot {
    pub left: f64,
    pub top: f64,
    pub width: f64,
    pub height: f64,
    /// Do marks say what they are under the pointer? Small drawings are many,
    /// and those for narrow windows have no pointer.
    pub hints: bool,
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
            trail(points.map(|(a, b)| (a.is_finite() && b.is_finite()).then(|| place(a, b))))
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
                    let base = |x_value: f64| Some((self.x(x, x_value), self.bottom()));
                    let known = |&(a, b): &(f64, f64)| {
                        (a.is_finite() && b.is_finite()).then(|| place(a, b))
                    };
                    let outline = points.iter().map(known);
                    let outline = [base(first.0)].into_iter().chain(outline).chain([base(last.0)]);
                    svg.path(
                        &format!("{} area", series.look.line_class().replace(" line", "")),
                        &trail(outline),
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
                let mut outline = String::new();
                for column in columns {
                    let (left, top) = place(column.x - 0.42 * step, column.to);
                    let (right, bottom) = place(column.x + 0.42 * step, column.from);
                    if top.is_finite() && bottom.is_finite() && top < bottom {
                        let corners = [(left, top), (right, top), (right, bottom), (left, bottom)];
                        outline.push_str(&trail(corners.map(Some)));
                        outline.push('z');
                    }
                }
                svg.path(&format!("{colour} column"), &outline);
            }
            Mark::Dots(points) => {
                let known = |point: &&Estimated| point.x.is_finite() && point.y.is_finite();
                let whisker = |point: &Estimated| {
                    let (low, high) = point.interval;
                    let there = low.is_finite() && high.is_finite() && low < high;
                    there.then(|| [place(point.x, low), place(point.x, high)])
                };
                let dot = |svg: &mut Svg, point: &Estimated| {
                    let at = place(point.x, point.y);
                    svg.shape(&series.look.dot_class(), series.look.shape, at);
                };
                let class = format!("{colour} whisker");
                if !self.hints {
                    let ends = points.iter().filter(known).filter_map(whisker);
                    let ends = ends.flat_map(|[low, high]| [Some(low), Some(high), None]);
                    let whiskers = trail(ends);
                    if !whiskers.is_empty() {
                        svg.path(&class, &whiskers);
                    }
                    points.iter().filter(known).for_each(|point| dot(svg, point));
                    return;
                }
                for point in points.iter().filter(known) {
                    svg.hinted(&hint(series, point, x, y), |svg| {
                        if let Some([low, high]) = whisker(point) {
                            svg.line(&class, low, high);
                        }
                        dot(svg, point);
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
