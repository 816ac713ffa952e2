//! One drawing in SVG: lines, shapes and text in the order they are painted.

use std::fmt::{self, Write};

use crate::chart::Shape;
use crate::markup::escape;

/// A coordinate to a tenth, without what says nothing: a page has ten thousand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Tenths(i64);

impl From<f64> for Tenths {
    fn from(value: f64) -> Tenths {
        Tenths((10.0 * value).round() as i64)
    }
}

impl fmt::Display for Tenths {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let sign = if self.0 < 0 { "-" } else { "" };
        match (self.0.abs() / 10, self.0.abs() % 10) {
            (whole, 0) => write!(f, "{sign}{whole}"),
            (0, tenth) => write!(f, "{sign}.{tenth}"),
            (whole, tenth) => write!(f, "{sign}{whole}.{tenth}"),
        }
    }
}

/// Two coordinates; a sign parts them as well as a blank.
struct Pair(Tenths, Tenths);

impl fmt::Display for Pair {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let blank = if self.1.0 < 0 { "" } else { " " };
        write!(f, "{}{blank}{}", self.0, self.1)
    }
}

/// A path through points, with a gap where there is none. Each point is a step
/// from the last one, which takes half as many letters as where it lies.
pub(crate) fn trail(points: impl IntoIterator<Item = Option<(f64, f64)>>) -> String {
    let (mut out, mut last, mut stepping) = (String::new(), None, false);
    for point in points {
        let here = point.map(|(x, y)| (Tenths::from(x), Tenths::from(y)));
        match (last, here) {
            (_, None) => {}
            (None, Some((x, y))) => {
                let _ = write!(out, "M{}", Pair(x, y));
                stepping = false;
            }
            (Some((from_x, from_y)), Some((x, y))) => {
                let (Tenths(a), Tenths(b)) = (from_x, from_y);
                let step = Pair(Tenths(x.0 - a), Tenths(y.0 - b));
                let letter = match stepping {
                    false => "l",
                    true if step.0.0 < 0 => "",
                    true => " ",
                };
                let _ = write!(out, "{letter}{step}");
                stepping = true;
            }
        }
        last = here;
    }
    out
}

/// Which end of a text its position names.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Anchor {
    Start,
    Middle,
    End,
}

impl Anchor {
    fn word(self) -> &'static str {
        match self {
            Self::Start => "start",
            Self::Middle => "middle",
            Self::End => "end",
        }
    }
}

/// A drawing under way. Colours and strokes come from classes, so that one
/// style sheet serves light, dark and print.
pub(crate) struct Svg {
    out: String,
}

