//! Do the probabilities mean what they say?

use discern_experiment::{Diagonal, HeldOut, Reproduction, SingleDiscs};
use discern_stats::CalibrationBin;

use super::discordance::stage;
use crate::chart::{Axis, Chart, Colour, Estimated, Look, Mark, Numbers, Series};
use crate::markup::{self, Cells, Figure, Table, capitalised, escape, missing};
use crate::numbers::{count, decimal, discs};
use crate::page::Section;

/// A bin with a wider interval than this says nothing and hides the others.
const WIDEST: f64 = 0.35;

pub(crate) fn section(reproduction: &Reproduction) -> Section {
    let quality = &reproduction.quality;
    let mut body = format!(
        "<p>Of all positions given a 70 % chance, 70 % should be won. That can be checked, but only \
         on games nobody has learnt from: {} positions of games set aside, next to {} to learn \
         from. {} {}</p>\n",
        count(quality.test_positions),
        count(quality.training_positions),
        duplicates(quality),
        sentence(&quality.evidence),
    );
    if quality.models.iter().all(|model| model.calibration.is_empty()) {
        body.push_str(&missing("Calibration: nothing was recorded."));
    } else {
        body.push_str(&overall(quality).html());
    }
    if quality.models.iter().any(|model| !model.quality.phases.is_empty()) {
        body.push_str(&by_phase(quality).html());
    }
    if !quality.singles.is_empty() {
        body.push_str(
            "<p>Who moves last depends on whether the number of discs is even or odd, and with it \
             the share of wins. Adjacent numbers are pooled for a fit, as in the paper, and a pool \
             has one constant for both; here each number of discs gets a constant of its own. Ranges \
             of four would hide what that changes, so the models are also judged by single \
             numbers.</p>\n",
        );
        body.push_str(&singles(&quality.singles).html());
    }
    Section { id: "calibration", title: "Do the probabilities mean what they say?", body }
}

/// A phrase of the data as a sentence.
fn sentence(phrase: &str) -> String {
    let text = capitalised(phrase);
    let end = if text.is_empty() || text.ends_with(['.', '!', '?']) { "" } else { "." };
    escape(&text) + end
}

/// Why the test is fair: no position of it was learnt from.
fn duplicates(quality: &HeldOut) -> String {
    match quality.duplicates {
        0 => "None of the former occurs among the latter.".to_string(),
        left_out => format!(
            "Another {} positions of the former games were left out because they occur among the \
             latter as well.",
            count(left_out)
        ),
    }
}

/// Axes from 0 to 100 % with the diagonal.
pub(crate) fn square(title: String) -> Chart {
    let percent = |label: &str| Axis::new(label, (0.0, 1.0)).numbers(Numbers::Percent);
    Chart::new(title, percent("predicted winning probability"), percent("observed share of wins"))
        .series(Series::new(
            "as it should be",
            Colour::Grey,
            Mark::Reference(vec![(0.0, 0.0), (1.0, 1.0)]),
        ))
}

/// Adds the bins of a model under this name.
pub(crate) fn model<'a>(
    chart: Chart,
    model: &str,
    name: &str,
    bins: impl Iterator<Item = &'a CalibrationBin> + Clone,
    shift: f64,
) -> Chart {
    let look = Look::of_model(model);
    let line = bins.clone().map(|bin| (bin.predicted, bin.observed)).collect();
    let dots =
        bins.map(|bin| Estimated { x: bin.predicted, y: bin.observed, interval: bin.interval });
    chart
        .series(Series::new("", look, Mark::Line(line)).shifted(shift))
        .series(Series::new(name, look, Mark::Dots(dots.collect())).shifted(shift))
}

/// The bins that say something.
fn telling(bins: &[CalibrationBin]) -> impl Iterator<Item = &CalibrationBin> + Clone {
    bins.iter().filter(|bin| bin.interval.1 - bin.interval.0 <= WIDEST)
}

fn overall(quality: &HeldOut) -> Figure {
    let mut charts = Vec::new();
    for judged in &quality.models {
        let (name, bins) = (&judged.quality.name, &judged.calibration);
        charts.push(model(square(name.clone()), name, "", telling(bins), 0.0));
    }
    Figure {
        id: "calibration-figure",
        title: "Calibration over the whole game.".to_string(),
        caption: "Positions are sorted by the probability a model gave them; the dot is the share \
                  that was won, the bar its 95 % interval; the numbers are in <code>calibration.csv</code>. On the diagonal a model is right. A curve \
                  flatter than the diagonal is too sure of itself, a steeper one too timid."
            .to_string(),
        body: markup::panels(&charts, 290.0),
        numbers: Vec::new(),
    }
}

