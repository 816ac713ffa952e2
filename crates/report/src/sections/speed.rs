//! What each model costs in the search.

use discern_experiment::{Reproduction, Speed};

use crate::chart::Look;
use crate::drawings::{Bar, bars};
use crate::markup::{Cells, Figure, Table, escape, in_two_widths, missing};
use crate::numbers::{amount, decimal, large, share, share_range};
use crate::page::Section;

pub(crate) fn section(reproduction: &Reproduction) -> Section {
    let mut body = String::from(
        "<p>A linear formula can be worked out in advance: every table entry is multiplied by its \
         weight once and for all, and what remains are additions. A quadratic one multiplies \
         features with each other and cannot be prepared in this way. In the paper the search with \
         QUAD was about 20 % slower, so that 25 % more time would balance the number of positions \
         looked at.</p>\n",
    );
    body.push_str(&if reproduction.speed.is_empty() {
        missing("Search speed: nothing was measured.")
    } else {
        figure(&reproduction.speed).html()
    });
    Section { id: "speed", title: "What each model costs", body }
}

fn figure(speeds: &[Speed]) -> Figure {
    let columns = [
        ("Model", Cells::Words),
        ("Nodes per second", Cells::Numbers),
        ("Over LOG’s", Cells::Numbers),
        ("95 % interval", Cells::Numbers),
        ("Time for as many nodes as LOG", Cells::Numbers),
    ];
    let mut table =
        Table::new("Search speed of one thread, all models on the same positions", columns);
    for speed in speeds {
        table.row(vec![
            escape(&speed.model),
            amount(speed.nodes_per_second.round()),
            share(speed.relative),
            share_range(speed.relative_interval[0], speed.relative_interval[1]),
            format!("{} times", decimal(1.0 / speed.relative, 2)),
        ]);
    }
    let drawn: Vec<Bar> = speeds
        .iter()
        .map(|speed| Bar {
            name: speed.model.clone(),
            look: Look::of_model(&speed.model),
            value: speed.nodes_per_second,
            note: format!(
                "{} nodes/s, {} of LOG’s",
                large(speed.nodes_per_second),
                share(speed.relative)
            ),
        })
        .collect();
    let title = "Nodes searched per second with each model";
    Figure {
        id: "speed-figure",
        title: "Nodes per second.".to_string(),
        caption: "A node is one position visited by the search. Measured on the same positions, \
                  alternately in one run."
            .to_string(),
        body: in_two_widths(&bars(title, &drawn, 800.0), &bars(title, &drawn, 344.0)),
        numbers: vec![table],
    }
}