impl Svg {
    /// An empty drawing; title and description are for readers who cannot see it.
    pub fn new(width: f64, height: f64, title: &str, description: &str) -> Self {
        let mut out = format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"discern-chart\" role=\"img\" \
             viewBox=\"0 0 {width} {height}\" width=\"{width}\" height=\"{height}\">\
             <title>{}</title>",
            escape(title)
        );
        if !description.is_empty() {
            let _ = write!(out, "<desc>{}</desc>", escape(description));
        }
        Self { out }
    }

    /// Adds a style sheet, for a drawing that has to stand alone.
    pub fn style(&mut self, sheet: &str) {
        let _ = write!(self.out, "<style>{sheet}</style>");
    }

    pub fn line(&mut self, class: &str, from: (f64, f64), to: (f64, f64)) {
        let _ = write!(
            self.out,
            "<line class=\"{class}\" x1=\"{}\" y1=\"{}\" x2=\"{}\" y2=\"{}\"/>",
            Tenths::from(from.0),
            Tenths::from(from.1),
            Tenths::from(to.0),
            Tenths::from(to.1),
        );
    }

    pub fn rect(&mut self, class: &str, corner: (f64, f64), size: (f64, f64), radius: f64) {
        let _ = write!(
            self.out,
            "<rect class=\"{class}\" x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\"",
            Tenths::from(corner.0),
            Tenths::from(corner.1),
            Tenths::from(size.0.max(0.0)),
            Tenths::from(size.1.max(0.0)),
        );
        if radius > 0.0 {
            let _ = write!(self.out, " rx=\"{radius}\"");
        }
        self.out.push_str("/>");
    }

    pub fn circle(&mut self, class: &str, centre: (f64, f64), radius: f64) {
        let _ = write!(
            self.out,
            "<circle class=\"{class}\" cx=\"{}\" cy=\"{}\" r=\"{radius}\"/>",
            Tenths::from(centre.0),
            Tenths::from(centre.1),
        );
    }

    pub fn path(&mut self, class: &str, data: &str) {
        let _ = write!(self.out, "<path class=\"{class}\" d=\"{data}\"/>");
    }

    /// A mark around a point.
    pub fn shape(&mut self, class: &str, shape: Shape, at: (f64, f64)) {
        let (x, y) = at;
        match shape {
            Shape::Circle => self.circle(class, at, 3.5),
            Shape::Square => self.rect(class, (x - 3.2, y - 3.2), (6.4, 6.4), 0.0),
            Shape::Triangle => self.path(class, &format!("M{x:.1} {:.1}l4.4 7.4h-8.8z", y - 4.6)),
            Shape::Diamond => {
                self.path(class, &format!("M{x:.1} {:.1}l4.6 4.6l-4.6 4.6l-4.6 -4.6z", y - 4.6));
            }
        }
    }

    pub fn text(&mut self, class: &str, at: (f64, f64), anchor: Anchor, content: &str) {
        if content.is_empty() {
            return;
        }
        // The start is where a text is held anyway.
        let held = match anchor {
            Anchor::Start => String::new(),
            _ => format!(" text-anchor=\"{}\"", anchor.word()),
        };
        let _ = write!(
            self.out,
            "<text class=\"{class}\" x=\"{}\" y=\"{}\"{held}>{}</text>",
            Tenths::from(at.0),
            Tenths::from(at.1),
            escape(content)
        );
    }

    /// Several texts held alike.
    pub fn texts(&mut self, class: &str, anchor: Anchor, all: &[((f64, f64), String)]) {
        if all.is_empty() {
            return;
        }
        let held = anchor.word();
        let _ = write!(self.out, "<g class=\"{class}\" text-anchor=\"{held}\">");
        for ((x, y), content) in all {
            let (x, y) = (Tenths::from(*x), Tenths::from(*y));
            let _ = write!(self.out, "<text x=\"{x}\" y=\"{y}\">{}</text>", escape(content));
        }
        self.out.push_str("</g>");
    }

    /// Text from bottom to top around a point.
    pub fn turned_text(&mut self, at: (f64, f64), content: &str) {
        let (x, y) = at;
        let _ = write!(
            self.out,
            "<text x=\"{x:.1}\" y=\"{y:.1}\" text-anchor=\"middle\" \
             transform=\"rotate(-90 {x:.1} {y:.1})\">{}</text>",
            escape(content)
        );
    }

    /// What `draw` draws shows `hint` under the pointer.
    pub fn hinted(&mut self, hint: &str, draw: impl FnOnce(&mut Self)) {
        let _ = write!(self.out, "<g><title>{}</title>", escape(hint));
        draw(self);
        self.out.push_str("</g>");
    }

    pub fn finish(mut self) -> String {
        self.out.push_str("</svg>");
        self.out
    }
}

/// About the width of a text in the small size of axes.
pub(crate) fn text_width(text: &str) -> f64 {
    6.7 * text.chars().count() as f64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_trail_steps_from_point_to_point_without_drifting() {
        let points = [(1.0, 2.0), (1.44, 2.46), (1.88, 1.0), (0.5, 1.0)].map(Some);
        assert_eq!(trail(points), "M1 2l.4 .5 .5-1.5-1.4 0");
        let thirds = (0..=300).map(|i| Some((f64::from(i) / 3.0, 0.0)));
        let text = trail(thirds);
        let steps = text.trim_start_matches("M0 0l").split([' ', '-']).step_by(2);
        let sum: f64 = steps.map(|step| step.parse::<f64>().unwrap()).sum();
        assert!((sum - 100.0).abs() < 1e-9, "{sum}");
    }

    #[test]
    fn a_trail_has_a_gap_where_a_point_is_missing() {
        let points = [Some((0.0, 0.0)), Some((1.0, 0.0)), None, Some((3.0, 0.0))];
        assert_eq!(trail(points), "M0 0l1 0M3 0");
    }
}
