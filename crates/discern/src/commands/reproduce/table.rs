//! The end of the run on the terminal.

use std::fmt::Write;

use discern_report::reproduction::{Reproduction, Tally};
use discern_report::{Align, TextTable, decimal, p_value_to};

/// Table 1, the paper's and ours, and what agrees.
pub fn text(found: &Reproduction) -> String {
    let run = &found.run;
    let mut text = format!(
        "Table 1: {} pairs a row, {} s for the paper's 30 minutes\n\n",
        run.openings, run.seconds_for_thirty_minutes
    );
    let result = |tally: &Tally| format!("{}–{}–{}", tally.wins, tally.draws, tally.losses);
    let mut table = TextTable::new([
        ("pairing", Align::Left),
        ("minutes", Align::Left),
        ("paper", Align::Right),
        ("%", Align::Right),
        ("ours", Align::Right),
        ("%", Align::Right),
        ("95 % interval", Align::Right),
        ("p conservative", Align::Right),
        ("p paired", Align::Right),
    ]);
    for row in &found.table {
        let ([first, second], [a, b], [low, high]) = (&row.players, row.minutes, row.interval);
        table.row([
            format!("{first}–{second}"),
            format!("{a}–{b}"),
            result(&row.paper),
            decimal(row.paper.percentage, 1),
            result(&row.ours),
            decimal(row.ours.percentage, 1),
            format!("{} … {}", decimal(low, 1), decimal(high, 1)),
            p_value_to(4, row.p_conservative),
            p_value_to(4, row.p_paired),
        ]);
    }
    writeln!(text, "{table}").expect("strings grow");
    let mut findings = TextTable::new([
        ("", Align::Left),
        ("claim", Align::Left),
        ("paper", Align::Left),
        ("ours", Align::Left),
    ]);
    for finding in &found.findings {
        findings.row([finding.verdict.word(), &finding.claim, &finding.paper, &finding.ours]);
    }
    write!(text, "{findings}").expect("strings grow");
    text
}
