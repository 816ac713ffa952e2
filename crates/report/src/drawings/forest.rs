//! Dots with intervals on one axis, the paper's values beside them.

use super::NARROW;
use crate::chart::{Axis, Colour, Look, Numbers};
use crate::numbers::{decimal, percentage, percentage_range};
use crate::svg::{Anchor, Svg};

/// One line of the drawing, in percentages.
pub(crate) struct Compared {
    pub name: String,
    pub detail: String,
    pub paper: f64,
    pub paper_interval: [f64; 2],
    pub ours: f64,
    pub interval: [f64; 2],
}

/// Every row with the paper's value, ours and its interval, around 50 %.
pub(crate) fn forest(title: &str, rows: &[Compared], width: f64) -> String {
    let narrow = width < NARROW;
    let (row_height, top) = if narrow { (58.0, 40.0) } else { (42.0, 34.0) };
    let (left, right) = if narrow { (16.0, width - 20.0) } else { (185.0, width - 175.0) };
    let bottom = top + row_height * rows.len() as f64;
    let axis = axis(rows);
    let x =
        |percentage: f64| left + (right - left) * axis.share(percentage / 100.0).clamp(0.0, 1.0);

    let said: Vec<String> = rows.iter().map(say).collect();
    let mut svg = Svg::new(width, bottom + 44.0, title, &said.join(" "));
    legend(&mut svg);
    // Rows with their names above interrupt the upright lines: no line runs
    // through words.
    let pieces: Vec<(f64, f64)> = if narrow {
        let upper = |index| top + row_height * index as f64;
        (0..rows.len()).map(|index| (upper(index) + 26.0, upper(index) + 50.0)).collect()
    } else {
        vec![(top, bottom + 4.0)]
    };
    let upright = |svg: &mut Svg, class: &str, x: f64| {
        pieces.iter().for_each(|&(from, to)| svg.line(class, (x, from), (x, to)));
    };
    for (value, label) in axis.ticks(if narrow { 4 } else { 7 }) {
        let at = x(100.0 * value);
        upright(&mut svg, "grid", at);
        svg.text("quiet", (at, bottom + 16.0), Anchor::Middle, &label);
    }
    upright(&mut svg, "axis", x(50.0));
    let middle = (left + right) / 2.0;
    svg.text("quiet", (middle, bottom + 36.0), Anchor::Middle, "points of the first player");

    for (index, row) in rows.iter().enumerate() {
        let upper = top + row_height * index as f64;
        let y = upper + if narrow { 38.0 } else { row_height / 2.0 };
        let text = if narrow { upper + 18.0 } else { y + 4.0 };
        let range = percentage_range(row.interval);
        if narrow {
            svg.text("heading", (0.0, text), Anchor::Start, &row.name);
            let detail = format!("{}, {}", row.detail, percentage(row.ours));
            svg.text("quiet", (width, text), Anchor::End, &detail);
        } else {
            svg.text("heading", (0.0, y - 2.0), Anchor::Start, &row.name);
            svg.text("quiet", (0.0, y + 14.0), Anchor::Start, &row.detail);
            svg.text("heading", (right + 18.0, y - 2.0), Anchor::Start, &percentage(row.ours));
            svg.text("quiet", (right + 18.0, y + 14.0), Anchor::Start, &range);
        }
        svg.hinted(&say(row), |svg| {
            let ends = row.interval.map(x);
            svg.line("ink line", (ends[0], y), (ends[1], y));
            for end in ends {
                svg.line("ink whisker", (end, y - 4.0), (end, y + 4.0));
            }
            let paper = Look::PAPER;
            let [low, high] = row.paper_interval.map(x);
            svg.line("grey whisker", (low, y + 6.0), (high, y + 6.0));
            svg.shape(&paper.dot_class(), paper.shape, (x(row.paper), y + 6.0));
            let ours = Look::from(Colour::Ink);
            svg.shape(&ours.dot_class(), ours.shape, (x(row.ours), y));
        });
    }
    svg.finish()
}

/// A row for those who cannot see it.
fn say(row: &Compared) -> String {
    format!(
        "{}, {}: ours {} ({}), the paper {} ({}).",
        row.name,
        row.detail,
        percentage(row.ours),
        percentage_range(row.interval),
        percentage(row.paper),
        percentage_range(row.paper_interval)
    )
    .replace(&decimal(f64::NAN, 0), "not known")
}

/// Around all values and 50 %.
fn axis(rows: &[Compared]) -> Axis {
    let values =
        rows.iter().flat_map(|row| [row.interval, row.paper_interval, [row.paper, row.ours]]);
    let values = values.flatten();
    let (low, high) = values
        .filter(|value| value.is_finite())
        .fold((45.0f64, 55.0f64), |(low, high), value| (low.min(value), high.max(value)));
    Axis::new("", ((low - 1.5) / 100.0, (high + 1.5) / 100.0)).numbers(Numbers::Percent)
}

fn legend(svg: &mut Svg) {
    let (ours, paper) = (Look::from(Colour::Ink), Look::PAPER);
    svg.line("ink line", (2.0, 10.0), (26.0, 10.0));
    svg.shape(&ours.dot_class(), ours.shape, (14.0, 10.0));
    svg.text("quiet", (34.0, 14.0), Anchor::Start, "ours, 95 % interval");
    svg.shape(&paper.dot_class(), paper.shape, (180.0, 10.0));
    svg.text("quiet", (192.0, 14.0), Anchor::Start, "the paper, its interval");
}
