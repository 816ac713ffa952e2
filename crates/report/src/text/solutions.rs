//! Solved endgames, a line each.

use std::fmt::Write;

use discern_board::Outcome;
use discern_players::{Known, Solution, SolutionTotals};
use discern_search::{Bounds, Certainty, Report};

/// What stands above the lines.
pub const SOLUTIONS_HEAD: &str =
    "  #  empties  result  move        nodes      time      nodes/s  line";

/// A solved position; its moves in lines of their own, if they were asked for.
pub fn solution_line(solution: &Solution) -> String {
    let Solution { index, empties, nodes, seconds, pv, .. } = solution;
    let result = known_text(&solution.known);
    let mv = solution.mv.as_deref().unwrap_or("–");
    let speed = *nodes as f64 / seconds.max(1e-9) / 1e6;
    let bounds = if solution.known.proven { "" } else { "  (bounds, not proven)" };
    let other = if solution.agrees == Some(false) { "  (the file has another score)" } else { "" };
    let mut line = format!(
        "{index:>3}  {empties:>7}  {result:>6}  {mv:>4} {nodes:>12} {seconds:>7.3} s {speed:>8.1} M/s  {pv}{bounds}{other}"
    );
    for mv in solution.moves.iter().flatten() {
        let (result, pv) = (known_text(&mv.known), &mv.pv);
        let bounds = if mv.known.proven { "" } else { "  (bounds)" };
        let _ = write!(line, "\n{result:>20}  {:>4} {:>37}  {pv}{bounds}", mv.mv, "");
    }
    line
}

/// The score or the outcome, or between what the score lies.
fn known_text(known: &Known) -> String {
    match (known.score, known.bounds, &known.outcome) {
        (Some(score), ..) => signed(score),
        (_, Some([lower, upper]), _) => format!("{}…{}", signed(lower), signed(upper)),
        (_, _, outcome) => outcome.clone().unwrap_or_default(),
    }
}

fn signed(discs: i32) -> String {
    if discs == 0 { "0".into() } else { format!("{discs:+}") }
}

/// What all took, and how many known scores agree.
pub fn totals_text(totals: &SolutionTotals) -> String {
    let SolutionTotals { nodes, seconds, compared, others, unproven, .. } = totals;
    let nodes = *nodes as f64 / 1e6;
    let speed = nodes / seconds.max(1e-9);
    let mut text = format!("all: {nodes:.1} million nodes in {seconds:.2} s, {speed:.1} M/s\n");
    if *unproven > 0 {
        let _ = writeln!(text, "{unproven} not solved in time: bounds");
    }
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

/// How far a solve has come: what is proven, the pass under way, nodes, time.
pub fn solving_text(report: &Report) -> String {
    let (nodes, seconds) = (report.nodes as f64 / 1e6, report.time.as_secs_f64());
    let speed = report.nodes_per_second() / 1e6;
    let effort = format!("{nodes:.1} million nodes in {seconds:.1} s, {speed:.1} M/s");
    let Some(proof) = &report.proof else {
        let depth = match report.best().map(|line| line.certainty) {
            Some(Certainty::Depth(depth)) => depth,
            _ => 0,
        };
        return format!("looking ahead, depth {depth}: {effort}");
    };
    let depth = proof.depth;
    let pass = match (proof.selective, proof.goal) {
        (true, _) => format!("selective pass, depth {depth}"),
        (false, Certainty::Score) => {
            format!("proof, depth {depth}, about {}", signed(proof.expected))
        }
        (false, _) => format!("proof, depth {depth}"),
    };
    let known = match proof.goal {
        Certainty::Score => {
            let Bounds { lower, upper } = proof.bounds();
            format!("{}…{}", signed(lower.discs()), signed(upper.discs()))
        }
        _ => match proof.bounds().outcomes() {
            [Outcome::Loss, Outcome::Win] => "nothing proven".into(),
            [worst, best] if worst == best => worst.to_string(),
            [worst, best] => format!("{worst} or {best}"),
        },
    };
    let moves = proof.moves.iter().filter(|(_, bounds)| bounds.score().is_some()).count();
    let solved = match proof.moves.len() {
        all if moves > 0 => format!(", {moves} of {all} moves solved"),
        _ => String::new(),
    };
    format!("{known}{solved}; {pass}: {effort}")
}
