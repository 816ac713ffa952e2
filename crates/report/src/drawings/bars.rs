//! Lengths compared: one bar for each model.

use super::NARROW;
use crate::chart::Look;
use crate::svg::{Anchor, Svg, text_width};

/// One bar.
pub(crate) struct Bar {
    pub name: String,
    pub look: Look,
    /// Its length; only the ratios matter.
    pub value: f64,
    /// What it says in numbers.
    pub note: String,
}

/// Bars under each other, from zero.
pub(crate) fn bars(title: &str, bars: &[Bar], width: f64) -> String {
    let narrow = width < NARROW;
    let row = if narrow { 54.0 } else { 40.0 };
    let names = bars.iter().map(|bar| text_width(&bar.name)).fold(0.0, f64::max);
    let notes = bars.iter().map(|bar| text_width(&bar.note)).fold(0.0, f64::max);
    let (left, right) = if narrow { (0.0, 0.0) } else { (1.2 * names + 36.0, notes + 10.0) };
    let longest = bars.iter().map(|bar| bar.value).filter(|value| value.is_finite());
    let longest = longest.fold(f64::MIN_POSITIVE, f64::max);
    let notes: Vec<String> =
        bars.iter().map(|bar| format!("{}: {}.", bar.name, bar.note)).collect();
    let mut svg = Svg::new(width, row * bars.len() as f64, title, &notes.join(" "));
    for (index, bar) in bars.iter().enumerate() {
        let top = row * index as f64;
        let (label, bar_top) =
            if narrow { (top + 15.0, top + 23.0) } else { (top + 25.0, top + 10.0) };
        let length = (width - left - right) * (bar.value / longest).clamp(0.0, 1.0);
        let class = bar.look.colour.class();
        svg.shape(&bar.look.dot_class(), bar.look.shape, (8.0, label - 4.0));
        svg.text("heading", (20.0, label), Anchor::Start, &bar.name);
        svg.rect(&format!("{class} column"), (left, bar_top), (length, 22.0), 2.0);
        if narrow {
            svg.text("quiet", (width, label), Anchor::End, &bar.note);
        } else {
            svg.text("quiet", (left + length + 10.0, label), Anchor::Start, &bar.note);
        }
    }
    svg.finish()
}
