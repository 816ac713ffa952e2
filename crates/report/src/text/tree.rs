//! The counts of classified positions (Figure 3 of the paper).

use std::fmt::Write;

use discern_learn::TreeCounts;

use crate::{Align, TextTable};

/// The counts as people read them.
pub fn tree_text(counts: &TreeCounts) -> String {
    let mut text = String::new();
    let all = &counts.all;
    let share = |count: u64| 100.0 * count as f64 / all.positions.max(1) as f64;
    let mut line = |name: &str, count: u64, note: String| {
        let _ = writeln!(text, "{name:<28}{count:>12}  {note}");
    };
    let none = String::new;
    line("games", counts.games, format!("{} groups", counts.groups));
    line("  corrections", counts.corrections, none());
    line("  without a result", counts.games_without_result, none());
    line("tree nodes", counts.nodes, format!("{} visits", counts.visits));
    line("  moves between them", counts.edges, none());
    line("  transpositions", counts.transpositions, none());
    line("  game over", counts.over, none());
    line("  without a label", counts.without_label, none());
    line("  with disputed results", counts.disputed, none());
    let per_game = all.positions as f64 / counts.games.max(1) as f64;
    line("classified positions", all.positions, format!("{per_game:.1} per game"));
    line("  wins", all.wins, format!("{:.2} %", share(all.wins)));
    line("  draws", all.draws, format!("{:.2} %", share(all.draws)));
    line("  losses", all.losses, format!("{:.2} %", share(all.losses)));
    line("  with a score", all.scores, none());
    line("  solved", all.solved, none());
    line("  of several groups", all.shared, format!("{:.2} %", share(all.shared)));
    let changes = [
        ("labels changed by solving", all.changed_by_solving),
        ("  then by propagation", all.changed_by_propagation),
        ("  then by correction", all.changed_by_correction),
        ("  new by correction", all.new_by_correction),
    ];
    for (name, count) in changes {
        line(name, count, format!("{:.2} %", share(count)));
    }
    let columns = ["discs", "positions", "wins", "draws", "losses", "by solving", "propagation"];
    let columns = columns.into_iter().chain(["correction", "shared"]);
    let mut table = TextTable::new(columns.map(|name| (name, Align::Right)));
    for phase in &counts.phases {
        let numbers = [
            phase.discs.unwrap_or(0).into(),
            phase.positions,
            phase.wins,
            phase.draws,
            phase.losses,
            phase.changed_by_solving,
            phase.changed_by_propagation,
            phase.changed_by_correction,
            phase.shared,
        ];
        table.row(numbers.map(|number| number.to_string()));
    }
    let _ = write!(text, "\n{table}");
    text
}