fn by_phase(quality: &HeldOut) -> Figure {
    let mut ranges: Vec<[usize; 2]> =
        quality.models.iter().flat_map(|model| &model.quality.phases).map(stage).collect();
    ranges.sort_unstable();
    ranges.dedup();
    let mut charts = Vec::new();
    for range in ranges {
        let mut chart = square(discs(range));
        // Of the first model alone: three in every panel, and their numbers, made
        // half of the page.
        for one in quality.models.iter().take(1) {
            let name = &one.quality.name;
            for phase in one.quality.phases.iter().filter(|phase| stage(phase) == range) {
                chart = model(chart, name, name, telling(&phase.calibration), 0.0);
            }
        }
        if chart.has_dots() {
            charts.push(chart);
        }
    }
    Figure {
        id: "calibration-phases",
        title: "Calibration at each stage of the game.".to_string(),
        caption: "The same for ranges of disc counts and the first model; bins with too few \
                  positions for an interval of 35 points are left out. If the curves lie on the \
                  diagonal in every panel, 60 % means 60 % early and late, and values from different \
                  stages may be compared. The other models and all numbers are in \
                  <code>calibration.csv</code>."
            .to_string(),
        body: markup::panels(&charts, 270.0),
        numbers: Vec::new(),
    }
}

/// Every model by single disc counts, as its pools would leave it and as it is.
fn singles(singles: &[SingleDiscs]) -> Figure {
    let counts = singles.iter().flat_map(|one| one.pooled.counts.iter().chain(&one.own.counts));
    let (mut discs, mut most) = ((f64::INFINITY, f64::NEG_INFINITY), 0.02f64);
    for count in counts {
        let x = count.discs as f64;
        discs = (discs.0.min(x), discs.1.max(x));
        most = most.max(count.difference.abs());
    }
    let discs = if discs.0 < discs.1 { discs } else { (4.0, 64.0) };
    let line = |diagonal: &Diagonal| {
        diagonal.counts.iter().map(|count| (count.discs as f64, count.difference)).collect()
    };
    let chart = |one: &SingleDiscs| {
        Chart::new(
            one.model.clone(),
            Axis::new("discs on the board", discs),
            Axis::new("predicted − observed", (-1.1 * most, 1.1 * most)).numbers(Numbers::Percent),
        )
        .series(Series::new(
            "",
            Colour::Grey,
            Mark::Reference(vec![(discs.0, 0.0), (discs.1, 0.0)]),
        ))
        .series(Series::new(
            "constants of the pools",
            Colour::Orange,
            Mark::Line(line(&one.pooled)),
        ))
        .series(Series::new(
            "a constant for each",
            Colour::Ink,
            Mark::Line(line(&one.own)),
        ))
    };
    let charts: Vec<Chart> = singles.iter().map(chart).collect();
    let columns = [
        ("Model", Cells::Words),
        ("Constant", Cells::Words),
        ("Bins off", Cells::Numbers),
        ("Worst bin [points]", Cells::Numbers),
        ("Its discs", Cells::Numbers),
        ("Mean difference [points]", Cells::Numbers),
    ];
    let title = "Single disc counts: bins that are beyond doubt more than five points off, the worst \
                 one, and the mean of |predicted − observed|";
    let mut table = Table::new(title, columns);
    for one in singles {
        for (constant, found) in [("of the pool", &one.pooled), ("its own", &one.own)] {
            table.row(vec![
                escape(&one.model),
                constant.to_owned(),
                format!("{} of {}", count(found.off), count(found.bins)),
                decimal(100.0 * found.worst, 1),
                count(found.worst_discs),
                decimal(100.0 * found.mean, 1),
            ]);
        }
    }
    Figure {
        id: "singles-figure",
        title: "Predicted less observed share of wins by number of discs.".to_string(),
        caption: "At 0 a model is right on average. With the constants of the pools the line jumps \
                  between even and odd numbers: what 60 % means then depends on who moves last. All \
                  values are in <code>single-discs.csv</code>."
            .to_string(),
        body: markup::panels(&charts, 230.0) + &table.html(),
        numbers: Vec::new(),
    }
}
