//! Table 1 at a tenth of the time: does the order depend on it?

use discern_experiment::{MatchRow, Reproduction};

use crate::markup::{Cells, Table, escape, missing};
use crate::numbers::{allowance, count, decimal, percentage, percentage_range, signed};
use crate::page::Section;

pub(crate) fn section(long: &Reproduction, short: &Reproduction) -> Section {
    let mut body = format!(
        "<p>The same rows from {} openings with {} for the paper’s 30 minutes, next to those above \
         with {}. The more time, the deeper the searches and the less a slower evaluation costs; \
         whether the order of the models depends on it is for the last column to say, the \
         difference with its 95 % interval.</p>\n",
        count(short.run.openings),
        allowance(short.run.thirty_minutes),
        allowance(long.run.thirty_minutes),
    );
    let rows: Vec<_> = long.table.iter().zip(&short.table).collect();
    match rows.is_empty() {
        true => body.push_str(&missing("No match was played.")),
        false => body.push_str(&table(&rows).html()),
    }
    body.push_str("<p>Its own report: <a href=\"tenth/index.html\">tenth/index.html</a>.</p>\n");
    Section { id: "shorter", title: "Table 1 at another time", body }
}

fn table(rows: &[(&MatchRow, &MatchRow)]) -> Table {
    let columns = [
        ("Pairing, minutes", Cells::Words),
        ("More time %, interval", Cells::Numbers),
        ("Less time %, interval", Cells::Numbers),
        ("Difference", Cells::Numbers),
    ];
    let mut table =
        Table::new("Percentage of the first player with more and with less time", columns);
    for (long, short) in rows {
        let cell = |row: &MatchRow| {
            let interval = percentage_range(row.percentage_interval());
            format!("{}<br/>{interval}", percentage(row.ours.percentage()))
        };
        let width = |row: &MatchRow| {
            let [low, high] = row.percentage_interval();
            (high - low) / 2.0
        };
        // Other games: their errors are independent.
        let error = width(long).hypot(width(short));
        table.row(vec![
            format!(
                "{} – {}, {} – {}",
                escape(&long.players[0]),
                escape(&long.players[1]),
                long.minutes[0],
                long.minutes[1]
            ),
            cell(long),
            cell(short),
            format!(
                "{} ± {}",
                signed(long.ours.percentage() - short.ours.percentage(), 1),
                decimal(error, 1)
            ),
        ]);
    }
    table.cards()
}
