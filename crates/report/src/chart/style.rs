//! Colours, shapes, dashes and the style sheet.

/// Colours that readers with any kind of colour vision can tell apart (Okabe &
/// Ito 2008), with a lighter twin for dark backgrounds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Colour {
    /// LOG.
    Blue,
    /// QUAD.
    Vermilion,
    /// FISHER.
    Green,
    /// Won positions.
    Purple,
    /// Lost positions.
    Orange,
    /// References and everything that is not our data.
    Grey,
    /// The colour of the text: one series that needs no name.
    Ink,
}

impl Colour {
    /// Every colour, in the order series should use them.
    pub const ALL: [Self; 7] = [
        Self::Blue,
        Self::Green,
        Self::Vermilion,
        Self::Purple,
        Self::Orange,
        Self::Grey,
        Self::Ink,
    ];

    /// Name of its style class.
    pub(crate) fn class(self) -> &'static str {
        match self {
            Self::Blue => "blue",
            Self::Vermilion => "vermilion",
            Self::Green => "green",
            Self::Purple => "purple",
            Self::Orange => "orange",
            Self::Grey => "grey",
            Self::Ink => "ink",
        }
    }

    /// On light and on dark.
    fn values(self) -> (&'static str, &'static str) {
        match self {
            Self::Blue => ("#0072b2", "#56b4e9"),
            Self::Vermilion => ("#d55e00", "#ff8a3d"),
            Self::Green => ("#00865f", "#34c79a"),
            Self::Purple => ("#aa4499", "#dd8ccc"),
            Self::Orange => ("#b87700", "#f0b840"),
            Self::Grey => ("#6b7280", "#9ca3af"),
            Self::Ink => ("#1f2933", "#e5e7eb"),
        }
    }
}

/// What a dot looks like.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Shape {
    /// LOG, and anything that stands alone.
    #[default]
    Circle,
    /// FISHER.
    Square,
    /// QUAD.
    Triangle,
    /// The paper's figures.
    Diamond,
}

/// How a line is broken.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Dash {
    /// LOG, and anything that stands alone.
    #[default]
    Solid,
    /// FISHER.
    Long,
    /// QUAD.
    Short,
}

/// Colour, shape and dash of one series: three ways to tell it from others, so
/// that none of them has to carry it alone.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Look {
    /// Colour of all marks.
    pub colour: Colour,
    /// Shape of the dots.
    pub shape: Shape,
    /// Dashes of the line.
    pub dash: Dash,
    /// Only the outline of a dot is drawn.
    pub hollow: bool,
}

impl Look {
    /// How a model looks in every chart; others look like themselves.
    pub fn of_model(name: &str) -> Self {
        let (colour, shape, dash) = match name.to_ascii_uppercase().as_str() {
            "LOG" => (Colour::Blue, Shape::Circle, Dash::Solid),
            "FISHER" => (Colour::Green, Shape::Square, Dash::Long),
            "QUAD" => (Colour::Vermilion, Shape::Triangle, Dash::Short),
            _ => (Colour::Purple, Shape::Diamond, Dash::Solid),
        };
        Self { colour, shape, dash, hollow: false }
    }

    /// The paper's figures next to ours.
    pub const PAPER: Self =
        Self { colour: Colour::Grey, shape: Shape::Diamond, dash: Dash::Long, hollow: true };

    pub(crate) fn line_class(self) -> String {
        let dash = match self.dash {
            Dash::Solid => "",
            Dash::Long => " long",
            Dash::Short => " short",
        };
        format!("{} line{dash}", self.colour.class())
    }

    pub(crate) fn dot_class(self) -> String {
        let fill = if self.hollow { "hollow" } else { "solid" };
        format!("{} {fill}", self.colour.class())
    }
}

impl From<Colour> for Look {
    fn from(colour: Colour) -> Self {
        Self { colour, shape: Shape::Circle, dash: Dash::Solid, hollow: false }
    }
}

/// Who decides between light and dark.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Theme {
    /// The reader's system. Plain classes and no functions, for not every
    /// renderer of SVG knows those.
    Media,
    /// The page, by its `color-scheme`.
    Scheme,
}

