//! Table 1: the matches, the paper's next to ours.

use discern_arena::stats::Tally;
use discern_experiment::{MatchRow, Reproduction, Run};

use crate::drawings::{Compared, forest};
use crate::markup::{Cells, Figure, Table, escape, in_two_widths, missing};
use crate::numbers::{
    allowance, count, decimal, large, p_phrase, percentage, percentage_range, signed,
};
use crate::page::Section;

/// The paper calls more than this percentage of 200 games significant.
const PAPER_SIGNIFICANT: f64 = 59.0;

pub(crate) fn section(reproduction: &Reproduction) -> Section {
    let (rows, run) = (&reproduction.table, &reproduction.run);
    let mut body = format!(
        "<p>Now they play. Each of {} openings with 14 discs, nearly even by LOG’s judgement, is \
         played twice with colours reversed, so that neither side profits from the opening. The \
         first three rows give both the same time. In the others the weaker side gets more, as in \
         the paper: 36, 38 or 45 minutes against 30, here in the same ratios with {} for the \
         30 minutes.</p>\n",
        count(run.openings),
        allowance(run.thirty_minutes),
    );
    if rows.is_empty() {
        body.push_str(&missing("Table 1: no match was played."));
    } else {
        body.push_str(&figure(rows).html());
        body.push_str(&table(rows).html());
        body.push_str(&tests(run));
        body.push_str(&balanced(reproduction));
        body.push_str("<h3>More about the same games</h3>\n");
        body.push_str(&details(rows).html());
    }
    Section { id: "matches", title: "Table 1: the matches", body }
}

/// `LOG – QUAD`
fn pairing(row: &MatchRow) -> String {
    format!("{} – {}", row.players[0], row.players[1])
}

/// `30 – 36`
fn minutes(row: &MatchRow) -> String {
    let text = |minutes: f64| {
        let places = if minutes.fract() == 0.0 { 0 } else { 1 };
        decimal(minutes, places)
    };
    format!("{} – {}", text(row.minutes[0]), text(row.minutes[1]))
}

fn pairing_and_minutes(row: &MatchRow) -> String {
    format!(
        "<span class=\"whole\">{}</span><br/><span class=\"whole quiet\">{} min</span>",
        escape(&pairing(row)),
        minutes(row)
    )
}

fn tally(tally: &Tally) -> String {
    format!("{}–{}–{}", count(tally.wins), count(tally.draws), count(tally.losses))
}

fn significance(significant: bool) -> &'static str {
    if significant {
        "<span class=\"word\">significant</span>"
    } else {
        "<span class=\"quiet\">not significant</span>"
    }
}

fn figure(rows: &[MatchRow]) -> Figure {
    let compared: Vec<Compared> = rows
        .iter()
        .map(|row| Compared {
            name: pairing(row),
            detail: format!("{} min", minutes(row)),
            paper: row.paper.percentage(),
            paper_interval: row.paper_interval(),
            ours: row.ours.percentage(),
            interval: row.percentage_interval(),
        })
        .collect();
    let title = "Winning percentages of Table 1, the paper’s and ours";
    Figure {
        id: "matches-figure",
        title: "The paper’s percentages and ours.".to_string(),
        caption: "Right of the line the first player is ahead. Dots are our percentages with 95 % \
                  intervals from resampling pairs of games, diamonds are the paper’s, whose 200 \
                  games leave them the interval of the thin line. An interval that crosses the \
                  line at 50 % leaves open who is stronger."
            .to_string(),
        body: in_two_widths(&forest(title, &compared, 800.0), &forest(title, &compared, 344.0)),
        numbers: Vec::new(),
    }
}

fn table(rows: &[MatchRow]) -> Table {
    let columns = [
        ("Pairing, minutes", Cells::Words),
        ("Paper W–\u{2060}D–\u{2060}L", Cells::Numbers),
        ("Paper %, interval", Cells::Numbers),
        ("Ours W–\u{2060}D–\u{2060}L", Cells::Numbers),
        ("Ours %, interval", Cells::Numbers),
        ("Conservative test", Cells::Numbers),
        ("Paired test", Cells::Numbers),
    ];
    let mut table = Table::new(
        "Table 1 of the paper and ours: wins, draws and losses of the first player, the percentage \
         of points, and whether it differs from 50 % at the 5 % level",
        columns,
    )
    .cards();
    for row in rows {
        let paper_significant = row.paper.percentage() > PAPER_SIGNIFICANT;
        let mark =
            if paper_significant { "<br/><span class=\"word\">significant</span>" } else { "" };
        let test = |p: f64| format!("{}<br/>{}", significance(p < 0.05), escape(&p_phrase(p)));
        table.row(vec![
            pairing_and_minutes(row),
            tally(&row.paper),
            format!(
                "{}<br/>{}{mark}",
                percentage(row.paper.percentage()),
                percentage_range(row.paper_interval())
            ),
            tally(&row.ours.tally),
            format!(
                "<strong>{}</strong><br/>{}",
                percentage(row.ours.percentage()),
                percentage_range(row.percentage_interval())
            ),
            test(row.ours.conservative),
            test(row.ours.label_swap),
        ]);
    }
    table
}

fn tests(run: &Run) -> String {
    format!(
        "<p>Two tests ask whether a result could be luck. The <strong>conservative</strong> one is \
         the paper’s: it asks how often a player who is no stronger would do as well if every pair \
         of games were one throw of a coin, which leaves luck more room than any real pair does. Of \
         100 pairs it calls 59 % significant. The <strong>paired</strong> one takes the pairs as \
         they ended and asks how often a result at least as one-sided comes up if in each pair \
         either player might as well have been the winner; it sees smaller differences. {} pairs \
         were played in each row. The paper prints no intervals; those given for it take its 200 \
         games as independent, since its pairs are not known.</p>\n",
        count(run.openings)
    )
}

fn balanced(reproduction: &Reproduction) -> String {
    format!(
        "<p>An opening from which every pair of games ends level says nothing about strength. In \
         the paper this happened with six of 100 openings, here with {} of {}.</p>\n",
        count(reproduction.balanced_openings),
        count(reproduction.run.openings),
    )
}

fn details(rows: &[MatchRow]) -> Table {
    let columns = [
        ("Pairing", Cells::Words),
        ("Time for a game", Cells::Numbers),
        ("Elo difference", Cells::Numbers),
        ("Pairs by points 0, ½, 1, 1½, 2", Cells::Numbers),
        ("Balanced pairs", Cells::Numbers),
        ("Mean disc difference", Cells::Numbers),
        ("Nodes per game", Cells::Numbers),
        ("Depth [moves]", Cells::Numbers),
        ("Lost on time", Cells::Numbers),
    ];
    let mut table = Table::new(
        "The same matches in detail; of two values the upper is the first player’s. ± is half the \
         95 % interval",
        columns,
    );
    for row in rows {
        let both = |text: [String; 2]| text.join("<br/>");
        table.row(vec![
            pairing_and_minutes(row),
            both(row.allowed.map(allowance)),
            format!("{} ± {}", signed(row.ours.elo.value, 0), decimal(row.ours.elo.error, 0)),
            row.ours.pentanomial.0.map(count).join(" · "),
            count(row.ours.pentanomial.0[2]),
            signed(row.ours.margin.as_ref().map_or(f64::NAN, |margin| margin.mean), 1),
            both(row.nodes_per_game.map(large)),
            both(row.depth.map(|depth| decimal(depth, 1))),
            both(row.time_losses.map(count)),
        ]);
    }
    table
}
