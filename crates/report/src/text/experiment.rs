//! The experiment's tables for the terminal.

use std::fmt;

use discern_arena::stats::Tally;
use discern_experiment::{Facts, Reproduction, StudyResults};

use crate::numbers::{allowance, decimal, duration, p_value_to};
use crate::{Align, TextTable, Wording};

/// Table 1, the paper's and ours, and what agrees.
pub struct Table1<'a>(pub &'a Reproduction);

impl fmt::Display for Table1<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (run, result) = (&self.0.run, |tally: &Tally| {
            format!("{}–{}–{}", tally.wins, tally.draws, tally.losses)
        });
        writeln!(
            f,
            "Table 1: {} pairs a row, {} for the paper's 30 minutes\n",
            run.openings,
            allowance(run.thirty_minutes)
        )?;
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
        for row in &self.0.table {
            let ([first, second], [a, b]) = (&row.players, row.minutes);
            let [low, high] = row.percentage_interval().map(|end| decimal(end, 1));
            table.row([
                format!("{first}–{second}"),
                format!("{a}–{b}"),
                result(&row.paper),
                decimal(row.paper.percentage(), 1),
                result(&row.ours.tally),
                decimal(row.ours.percentage(), 1),
                format!("{low} … {high}"),
                p_value_to(4, row.ours.conservative),
                p_value_to(4, row.ours.label_swap),
            ]);
        }
        writeln!(f, "{table}")?;
        let mut findings =
            TextTable::new(["", "claim", "paper", "ours"].map(|name| (name, Align::Left)));
        for finding in &self.0.findings {
            let Wording { claim, paper, ours } = Wording::of(finding);
            findings.row([finding.verdict.word().to_owned(), claim, paper, ours]);
        }
        findings.fmt(f)
    }
}

/// Table 1 in Markdown, for a page that quotes it.
pub struct ReadmeTable<'a>(pub &'a Reproduction);

impl fmt::Display for ReadmeTable<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "| pairing | minutes | paper | % | ours | % | 95 % interval | p, paired |")?;
        writeln!(f, "| --- | --- | --- | --- | --- | --- | --- | --- |")?;
        let result = |tally: &Tally| format!("{}–{}–{}", tally.wins, tally.draws, tally.losses);
        for row in &self.0.table {
            let ([first, second], [a, b]) = (&row.players, row.minutes);
            let [low, high] = row.percentage_interval().map(|end| decimal(end, 1));
            writeln!(
                f,
                "| {first}–{second} | {a}–{b} | {} | {} | {} | {} | {low} … {high} | {} |",
                result(&row.paper),
                decimal(row.paper.percentage(), 1),
                result(&row.ours.tally),
                decimal(row.ours.percentage(), 1),
                p_value_to(4, row.ours.label_swap),
            )?;
        }
        Ok(())
    }
}

/// The candidates of a study in a table.
pub struct StudyTable<'a>(pub &'a StudyResults);

impl fmt::Display for StudyTable<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let found = self.0;
        writeln!(f, "judged on {} {}\n", found.test_positions, found.test)?;
        let mut table = TextTable::new([
            ("candidate", Align::Left),
            ("wrong pairs %", Align::Right),
            ("log loss", Align::Right),
            ("bins off", Align::Right),
            ("jump", Align::Right),
            ("ns", Align::Right),
            ("terms", Align::Left),
            ("%", Align::Right),
            ("95 % interval", Align::Right),
        ]);
        for one in &found.candidates {
            let quality = &one.quality;
            let ns = one.nanoseconds.map_or(String::new(), |ns| decimal(ns, 0));
            let mut cells = vec![
                one.title.clone(),
                decimal(100.0 * quality.discordance, 2),
                decimal(quality.log_loss.value, 4),
                format!("{} of {}", quality.off[0], quality.off[1]),
                decimal(100.0 * quality.jump, 1),
                ns,
            ];
            if one.matches.is_empty() {
                cells.extend(["the yardstick".to_owned(), String::new(), String::new()]);
                table.row(cells);
                continue;
            }
            for played in &one.matches {
                let interval = played.ours.score_interval;
                let mut row = std::mem::replace(&mut cells, vec![String::new(); 6]);
                row.extend([
                    allowance(played.allowed),
                    decimal(played.ours.percentage(), 1),
                    format!(
                        "{} … {}",
                        decimal(100.0 * interval.low, 1),
                        decimal(100.0 * interval.high, 1)
                    ),
                ]);
                table.row(row);
            }
        }
        table.fmt(f)
    }
}

/// What a step has found, in a line.
pub fn facts_line(facts: &Facts) -> String {
    match facts {
        Facts::Positions { games, positions } => format!("{games} games, {positions} positions"),
        Facts::Models(test) => format!("{test} test positions"),
        Facts::Speed(speeds) => match speeds {
            [first, .., last] => format!(
                "{} {} million nodes/s, {} {} % of it",
                first.model,
                decimal(first.nodes_per_second / 1e6, 2),
                last.model,
                decimal(100.0 * last.relative, 0)
            ),
            _ => String::new(),
        },
        Facts::Matches(games) => format!("{games} games"),
        Facts::Factors { found, of } => format!("{found} of {of} can be set"),
        Facts::Report(seconds) => format!("{} in all", duration(*seconds)),
    }
}
