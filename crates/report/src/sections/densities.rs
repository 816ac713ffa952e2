//! Figure 1: one feature in won and in lost positions.

use discern_experiment::{Densities, Reproduction};

use super::weights::title_and_name;
use crate::chart::{Axis, Chart, Colour, Dash, Look, Mark, Numbers, Series};
use crate::markup::{self, Cells, Figure, Table, escape, missing};
use crate::numbers::{UNKNOWN, discs, share, significant};
use crate::page::Section;

pub(crate) fn section(reproduction: &Reproduction) -> Section {
    let densities = &reproduction.densities;
    let mut body = String::from(
        "<p>Take one feature and all positions of one stage of the game. Sort the positions into \
         the won and the lost, and look at how the feature is spread in each pile. Where the two \
         piles overlap the feature tells little; where one is much higher than the other it tells \
         a lot. The ratio of the two heights <em>is</em> the winning probability, if wins and \
         losses are equally frequent to begin with. This is Bayes’ rule, and the whole of \
         discriminant analysis follows from it.</p>\n",
    );
    body.push_str(&match figure(densities) {
        Some(figure) => figure.html(),
        None => missing("Densities: nothing was recorded."),
    });
    Section { id: "densities", title: "What one feature says", body }
}

fn figure(densities: &Densities) -> Option<Figure> {
    let bins = &densities.bins;
    let (first, last) = (bins.first()?.x, bins.last()?.x);
    let top = bins.iter().map(|bin| bin.won.max(bin.lost)).fold(0.0, f64::max);
    let feature = title_and_name(&densities.feature);
    let points = |height: fn(&discern_experiment::DensityBin) -> f64| {
        bins.iter().map(|bin| (bin.x, height(bin))).collect::<Vec<_>>()
    };
    let lost = Look { dash: Dash::Long, ..Colour::Orange.into() };
    let chart = Chart::new(
        format!("Densities of {feature} in won and lost positions, and the winning probability"),
        Axis::new(format!("{feature}, the mover’s view"), (first, last)),
        Axis::new("density", (0.0, 1.08 * top.max(f64::MIN_POSITIVE))).numbers(Numbers::None),
    )
    .right_axis(Axis::new("P(W | x)", (0.0, 1.0)).numbers(Numbers::Percent))
    .series(Series::new("lost positions", lost, Mark::Area(points(|bin| bin.lost))))
    .series(Series::new("won positions", Colour::Purple, Mark::Area(points(|bin| bin.won))))
    .series(
        Series::new(
            "winning probability P(W | x), right axis",
            Colour::Ink,
            Mark::Line(points(|bin| bin.probability.unwrap_or(f64::NAN))),
        )
        .on_right(),
    );
    let columns = [
        ("Feature", Cells::Numbers),
        ("Density, won", Cells::Numbers),
        ("Density, lost", Cells::Numbers),
        ("P(W | x)", Cells::Numbers),
    ];
    let mut table = Table::new(
        format!("Densities of {feature} in positions with {}", discs(densities.discs)),
        columns,
    );
    for bin in bins {
        table.row(vec![
            significant(bin.x),
            significant(bin.won),
            significant(bin.lost),
            bin.probability.map_or(UNKNOWN.to_string(), share),
        ]);
    }
    Some(Figure {
        id: "figure-1",
        title: "Figure 1 of the paper, from our positions.".to_string(),
        caption: format!(
            "{} in positions with {}. The two humps are the won and the lost positions; the line \
             is the share of the won ones at each value. Two humps of the same shape side by side \
             make it rise like an S. Where no position has a value the line has a gap.",
            escape(&feature),
            discs(densities.discs),
        ),
        body: markup::chart(&chart, 380.0),
        numbers: vec![table],
    })
}
