//! Figure 3: games become a tree, the tree classifies positions.

use discern_learn::TreeCounts;

use crate::markup::in_two_widths;
use crate::numbers::{count, share_of};
use crate::svg::{Anchor, Svg};

/// Height of each of the three pictures; they are 190 wide.
const PICTURE: f64 = 150.0;

/// The three stages, side by side or under each other.
pub(crate) fn classification(database: &TreeCounts) -> String {
    in_two_widths(&draw(database, true), &draw(database, false))
}

/// One stage: its picture, its number and words for it.
struct Stage {
    picture: fn(&mut Svg, (f64, f64)),
    number: String,
    noun: &'static str,
    detail: String,
    /// What leads on to the next stage.
    step: &'static str,
}

fn stages(database: &TreeCounts) -> [Stage; 3] {
    [
        Stage {
            picture: games,
            number: count(database.games),
            noun: "games",
            detail: "each with its result".to_string(),
            step: "merge",
        },
        Stage {
            picture: tree,
            number: count(database.nodes),
            noun: "nodes of one tree",
            detail: format!("{} transpositions", count(database.transpositions)),
            step: "classify",
        },
        Stage {
            picture: positions,
            number: count(database.all.positions),
            noun: "classified positions",
            detail: format!(
                "{} drawn ({})",
                count(database.all.draws),
                share_of(database.all.draws, database.all.positions)
            ),
            step: "",
        },
    ]
}

fn draw(database: &TreeCounts, wide: bool) -> String {
    let stages = stages(database);
    let said: Vec<String> = stages
        .iter()
        .map(|stage| format!("{} {}, {}.", stage.number, stage.noun, stage.detail))
        .collect();
    let (width, height) = if wide { (800.0, 236.0) } else { (344.0, 3.0 * 268.0 - 34.0) };
    let title = "From games through a tree to classified positions";
    let mut svg = Svg::new(width, height, title, &said.join(" "));
    for (index, stage) in stages.iter().enumerate() {
        let index = index as f64;
        let middle = if wide { 125.0 + 275.0 * index } else { width / 2.0 };
        let top = if wide { 0.0 } else { 268.0 * index };
        (stage.picture)(&mut svg, (middle - 95.0, top));
        let text = top + PICTURE;
        svg.text("big", (middle, text + 34.0), Anchor::Middle, &stage.number);
        svg.text("heading", (middle, text + 56.0), Anchor::Middle, stage.noun);
        svg.text("quiet", (middle, text + 76.0), Anchor::Middle, &stage.detail);
        if stage.step.is_empty() {
            continue;
        }
        if wide {
            arrow(&mut svg, (middle + 110.0, 84.0), (middle + 165.0, 84.0));
            svg.text("quiet", (middle + 137.0, 74.0), Anchor::Middle, stage.step);
        } else {
            arrow(&mut svg, (middle, text + 86.0), (middle, text + 110.0));
            svg.text("quiet", (middle + 12.0, text + 103.0), Anchor::Start, stage.step);
        }
    }
    svg.finish()
}

fn arrow(svg: &mut Svg, from: (f64, f64), to: (f64, f64)) {
    svg.line("axis", from, to);
    let (x, y) = to;
    if from.1 == to.1 {
        svg.path(
            "edge",
            &format!("M{:.1} {:.1}L{x:.1} {y:.1}L{:.1} {:.1}", x - 7.0, y - 5.0, x - 7.0, y + 5.0),
        );
    } else {
        svg.path(
            "edge",
            &format!("M{:.1} {:.1}L{x:.1} {y:.1}L{:.1} {:.1}", x - 5.0, y - 7.0, x + 5.0, y - 7.0),
        );
    }
}

/// A move: a disc of the colour that made it.
fn disc(svg: &mut Svg, at: (f64, f64), ply: usize) {
    let colour = if ply.is_multiple_of(2) { "black" } else { "white" };
    svg.circle(&format!("disc {colour}"), at, 6.5);
}

/// Games side by side, each a row of moves with its result below.
fn games(svg: &mut Svg, (left, top): (f64, f64)) {
    for (game, result) in ["won", "lost", "won", "drawn", "lost"].iter().enumerate() {
        let x = left + 15.0 + 40.0 * game as f64;
        svg.line("edge", (x, top + 14.0), (x, top + 118.0));
        for ply in 0..5 {
            disc(svg, (x, top + 14.0 + 26.0 * ply as f64), ply);
        }
        svg.text("quiet", (x, top + 143.0), Anchor::Middle, result);
    }
}

/// The same games merged: what they share stands there once, and two lines
/// meet again.
fn tree(svg: &mut Svg, (left, top): (f64, f64)) {
    const NODES: [(f64, usize); 12] = [
        (95.0, 0),
        (55.0, 1),
        (135.0, 1),
        (25.0, 2),
        (85.0, 2),
        (140.0, 2),
        (25.0, 3),
        (110.0, 3),
        (165.0, 3),
        (15.0, 4),
        (75.0, 4),
        (135.0, 4),
    ];
    // The eighth node has two parents: a transposition.
    const EDGES: [(usize, usize); 12] = [
        (0, 1),
        (0, 2),
        (1, 3),
        (1, 4),
        (2, 5),
        (3, 6),
        (4, 7),
        (5, 7),
        (5, 8),
        (6, 9),
        (7, 10),
        (7, 11),
    ];
    let place = |(x, ply): (f64, usize)| (left + x, top + 14.0 + 26.0 * ply as f64);
    for (from, to) in EDGES {
        svg.line("edge", place(NODES[from]), place(NODES[to]));
    }
    for node in NODES {
        disc(svg, place(node), node.1);
    }
    for (x, result) in [(15.0, "won"), (75.0, "lost"), (135.0, "drawn")] {
        svg.text("quiet", (left + x, top + 143.0), Anchor::Middle, result);
    }
    svg.text("quiet", (left + 182.0, top + 106.0), Anchor::Middle, "won");
}

/// Three boards with their labels.
fn positions(svg: &mut Svg, (left, top): (f64, f64)) {
    // Rows from the top; X black, O white.
    const BOARDS: [(&str, [&str; 6]); 3] = [
        ("won", ["......", "..XO..", ".XXXO.", "..XOO.", "...X..", "......"]),
        ("drawn", ["..O...", "..OX..", ".XOOX.", ".XXOO.", "..X.O.", "......"]),
        ("lost", ["......", ".OOO..", "..OXX.", ".OOX..", "..O...", ".O...."]),
    ];
    const SQUARE: f64 = 9.0;
    for (index, (label, rows)) in BOARDS.into_iter().enumerate() {
        let x = left + 1.0 + 66.0 * index as f64;
        let y = top + 44.0;
        let side = 6.0 * SQUARE;
        svg.rect("field", (x, y), (side, side), 3.0);
        for line in 1..6 {
            let offset = SQUARE * line as f64;
            svg.line("rule", (x + offset, y), (x + offset, y + side));
            svg.line("rule", (x, y + offset), (x + side, y + offset));
        }
        for (row, line) in rows.into_iter().enumerate() {
            for (column, square) in line.chars().enumerate().filter(|(_, square)| *square != '.') {
                let class = if square == 'X' { "piece black" } else { "piece white" };
                let at = |index: usize| SQUARE * (index as f64 + 0.5);
                svg.circle(class, (x + at(column), y + at(row)), 3.6);
            }
        }
        svg.text("heading", (x + side / 2.0, y + side + 20.0), Anchor::Middle, label);
    }
}
