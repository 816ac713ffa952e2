//! Table 1 for the terminal: the paper next to ours.

use crate::numbers::{decimal, p_value};
use crate::reproduction::{Reproduction, Tally};
use crate::text_table::{Align, TextTable};

/// The paper's Table 1 next to ours, with the interval of our percentage and
/// both tests; `*` marks p < 5 %.
pub fn table_one(reproduction: &Reproduction) -> TextTable {
    let mut table = TextTable::new([
        ("pairing", Align::Left),
        ("minutes", Align::Right),
        ("paper", Align::Right),
        ("%", Align::Right),
        ("ours", Align::Right),
        ("%", Align::Right),
        ("95 % interval", Align::Right),
        ("p conservative", Align::Right),
        ("p paired", Align::Right),
    ]);
    let tally = |tally: &Tally| format!("{}–{}–{}", tally.wins, tally.draws, tally.losses);
    let p = |p: f64| format!("{}{}", p_value(p), if p < 0.05 { " *" } else { "  " });
    for row in &reproduction.table {
        table.row([
            row.players.join(" – "),
            row.minutes.map(|minutes| minutes.to_string()).join(" – "),
            tally(&row.paper),
            decimal(row.paper.percentage, 1),
            tally(&row.ours),
            decimal(row.ours.percentage, 1),
            row.interval.map(|end| decimal(end, 1)).join(" to "),
            p(row.p_conservative),
            p(row.p_paired),
        ]);
    }
    table
}
