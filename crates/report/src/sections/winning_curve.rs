//! Figure 2: the S-curve.

use discern_experiment::{Reproduction, WinningCurve};

use super::weights::title_and_name;
use crate::chart::{Axis, Chart, Colour, Estimated, Look, Mark, Numbers, Series};
use crate::markup::{self, Cells, Figure, Table, escape, missing};
use crate::numbers::{amount, discs, share, share_range, significant};
use crate::page::Section;

pub(crate) fn section(reproduction: &Reproduction) -> Section {
    let mut body = String::from(
        "<p>Logistic regression starts from the other side. It does not ask how the features are \
         spread; it asks directly how the winning share depends on them, and answers with a curve \
         that can never leave the range from 0 to 100 %. What is added up are not probabilities \
         but <em>log-odds</em>, the logarithm of wins to losses: 0 means even chances, +1 about \
         73 %, +2 about 88 %, −1 about 27 %.</p>\n",
    );
    body.push_str(&match figure(&reproduction.winning_curve) {
        Some(figure) => figure.html(),
        None => missing("Winning shares: nothing was recorded."),
    });
    Section { id: "curve", title: "The S-curve", body }
}

fn figure(curve: &WinningCurve) -> Option<Figure> {
    let across = curve.bins.iter().map(|bin| bin.x).chain(curve.curve.iter().map(|point| point[0]));
    let (first, last) =
        across.fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), x| (low.min(x), high.max(x)));
    if first > last {
        return None;
    }
    let feature = title_and_name(&curve.feature);
    let dots = curve.bins.iter().map(|bin| Estimated {
        x: bin.x,
        y: bin.observed,
        interval: (bin.interval[0], bin.interval[1]),
    });
    let line = curve.curve.iter().map(|point| (point[0], point[1]));
    let chart = Chart::new(
        format!("Share of wins against {feature}"),
        Axis::new(format!("{feature}, the mover’s view"), (first, last)),
        Axis::new("share of wins", (0.0, 1.0)).numbers(Numbers::Percent),
    )
    .series(Series::new("fitted logistic curve", Look::of_model("LOG"), Mark::Line(line.collect())))
    .series(Series::new(
        "observed, with 95 % interval",
        Colour::Ink,
        Mark::Dots(dots.collect()),
    ));
    let columns = [
        ("Feature", Cells::Numbers),
        ("Observed share of wins", Cells::Numbers),
        ("95 % interval", Cells::Numbers),
        ("Positions", Cells::Numbers),
    ];
    let mut table = Table::new(
        format!("Share of wins against {feature}, positions with {}", discs(curve.discs)),
        columns,
    );
    for bin in &curve.bins {
        table.row(vec![
            significant(bin.x),
            share(bin.observed),
            share_range(bin.interval[0], bin.interval[1]),
            amount(bin.positions),
        ]);
    }
    Some(Figure {
        id: "figure-2",
        title: "Figure 2 of the paper, from our positions.".to_string(),
        caption: format!(
            "Each dot is the share of wins among positions with nearly the same {} ({}). The curve \
             has only two free numbers, where it crosses one half and how steep it is; the closer it \
             runs to the dots, the better logistic regression suits the feature.",
            escape(&feature),
            discs(curve.discs),
        ),
        body: markup::chart(&chart, 380.0),
        numbers: vec![table],
    })
}
