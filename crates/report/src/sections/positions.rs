//! Figure 3: from games to classified positions.

use discern_experiment::Reproduction;
use discern_learn::{PhaseCounts, TreeCounts};

use crate::chart::{Axis, Chart, Colour, Column, Mark, Series};
use crate::drawings::classification;
use crate::markup::{self, Cells, Figure, Table, missing};
use crate::numbers::{count, share, share_of};
use crate::page::Section;

pub(crate) fn section(reproduction: &Reproduction) -> Section {
    let database = &reproduction.database;
    let per_game = if database.games == 0 {
        String::new()
    } else {
        format!(
            " That is {} new positions per game; the paper had about 42.",
            (database.all.positions as f64 / database.games as f64).round()
        )
    };
    let process = Figure {
        id: "figure-3",
        title: "Figure 3 of the paper, with our counts.".to_string(),
        caption: format!(
            "Games are merged into a tree, results are carried from its leaves to its root, and \
             every position gets a label. {} moves led to a position the tree had already: there \
             the games inform each other.{per_game} The paper had about 60,000 games and 2.5 \
             million positions, 5 % of them drawn; here {} are.",
            count(database.transpositions),
            share_of(database.all.draws, database.all.positions),
        ),
        body: classification(database),
        numbers: Vec::new(),
    };
    let mut body = String::from(
        "<p>A label is only as good as the play that follows. Three things repair what the players \
         spoilt: the last moves are solved exactly, obvious errors are corrected with longer \
         searches, and the tree lets a position profit from every game that went through it.</p>\n",
    );
    body.push_str(&process.html());
    body.push_str(
        "<p>A drawn position says exactly where the features balance, so draws are kept. To LOG \
         such a position is half won and half lost: of n trials n/2 are won, as n − 1 are in a won \
         position and 1 in a lost one, with n = 100. FISHER and QUAD know only two classes: to \
         them every drawn position counts once as won and once as lost, and every other one \
         twice. Both ways give LOG the same weights.</p>\n",
    );
    body.push_str(&changes(database).html());
    body.push_str(&match phases(&database.phases) {
        Some(figure) => figure.html(),
        None => missing("Positions by number of discs: nothing was recorded."),
    });
    Section { id: "positions", title: "Games, tree, positions", body }
}

fn changes(database: &TreeCounts) -> Table {
    let columns = [
        ("Labels changed by", Cells::Words),
        ("Positions", Cells::Numbers),
        ("Share", Cells::Numbers),
    ];
    let mut table =
        Table::new("How many labels are no longer the bare result of the game, and why", columns);
    let all = &database.all;
    for (reason, changed) in [
        ("solving the end of the game", all.changed_by_solving),
        ("correcting errors in the games", all.changed_by_correction),
        ("carrying results up the tree", all.changed_by_propagation),
    ] {
        table.row(vec![reason.to_string(), count(changed), share_of(changed, all.positions)]);
    }
    table
}

fn phases(phases: &[PhaseCounts]) -> Option<Figure> {
    let most = phases.iter().map(|phase| phase.positions).max()?;
    let discs = |phase: &PhaseCounts| f64::from(phase.discs.unwrap_or(0));
    let (first, last) = (discs(phases.first()?), discs(phases.last()?));
    let column = |base: fn(&PhaseCounts) -> u64, part: fn(&PhaseCounts) -> u64| {
        let columns = phases.iter().map(|phase| Column {
            x: discs(phase),
            from: base(phase) as f64,
            to: (base(phase) + part(phase)) as f64,
        });
        Mark::Columns(columns.collect())
    };
    let chart = Chart::new(
        "Classified positions by number of discs",
        Axis::new("discs on the board", (first - 0.6, last + 0.6)),
        Axis::new("classified positions", (0.0, 1.04 * most.max(1) as f64)),
    )
    .series(Series::new("won", Colour::Purple, column(|_| 0, |phase| phase.wins)))
    .series(Series::new("drawn", Colour::Grey, column(|phase| phase.wins, |phase| phase.draws)))
    .series(Series::new(
        "lost",
        Colour::Orange,
        column(|phase| phase.wins + phase.draws, |phase| phase.losses),
    ));
    let columns = [
        ("Discs", Cells::Numbers),
        ("Won", Cells::Numbers),
        ("Drawn", Cells::Numbers),
        ("Lost", Cells::Numbers),
        ("Won, draws half", Cells::Numbers),
    ];
    let mut table = Table::new("Classified positions by number of discs", columns);
    for phase in phases {
        let points = phase.wins as f64 + 0.5 * phase.draws as f64;
        table.row(vec![
            count(phase.discs.unwrap_or(0)),
            count(phase.wins),
            count(phase.draws),
            count(phase.losses),
            share(points / phase.positions as f64),
        ]);
    }
    Some(Figure {
        id: "phases",
        title: "Positions at each stage of the game.".to_string(),
        caption: "Early positions are few because all games share them; later ones are almost all \
                  different. Won, drawn and lost are seen by the player to move, so their shares \
                  swing from one disc count to the next: neighbouring counts are pooled for a fit \
                  to even this out."
            .to_string(),
        body: markup::chart(&chart, 330.0),
        numbers: vec![table],
    })
}
