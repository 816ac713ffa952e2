//! A study as one section: every candidate with its quality, its cost and its
//! matches.

use discern_arena::stats::Summary;
use discern_experiment::{Allowance, Studied, Study, StudyMatch, StudyResults};

use crate::markup::{Cells, Table, escape, missing};
use crate::numbers::{allowance, amount, count, decimal};
use crate::page::Section;

pub(crate) fn section(found: &StudyResults) -> Section {
    let (id, title) = match found.study {
        Study::Labels => ("labels", "What each step of labelling is worth"),
        Study::Rivals => ("rivals", "The rivals on the same data and in the same program"),
    };
    let question = match found.study {
        Study::Labels => {
            "Section 3 of the paper labels positions in steps: by the results of the games, with \
             outcomes solved before the end, by NegaMax in the tree of all games, with corrected \
             games. LOG is fitted to the same positions with the labels that each step leaves; \
             and to nearly even openings alone, next to as many taken at random, because the \
             paper keeps bad openings on purpose."
        }
        Study::Rivals => {
            "The paper asks whether more accurate but slower evaluations pay in practice, and \
             prefers value adaptation to move adaptation and to a regression on the disc \
             difference. Here every one of them has the same features, positions and search."
        }
    };
    let mut body = format!(
        "<p>{question}</p>\n<p>Judged on {} {}; ± is one standard error by game, intervals are \
         95 % ones.</p>\n",
        count(found.test_positions),
        escape(&found.test),
    );
    if found.candidates.is_empty() {
        body.push_str(&missing("Nothing was studied."));
        return Section { id, title, body };
    }
    body.push_str(&quality(found).html());
    if found.candidates.iter().any(|one| one.nanoseconds.is_some()) {
        body.push_str(&costs(found).html());
    }
    if found.candidates.iter().any(|one| !one.matches.is_empty()) {
        body.push_str(&matches(found).html());
        body.push_str(&verdicts(found));
    }
    Section { id, title, body }
}

fn quality(found: &StudyResults) -> Table {
    let columns = [
        ("Candidate", Cells::Words),
        ("What it is", Cells::Words),
        ("Learnt from", Cells::Numbers),
        ("Wrong pairs", Cells::Numbers),
        ("More than the yardstick", Cells::Numbers),
        ("Log loss", Cells::Numbers),
        ("Bins off", Cells::Numbers),
        ("Worst bin", Cells::Numbers),
        ("Jump to the next disc", Cells::Numbers),
    ];
    let mut table = Table::new("Quality on held-out positions", columns).cards();
    for one in &found.candidates {
        let quality = &one.quality;
        let points = |value: f64| format!("{} points", decimal(100.0 * value, 1));
        table.row(vec![
            escape(&one.title),
            escape(&one.description),
            count(one.training_positions),
            format!("{} %", decimal(100.0 * quality.discordance, 2)),
            one.gap.map_or("–".to_owned(), |gap| {
                let (value, error) = (100.0 * gap.value, 100.0 * gap.standard_error);
                format!("{} ± {}", decimal(value, 2), decimal(error, 2))
            }),
            format!(
                "{} ± {}",
                decimal(quality.log_loss.value, 4),
                decimal(quality.log_loss.standard_error, 4)
            ),
            format!("{} of {}", quality.off[0], quality.off[1]),
            points(quality.worst),
            points(quality.jump),
        ]);
    }
    table
}

fn costs(found: &StudyResults) -> Table {
    let columns = [
        ("Candidate", Cells::Words),
        ("An evaluation", Cells::Numbers),
        ("Nodes a second", Cells::Numbers),
        ("Over the first", Cells::Numbers),
    ];
    let mut table = Table::new("What an evaluation costs", columns);
    for one in &found.candidates {
        let (Some(nanoseconds), Some(speed)) = (one.nanoseconds, &one.speed) else { continue };
        let [low, high] = speed.relative_interval;
        table.row(vec![
            escape(&one.title),
            format!("{} ns", decimal(nanoseconds, 0)),
            amount(speed.nodes_per_second),
            format!("{} ({} to {})", decimal(speed.relative, 2), decimal(low, 2), decimal(high, 2)),
        ]);
    }
    table
}

/// What the match was about.
fn kind(allowed: Allowance) -> &'static str {
    match allowed {
        Allowance::NodesPerMove(_) => "equal nodes",
        Allowance::Seconds(_) => "equal time",
    }
}

fn matches(found: &StudyResults) -> Table {
    let columns = [
        ("Candidate", Cells::Words),
        ("Terms", Cells::Words),
        ("Won–drawn–lost", Cells::Numbers),
        ("Per cent", Cells::Numbers),
        ("95 % interval", Cells::Numbers),
        ("Elo", Cells::Numbers),
        ("Nodes a game", Cells::Numbers),
    ];
    let mut table = Table::new(format!("Matches against {}", found.yardstick), columns).cards();
    for (one, played) in all(found) {
        let Summary { tally, elo, .. } = &played.ours;
        let [low, high] = interval(&played.ours);
        table.row(vec![
            escape(&one.title),
            format!("{}, {}", kind(played.allowed), escape(&allowance(played.allowed))),
            format!("{}–{}–{}", tally.wins, tally.draws, tally.losses),
            decimal(tally.percentage(), 1),
            format!("{} to {}", decimal(low, 1), decimal(high, 1)),
            format!("{} ± {}", decimal(elo.value, 0), decimal(elo.error, 0)),
            amount(played.nodes_per_game[0]),
        ]);
    }
    table
}

fn all(found: &StudyResults) -> impl Iterator<Item = (&Studied, &StudyMatch)> {
    found.candidates.iter().flat_map(|one| one.matches.iter().map(move |played| (one, played)))
}

fn interval(summary: &Summary) -> [f64; 2] {
    [100.0 * summary.score_interval.low, 100.0 * summary.score_interval.high]
}

/// What the intervals alone say, in words.
fn verdicts(found: &StudyResults) -> String {
    let mut out = String::from("<ul>\n");
    for (one, played) in all(found) {
        let [low, high] = interval(&played.ours);
        let verdict = match () {
            () if low > 50.0 => "is stronger than",
            () if high < 50.0 => "is weaker than",
            () => "cannot be distinguished from",
        };
        out.push_str(&format!(
            "<li>With {}, {} {verdict} {}.</li>\n",
            kind(played.allowed),
            escape(&one.title),
            escape(&found.yardstick)
        ));
    }
    out + "</ul>\n"
}
