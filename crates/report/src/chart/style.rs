//! Colours and style sheet.

/// Colours that readers with any kind of colour vision can tell apart (Okabe &
/// Ito 2008), with a lighter twin for dark backgrounds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Colour {
    /// Won, LOG.
    Blue,
    /// Lost, QUAD.
    Vermilion,
    /// FISHER.
    Green,
    /// A fourth series.
    Purple,
    /// A fifth series.
    Orange,
    /// References and everything that is not data.
    Grey,
}

impl Colour {
    /// Every colour, in the order series should use them.
    pub const ALL: [Self; 6] =
        [Self::Blue, Self::Green, Self::Vermilion, Self::Purple, Self::Orange, Self::Grey];

    /// Name of its style class.
    pub(super) fn class(self) -> &'static str {
        match self {
            Self::Blue => "blue",
            Self::Vermilion => "vermilion",
            Self::Green => "green",
            Self::Purple => "purple",
            Self::Orange => "orange",
            Self::Grey => "grey",
        }
    }

    /// On light and on dark.
    fn values(self) -> (&'static str, &'static str) {
        match self {
            Self::Blue => ("#0072b2", "#56b4e9"),
            Self::Vermilion => ("#d55e00", "#ff8a3d"),
            Self::Green => ("#009e73", "#34c79a"),
            Self::Purple => ("#aa4499", "#dd8ccc"),
            Self::Orange => ("#b87700", "#f0b840"),
            Self::Grey => ("#6b7280", "#9ca3af"),
        }
    }
}

/// The style sheet of every chart. Plain classes and no variables, for not
/// every renderer of SVG knows those.
pub(super) fn style_sheet() -> String {
    let mut sheet = String::from(
        ".discern-chart{font:13px system-ui,'Segoe UI',Roboto,'DejaVu Sans',sans-serif}\
         .discern-chart .paper{fill:#ffffff}\
         .discern-chart text{fill:#1f2937}\
         .discern-chart .title{font-size:16px;font-weight:600}\
         .discern-chart .quiet{fill:#4b5563;font-size:12px}\
         .discern-chart .grid{stroke:#e5e7eb;stroke-width:1}\
         .discern-chart .axis{stroke:#6b7280;stroke-width:1}\
         .discern-chart .line{fill:none;stroke-width:2;stroke-linejoin:round}\
         .discern-chart .dashed{fill:none;stroke-width:1.5;stroke-dasharray:6 4}\
         .discern-chart .area{fill-opacity:.22;stroke-width:2;stroke-linejoin:round}\
         .discern-chart .whisker{stroke-width:1.5}",
    );
    let colours = |sheet: &mut String, dark: bool| {
        for colour in Colour::ALL {
            let (on_light, on_dark) = colour.values();
            let value = if dark { on_dark } else { on_light };
            let class = colour.class();
            sheet.push_str(&format!(
                ".discern-chart .{class}{{stroke:{value}}}\
                 .discern-chart .{class}.area,.discern-chart .{class}.dot{{fill:{value}}}"
            ));
        }
    };
    colours(&mut sheet, false);
    sheet.push_str(
        "@media (prefers-color-scheme:dark){\
         .discern-chart .paper{fill:#111827}\
         .discern-chart text{fill:#e5e7eb}\
         .discern-chart .quiet{fill:#9ca3af}\
         .discern-chart .grid{stroke:#1f2937}\
         .discern-chart .axis{stroke:#6b7280}",
    );
    colours(&mut sheet, true);
    sheet.push('}');
    sheet
}
