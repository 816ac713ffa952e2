//! How much more time makes a weaker model equal.

use std::fmt::Write;

use discern_experiment::{MatchRow, Reproduction, TimeFactor};

use crate::chart::{Axis, Chart, Colour, Estimated, Look, Mark, Numbers, Series, Shape};
use crate::markup::{self, Cells, Figure, Table, escape, missing};
use crate::numbers::{UNKNOWN, decimal, factor_range, percentage, percentage_range};
use crate::page::Section;

pub(crate) fn section(reproduction: &Reproduction) -> Section {
    let factors = &reproduction.equal_strength;
    let mut body = String::from(
        "<p>How much better is better? One answer is time: give the weaker program more and more of \
         it until the match is even. A program that needs half as much time again was not just \
         beaten, it was beaten by that much.</p>\n",
    );
    if factors.is_empty() {
        body.push_str(&missing("Equal strength: no factor was sought."));
    } else {
        body.push_str("<ul>\n");
        for factor in factors {
            let _ = writeln!(body, "<li>{}</li>", sentence(factor));
        }
        body.push_str("</ul>\n");
        body.push_str(&figure(reproduction).html());
    }
    Section { id: "factors", title: "How much time makes up for it?", body }
}

fn sentence(factor: &TimeFactor) -> String {
    let (weaker, stronger) = (escape(&factor.weaker), escape(&factor.stronger));
    let paper = format!("The paper: about {} times", decimal(factor.paper, 2));
    match factor.found {
        Some(found) => format!(
            "<strong>{weaker}</strong> equals <strong>{stronger}</strong> with <strong>{} \
             times</strong> the time (95 % interval: {}). {paper}.",
            decimal(found.factor, 2),
            factor_range(found.interval),
        ),
        None => format!(
            "When <strong>{weaker}</strong> equals <strong>{stronger}</strong> our matches do not \
             decide it. {paper}."
        ),
    }
}

fn figure(reproduction: &Reproduction) -> Figure {
    let factors = &reproduction.equal_strength;
    let matches_of = |factor| reproduction.matches_of(factor).collect::<Vec<&MatchRow>>();
    let charts: Vec<Chart> =
        factors.iter().map(|factor| chart(factor, &matches_of(factor))).collect();
    let columns = [
        ("Pairing", Cells::Words),
        ("Time factor", Cells::Numbers),
        ("Stronger’s percentage", Cells::Numbers),
        ("95 % interval", Cells::Numbers),
    ];
    let mut matches = Table::new("The matches behind the factors", columns);
    let columns = [
        ("Pairing", Cells::Words),
        ("Paper’s factor", Cells::Numbers),
        ("Our factor", Cells::Numbers),
        ("95 % interval", Cells::Numbers),
    ];
    let mut summary = Table::new("Time factors for equal strength", columns);
    for factor in factors {
        let pairing = escape(&format!("{} – {}", factor.stronger, factor.weaker));
        summary.row(vec![
            pairing.clone(),
            decimal(factor.paper, 2),
            factor.found.map_or(UNKNOWN.to_string(), |found| decimal(found.factor, 2)),
            factor_range(factor.found.map_or([None, None], |found| found.interval)),
        ]);
        for row in matches_of(factor) {
            matches.row(vec![
                pairing.clone(),
                decimal(row.factor(), 2),
                percentage(row.ours.percentage()),
                percentage_range(row.percentage_interval()),
            ]);
        }
    }
    Figure {
        id: "factors-figure",
        title: "Strength against time.".to_string(),
        caption: "Dots are matches with their 95 % intervals, the line is a curve fitted to them. \
                  Where it falls to 50 % the two are equal: the square with its bar is that factor \
                  and its interval, the dashed upright the paper’s. A bar that runs to the edge of \
                  the panel is open on that side."
            .to_string(),
        body: markup::panels(&charts, 270.0),
        numbers: vec![summary, matches],
    }
}

/// Time factors a curve is drawn for, from the first to the last.
const CURVE: [f64; 2] = [0.8, 2.0];

fn chart(factor: &TimeFactor, matches: &[&MatchRow]) -> Chart {
    let found = factor.found;
    let across = matches
        .iter()
        .map(|row| row.factor())
        .chain(found.iter().flat_map(|_| CURVE))
        .chain([1.0, factor.paper])
        .chain(found.map(|found| found.factor))
        .filter(|x| x.is_finite());
    let (low, high) =
        across.fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), x| (low.min(x), high.max(x)));
    let heights = matches.iter().flat_map(|row| row.percentage_interval());
    let (bottom, top) =
        heights.fold((40.0f64, 60.0f64), |(low, high), y| (low.min(y), high.max(y)));
    let room = 0.06 * (high - low).max(0.1);
    let (low, high) = (low - room, high + room);
    let (bottom, top) = ((bottom - 2.0) / 100.0, (top + 2.0) / 100.0);
    let dots = matches.iter().map(|row| Estimated {
        x: row.factor(),
        y: row.ours.tally.score(),
        interval: (row.ours.score_interval.low, row.ours.score_interval.high),
    });
    let curve = found.iter().flat_map(|found| {
        let step = (CURVE[1] - CURVE[0]) / 60.0;
        (0..=60).map(move |i| CURVE[0] + f64::from(i) * step).map(|x| (x, found.share(x)))
    });
    let look = Look { shape: Shape::Square, ..Colour::Purple.into() };
    let reach = |end: Option<f64>, open: f64| end.unwrap_or(open).clamp(low, high);
    let interval = match found.map(|found| found.interval) {
        None | Some([None, None]) => Vec::new(),
        Some([from, to]) => vec![(reach(from, low), 0.5), (reach(to, high), 0.5)],
    };
    let mut chart = Chart::new(
        format!("{} against {}", factor.stronger, factor.weaker),
        Axis::new(
            format!("time of {} over time of {}", factor.weaker, factor.stronger),
            (low, high),
        ),
        Axis::new(format!("points of {}", factor.stronger), (bottom, top))
            .numbers(Numbers::Percent),
    )
    .series(Series::new("", Colour::Grey, Mark::Line(vec![(low, 0.5), (high, 0.5)])))
    .series(Series::new(
        "the paper’s factor",
        Colour::Grey,
        Mark::Reference(vec![(factor.paper, bottom), (factor.paper, top)]),
    ))
    .series(Series::new("fitted curve", Colour::Ink, Mark::Line(curve.collect())))
    .series(Series::new("matches", Colour::Ink, Mark::Dots(dots.collect())))
    .series(Series::new("", look, Mark::Line(interval)));
    let found_at = found.map_or(f64::NAN, |found| found.factor);
    let dot = Estimated { x: found_at, y: 0.5, interval: (f64::NAN, f64::NAN) };
    chart = chart.series(Series::new("our factor and its interval", look, Mark::Dots(vec![dot])));
    chart
}
