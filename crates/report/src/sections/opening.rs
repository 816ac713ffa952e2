//! Title, what this is about, and the run in one line.

use discern_experiment::Reproduction;

use crate::markup::escape;
use crate::numbers::{allowance, count, duration};

/// The run in a few facts: their names and values.
pub fn facts(reproduction: &Reproduction) -> [(&'static str, String); 5] {
    let run = &reproduction.run;
    let date = run.finished.split('T').next().unwrap_or_default();
    [
        ("Preset", run.preset.word().to_owned()),
        (
            "Matches",
            format!(
                "{} of {} games each, from {} openings",
                count(reproduction.table.len()),
                count(2 * run.openings),
                count(run.openings)
            ),
        ),
        ("30 minutes of 1995", format!("{} here", allowance(run.thirty_minutes))),
        ("Whole run", duration(run.seconds)),
        ("Finished", date.to_owned()),
    ]
}

/// Everything above the first section.
pub(crate) fn opening(reproduction: &Reproduction) -> String {
    let facts: String = facts(reproduction)
        .iter()
        .map(|(name, fact)| format!("<div><dt>{name}</dt><dd>{}</dd></div>\n", escape(fact)))
        .collect();
    format!(
        "<header>\n<p class=\"kicker\">Discern · a reproduction</p>\n\
         <h1>Which statistics play the better game?</h1>\n\
         <p class=\"lede\">In 1995 Michael Buro asked how the features of an Othello position are \
         best combined into a single number, and let three answers play each other: logistic \
         regression, Fisher’s linear discriminant and the quadratic discriminant. This page \
         repeats his experiment from the games up and sets every result next to his.</p>\n\
         <dl class=\"facts\">\n{facts}</dl>\n</header>\n"
    )
}
