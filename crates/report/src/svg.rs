//! One drawing in SVG: lines, shapes and text in the order they are painted.

use std::fmt::Write;

use crate::chart::Shape;
use crate::markup::escape;

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
            "<line class=\"{class}\" x1=\"{:.1}\" y1=\"{:.1}\" x2=\"{:.1}\" y2=\"{:.1}\"/>",
            from.0, from.1, to.0, to.1
        );
    }

    pub fn rect(&mut self, class: &str, corner: (f64, f64), size: (f64, f64), radius: f64) {
        let _ = write!(
            self.out,
            "<rect class=\"{class}\" x=\"{:.1}\" y=\"{:.1}\" width=\"{:.1}\" height=\"{:.1}\"",
            corner.0,
            corner.1,
            size.0.max(0.0),
            size.1.max(0.0)
        );
        if radius > 0.0 {
            let _ = write!(self.out, " rx=\"{radius}\"");
        }
        self.out.push_str("/>");
    }

    pub fn circle(&mut self, class: &str, centre: (f64, f64), radius: f64) {
        let _ = write!(
            self.out,
            "<circle class=\"{class}\" cx=\"{:.1}\" cy=\"{:.1}\" r=\"{radius}\"/>",
            centre.0, centre.1
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
        if !content.is_empty() {
            let _ = write!(
                self.out,
                "<text class=\"{class}\" x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"{}\">{}</text>",
                at.0,
                at.1,
                anchor.word(),
                escape(content)
            );
        }
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
