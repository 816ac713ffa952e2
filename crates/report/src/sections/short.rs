//! The result before the story: the matches at equal time.

use std::fmt::Write;

use discern_experiment::{MatchRow, Reproduction, Verdict};

use crate::markup::{escape, missing};
use crate::numbers::{percentage, percentage_range};
use crate::page::Section;

pub(crate) fn section(reproduction: &Reproduction) -> Section {
    let rows: Vec<&MatchRow> =
        reproduction.table.iter().filter(|row| row.minutes[0] == row.minutes[1]).collect();
    let mut body = String::new();
    if rows.is_empty() {
        body.push_str(&missing("No match at equal time was played."));
    } else {
        body.push_str(
            "<p>Three programs that differ in nothing but the formula that weighs a position \
             played each other with the same time on the clock. The figure is the share of \
             points the first one won, draws counting half; 50 % means equal strength.</p>\n\
             <ul class=\"cards-row\">\n",
        );
        for row in &rows {
            let _ = writeln!(body, "{}", card(row));
        }
        body.push_str("</ul>\n");
    }
    let counted =
        |verdict| reproduction.findings.iter().filter(|finding| finding.verdict == verdict).count();
    if !reproduction.findings.is_empty() {
        let _ = writeln!(
            body,
            "<p>The paper’s claims against what we found: <strong>{} of {}</strong> in agreement, \
             <strong>{}</strong> in contradiction, and <strong>{}</strong> left open, where our \
             uncertainty is larger than the difference that matters. \
             <a href=\"#findings\">One by one</a>.</p>",
            counted(Verdict::Agrees),
            reproduction.findings.len(),
            counted(Verdict::Differs),
            counted(Verdict::Open),
        );
    }
    Section { id: "short", title: "In short", body }
}

fn card(row: &MatchRow) -> String {
    let word = if row.ours.label_swap < 0.05 { "significant" } else { "not significant" };
    format!(
        "<li>{} against {}<b>{}</b>{word} at the 5 % level (paired test)<br/>\
         <span>95 % interval {}<br/>the paper: {}</span></li>",
        escape(&row.players[0]),
        escape(&row.players[1]),
        percentage(row.ours.percentage()),
        percentage_range(row.percentage_interval()),
        percentage(row.paper.percentage()),
    )
}
