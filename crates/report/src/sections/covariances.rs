//! The class covariances compared: can quadratic terms pay?

use discern_experiment::{ClassCorrelations, Reproduction};
use discern_stats::CovarianceComparison;

use crate::chart::{Axis, Chart, Colour, Estimated, Mark, Numbers, Series};
use crate::drawings::square;
use crate::markup::{self, Cells, Figure, Table, capitalised, escape, missing};
use crate::numbers::discs;
use crate::page::Section;

pub(crate) fn section(reproduction: &Reproduction) -> Section {
    let compared: Vec<(usize, &CovarianceComparison)> = reproduction
        .fits
        .iter()
        .filter_map(|fit| Some((fit.discs, fit.covariances.as_ref()?)))
        .collect();
    let mut body = String::from(
        "<p>QUAD can only be better than FISHER if the two clouds of positions, the won and the \
         lost, really have different shapes. The shape of a cloud is its <em>covariance \
         matrix</em>: how widely each feature spreads and which features rise together. So before \
         one pays for quadratic terms one should compare the two matrices. The paper found them \
         almost equal.</p>\n",
    );
    if compared.is_empty() {
        body.push_str(&missing("The class covariances could not be compared in any phase."));
    } else {
        body.push_str(&figure(&compared).html());
        let shapes =
            reproduction.fits.iter().find_map(|f| Some((f.discs, f.correlations.as_ref()?)));
        if let Some((discs, correlations)) = shapes {
            body.push_str(&picture(discs, correlations).html());
        }
        body.push_str("<p>What follows for each stage of the game:</p>\n");
        body.push_str(&verdicts(&compared).html());
    }
    Section { id: "covariances", title: "Can quadratic terms pay?", body }
}

fn figure(compared: &[(usize, &CovarianceComparison)]) -> Figure {
    let points: Vec<Estimated> = compared
        .iter()
        .map(|(discs, covariances)| Estimated {
            x: *discs as f64,
            y: covariances.relative_difference,
            interval: (f64::NAN, f64::NAN),
        })
        .collect();
    let top = points.iter().map(|point| point.y).fold(0.0, f64::max);
    let line = points.iter().map(|point| (point.x, point.y)).collect();
    let chart = Chart::new(
        "Difference of the class covariances by number of discs",
        Axis::new("discs on the board", (points[0].x - 1.0, points[points.len() - 1].x + 1.0)),
        Axis::new("difference over size, ‖Σ(W) − Σ(L)‖ / ‖Σ‖", (0.0, 1.1 * top.max(0.01)))
            .numbers(Numbers::Percent),
    )
    .series(Series::new("", Colour::Ink, Mark::Line(line)))
    .series(Series::new("", Colour::Ink, Mark::Dots(points)));
    Figure {
        id: "covariances-figure",
        title: "How far the shapes differ.".to_string(),
        caption: "The difference of the two covariance matrices in per cent of their size: 0 % is \
                  the same shape, where FISHER and QUAD are the same formula. Box’s test, \
                  whose numbers are in <code>phases.csv</code>, asks whether a difference is there \
                  at all; with this many positions it nearly always is. What counts is how large \
                  it is."
            .to_string(),
        body: markup::chart(&chart, 300.0),
        numbers: Vec::new(),
    }
}

/// Both matrices in one square: won above the diagonal, lost below. If they were
/// equal the square would mirror itself.
fn picture(discs: usize, correlations: &ClassCorrelations) -> Figure {
    let title = format!("Correlations of the features at {discs} discs, won and lost");
    let value = |i: usize, j: usize| {
        let class = if j > i { &correlations.won } else { &correlations.lost };
        class.get(i)?.get(j).copied().filter(|_| i != j)
    };
    Figure {
        id: "correlations-figure",
        title: format!("The two shapes at {discs} discs."),
        caption: "How strongly two features rise together: blue if they do, red if one falls as the \
                  other rises, the deeper the more. Above the diagonal among won positions, below \
                  among lost ones. Where the square mirrors itself the classes have the same shape, \
                  and quadratic terms have nothing to work with."
            .to_string(),
        body: square(&title, &correlations.features, 1.0, value),
        numbers: Vec::new(),
    }
}

/// Neighbouring phases with the same verdict in one row.
fn verdicts(compared: &[(usize, &CovarianceComparison)]) -> Table {
    let columns = [("Stage", Cells::Words), ("Verdict", Cells::Words)];
    let mut table = Table::new("Verdict on quadratic terms", columns).cards();
    for group in compared.chunk_by(|(_, one), (_, next)| one.verdict == next.verdict) {
        let (first, last) = (group[0], group[group.len() - 1]);
        table.row(vec![discs([first.0, last.0]), escape(&capitalised(first.1.verdict.sentence()))]);
    }
    table
}