/// What charts and drawings look like but for colours.
const SHAPES: &str = "\
.discern-chart{font:13px system-ui,'Segoe UI',Roboto,'Helvetica Neue','DejaVu Sans',sans-serif}\
.discern-chart text{stroke:none;font-variant-numeric:tabular-nums}\
.discern-chart .title{font-size:16px;font-weight:600}\
.discern-chart .heading{font-weight:600}\
.discern-chart .big{font-size:22px;font-weight:600}\
.discern-chart .quiet{font-size:12px}\
.discern-chart .grid,.discern-chart .axis{stroke-width:1}\
.discern-chart .line{fill:none;stroke-width:2;stroke-linejoin:round}\
.discern-chart .long{stroke-dasharray:7 3}\
.discern-chart .short{stroke-dasharray:2.5 2.5}\
.discern-chart .dashed{fill:none;stroke-width:1.5;stroke-dasharray:6 4}\
.discern-chart .area{fill-opacity:.2;stroke-width:2;stroke-linejoin:round}\
.discern-chart .band{fill-opacity:.18}\
.discern-chart .column{fill-opacity:.75}\
.discern-chart .whisker{stroke-width:1.5}\
.discern-chart .hollow{stroke-width:1.6}\
.discern-chart .edge{stroke-width:1.3;fill:none}\
.discern-chart .disc{stroke-width:1.2}\
.discern-chart .rule{stroke-width:.8}\
.discern-chart .empty{stroke-width:.7;fill:none}";

/// Selector, property, and the colour on light and on dark.
const COLOURS: [(&str, &str, &str, &str); 15] = [
    (".paper", "fill", "#ffffff", "#14181f"),
    ("text", "fill", "#1f2933", "#e5e7eb"),
    (".quiet", "fill", "#4b5563", "#a3acb9"),
    (".quiet text", "fill", "#4b5563", "#a3acb9"),
    (".grid", "stroke", "#e3e6ea", "#2a313b"),
    (".axis", "stroke", "#8a94a3", "#6b7686"),
    (".hollow", "fill", "#ffffff", "#14181f"),
    (".edge", "stroke", "#8a94a3", "#8a94a3"),
    (".disc", "stroke", "#1f2933", "#c5cad1"),
    (".black", "fill", "#1f2933", "#0b0d10"),
    (".white", "fill", "#ffffff", "#f1f2f4"),
    (".field", "fill", "#2f7d5b", "#2f7d5b"),
    (".rule", "stroke", "#1f5a40", "#1f5a40"),
    (".target", "fill", "#2f7d5b", "#4fb88a"),
    (".empty", "stroke", "#c5cad1", "#48525f"),
];

/// The style sheet of every chart. Paper is light whatever the screen is.
pub(crate) fn style_sheet(theme: Theme) -> String {
    match theme {
        Theme::Media => format!(
            "{SHAPES}{}@media screen and (prefers-color-scheme:dark){{{}}}",
            colours(|light, _| light.to_owned()),
            colours(|_, dark| dark.to_owned())
        ),
        Theme::Scheme => format!(
            "{SHAPES}{}@media print{{.discern-chart{{color-scheme:light}}}}",
            colours(|light, dark| format!("light-dark({light},{dark})"))
        ),
    }
}

fn colours(value: impl Fn(&str, &str) -> String) -> String {
    let mut sheet = String::new();
    for (selector, property, light, dark) in COLOURS {
        let value = value(light, dark);
        sheet.push_str(&format!(".discern-chart {selector}{{{property}:{value}}}"));
    }
    for colour in Colour::ALL {
        let ((light, dark), class) = (colour.values(), colour.class());
        let value = value(light, dark);
        sheet.push_str(&format!(
            ".discern-chart .{class}{{stroke:{value}}}\
             .discern-chart .{class}.area{{fill:{value}}}\
             .discern-chart .{class}.solid,.discern-chart .{class}.band,\
             .discern-chart .{class}.column{{fill:{value};stroke:none}}"
        ));
    }
    sheet
}
