//! The moves of an analysed position.

use std::io::{Result, Write};

use discern_players::{Analysis, AnalyzedMove};

use crate::{Align, TextTable};

/// Writes a row for each move, and how fast the search was.
///
/// # Errors
/// If `out` fails.
pub fn print_analysis(out: &mut dyn Write, analysis: &Analysis) -> Result<()> {
    let Analysis { mover, discs, .. } = analysis;
    writeln!(out, "{mover} to move, {discs} discs; probabilities are {mover}'s\n")?;
    let mut table = TextTable::new([
        ("move", Align::Left),
        ("wins", Align::Right),
        ("log-odds", Align::Right),
        ("depth", Align::Right),
        ("expected play", Align::Left),
    ]);
    for AnalyzedMove { line: mv, book, .. } in &analysis.moves {
        let value = match (&mv.outcome, mv.score) {
            (_, Some(score)) => format!("{score:+} discs"),
            (Some(outcome), None) => outcome.clone(),
            (None, None) => format!("{:+.2}", mv.value),
        };
        let depth = match (mv.exact, book) {
            (true, false) => "proven".into(),
            (true, true) => "book, proven".into(),
            (false, true) => format!("book, {}", mv.depth),
            (false, false) => mv.depth.to_string(),
        };
        let wins = format!("{:.1}%", 100.0 * mv.probability);
        table.row([&mv.mv, &wins, &value, &depth, &mv.pv]);
    }
    write!(out, "{table}")?;
    let (nodes, seconds) = (analysis.nodes as f64 / 1e6, analysis.seconds);
    let speed = if seconds > 0.0 { nodes / seconds } else { 0.0 };
    writeln!(out, "\n{nodes:.1} million nodes in {seconds:.2} s, {speed:.1} million/s")
}
