//! Solved endgames, a line each.

use std::fmt::Write;

use discern_players::{Solution, SolutionTotals};

/// What stands above the lines.
pub const SOLUTIONS_HEAD: &str =
    "  #  empties  result  move        nodes      time      nodes/s  line";

/// A solved position.
pub fn solution_line(solution: &Solution) -> String {
    let Solution { index, empties, nodes, seconds, pv, .. } = solution;
    let result = solution.score.map_or(solution.outcome.clone(), |score| format!("{score:+}"));
    let mv = solution.mv.as_deref().unwrap_or("–");
    let speed = *nodes as f64 / seconds.max(1e-9) / 1e6;
    let other = if solution.agrees == Some(false) { "  (the file has another score)" } else { "" };
    format!(
        "{index:>3}  {empties:>7}  {result:>6}  {mv:>4} {nodes:>12} {seconds:>7.3} s {speed:>8.1} M/s  {pv}{other}"
    )
}

/// What all took, and how many known scores agree.
pub fn totals_text(totals: &SolutionTotals) -> String {
    let SolutionTotals { nodes, seconds, compared, others } = totals;
    let nodes = *nodes as f64 / 1e6;
    let speed = nodes / seconds.max(1e-9);
    let mut text = format!("all: {nodes:.1} million nodes in {seconds:.2} s, {speed:.1} M/s\n");
    if *compared > 0 {
        let agreed = compared - others.len();
        let _ = writeln!(text, "{agreed} of {compared} known scores agree");
    }
    if !others.is_empty() {
        let others: Vec<String> = others.iter().map(ToString::to_string).collect();
        let _ = writeln!(text, "other scores in positions {}", others.join(", "));
    }
    text
}
