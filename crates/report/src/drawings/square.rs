//! A matrix as a square of shades.

use std::collections::BTreeMap;
use std::fmt::Write;

use crate::markup::escape;

const SIDE: usize = 30;
const LEFT: usize = 52;
const TOP: usize = 24;
/// Steps from nothing to the deepest.
const SHADES: f64 = 20.0;

/// A cell for each pair of names: blue above 0, red below, and as deep as its value
/// is large beside `deepest`. Cells without a value stay empty.
pub(crate) fn square(
    title: &str,
    names: &[String],
    deepest: f64,
    value: impl Fn(usize, usize) -> Option<f64>,
) -> String {
    let size = SIDE * names.len();
    let (width, height) = (LEFT + size + 2, TOP + size + 2);
    let mut svg = format!(
        "<div class=\"panels two\"><div>\
         <svg xmlns=\"http://www.w3.org/2000/svg\" class=\"discern-chart\" role=\"img\" \
         viewBox=\"0 0 {width} {height}\" width=\"{width}\" height=\"{height}\"><title>{}</title>",
        escape(title)
    );
    let middle = |i: usize| SIDE * i + SIDE / 2;
    for (i, name) in names.iter().enumerate() {
        let (name, x, y) = (escape(name), LEFT + middle(i), TOP + middle(i) + 4);
        let _ = write!(
            svg,
            "<text class=\"quiet\" x=\"{}\" y=\"{y}\" text-anchor=\"end\">{name}</text>\
             <text class=\"quiet\" x=\"{x}\" y=\"{}\" text-anchor=\"middle\">{name}</text>",
            LEFT - 4,
            TOP - 6,
        );
    }
    // Cells of a shade are one path: hundreds of paths would be a tenth of a page.
    let mut shades: BTreeMap<(bool, u32), String> = BTreeMap::new();
    let cells = (0..names.len()).flat_map(|i| (0..names.len()).map(move |j| (i, j)));
    for (i, j) in cells {
        let Some(value) = value(i, j).filter(|value| value.is_finite()) else { continue };
        let depth = (value.abs() / deepest.max(f64::MIN_POSITIVE)).min(1.0);
        let shade = (value < 0.0, (SHADES * depth).round() as u32);
        let (x, y, side) = (LEFT + SIDE * j, TOP + SIDE * i, SIDE - 1);
        let cell = format!("M{x} {y}h{side}v{side}h-{side}z");
        shades.entry(shade).or_default().push_str(&cell);
    }
    for ((below, depth), cells) in shades.into_iter().filter(|((_, depth), _)| *depth > 0) {
        let colour = if below { "#c8553d" } else { "#2f7fb8" };
        let opacity = f64::from(depth) / SHADES;
        let _ =
            write!(svg, "<path fill=\"{colour}\" fill-opacity=\"{opacity:.2}\" d=\"{cells}\"/>");
    }
    svg + "</svg></div></div>\n"
}
