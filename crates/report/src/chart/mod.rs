//! Charts as SVG: a title, axes with labels, series of marks, a legend.
//!
//! ```
//! use discern_report::chart::{Axis, Chart, Colour, Mark, Series};
//!
//! let svg = Chart::new("Strength", Axis::new("time", (0.0, 10.0)).unit("min"), Axis::new("score", (0.0, 1.0)))
//!     .series(Series::new("LOG", Colour::Blue, Mark::Line(vec![(0.0, 0.1), (10.0, 0.9)])))
//!     .svg();
//! assert!(svg.starts_with("<svg"));
//! ```

mod axis;
mod draw;
mod plot;
mod style;

pub use axis::{Axis, Numbers};
pub use style::{Colour, Dash, Look, Shape};
pub(crate) use style::{Theme, style_sheet};

/// A point with its confidence interval.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Estimated {
    /// Horizontal position.
    pub x: f64,
    /// Vertical position.
    pub y: f64,
    /// Ends of the interval.
    pub interval: (f64, f64),
}

/// How a series is drawn.
#[derive(Clone, Debug, PartialEq)]
pub enum Mark {
    /// A line through the points.
    Line(Vec<(f64, f64)>),
    /// A dashed line: a reference, not data.
    Reference(Vec<(f64, f64)>),
    /// The area between the line and the horizontal axis.
    Area(Vec<(f64, f64)>),
    /// The area between the ends of the intervals.
    Band(Vec<Estimated>),
    /// Columns from one height to another, as wide as they stand apart.
    Columns(Vec<Column>),
    /// Dots with their intervals.
    Dots(Vec<Estimated>),
}

/// One column of a stack.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Column {
    /// Horizontal position of its middle.
    pub x: f64,
    /// Where it begins.
    pub from: f64,
    /// Where it ends.
    pub to: f64,
}

/// Which vertical axis a series belongs to.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Side {
    /// The main axis.
    #[default]
    Left,
    /// The second axis.
    Right,
}

/// One entry of the legend and what it stands for.
#[derive(Clone, Debug, PartialEq)]
pub struct Series {
    /// Name in the legend; an empty name is not listed.
    pub name: String,
    /// Colour, shape and dash of all marks.
    pub look: Look,
    /// What is drawn.
    pub mark: Mark,
    /// Which vertical axis it is measured on.
    pub side: Side,
    /// Pixels to the right of its true place, so that dots do not hide others.
    pub shift: f64,
}

impl Series {
    /// A series on the left axis.
    pub fn new(name: impl Into<String>, look: impl Into<Look>, mark: Mark) -> Self {
        Self { name: name.into(), look: look.into(), mark, side: Side::Left, shift: 0.0 }
    }

    /// The same series some pixels to the right.
    pub fn shifted(mut self, pixels: f64) -> Self {
        self.shift = pixels;
        self
    }

    /// The same series on the right axis.
    pub fn on_right(mut self) -> Self {
        self.side = Side::Right;
        self
    }
}

/// A chart.
#[derive(Clone, Debug, PartialEq)]
pub struct Chart {
    title: String,
    note: String,
    x: Axis,
    y: Axis,
    right: Option<Axis>,
    series: Vec<Series>,
    width: f64,
    height: f64,
}

impl Chart {
    /// A chart with its axes and nothing in it.
    pub fn new(title: impl Into<String>, x: Axis, y: Axis) -> Self {
        Self {
            title: title.into(),
            note: String::new(),
            x,
            y,
            right: None,
            series: Vec::new(),
            width: 640.0,
            height: 440.0,
        }
    }

    /// A line under the title that says what the data are.
    pub fn note(mut self, note: impl Into<String>) -> Self {
        self.note = note.into();
        self
    }

    /// Adds a second vertical axis on the right.
    pub fn right_axis(mut self, axis: Axis) -> Self {
        self.right = Some(axis);
        self
    }

    /// Adds a series; later ones are drawn over earlier ones.
    pub fn series(mut self, series: Series) -> Self {
        self.series.push(series);
        self
    }

    /// Width and height in pixels.
    pub fn size(mut self, width: f64, height: f64) -> Self {
        (self.width, self.height) = (width, height);
        self
    }

    /// The chart as an SVG document that stands alone: with title, legend and
    /// style sheet.
    pub fn svg(&self) -> String {
        draw::document(self)
    }

    /// The chart as part of a page that has the style sheet and tells title,
    /// note and legend itself; readers who cannot see it still get the title.
    pub(crate) fn panel(&self) -> String {
        draw::panel(self, false)
    }

    /// A panel of small multiples: its title stands above it.
    pub(crate) fn titled_panel(&self) -> String {
        draw::panel(self, true)
    }

    /// Is there anything but lines in it?
    pub(crate) fn has_dots(&self) -> bool {
        self.series
            .iter()
            .any(|series| matches!(&series.mark, Mark::Dots(points) if !points.is_empty()))
    }

    /// Name and picture of every series that has a name.
    pub(crate) fn keys(&self) -> Vec<(String, String)> {
        let named = self.series.iter().filter(|series| !series.name.is_empty());
        named.map(|series| (series.name.clone(), draw::key(series))).collect()
    }
}
