//! How often a model puts two positions in the wrong order.

use crate::chart::{Axis, Chart, Estimated, Look, Mark, Numbers, Series};
use crate::markup::{self, Cells, Figure, Table, escape, missing};
use crate::numbers::{count, discs, interval_of, share_with_error, with_error};
use crate::page::Section;
use crate::reproduction::{ModelQuality, PhaseQuality, Quality, Reproduction};

pub(crate) fn section(reproduction: &Reproduction) -> Section {
    let quality = &reproduction.quality;
    let mut body = String::from(
        "<p>A player does not need probabilities so much as the right order: of two positions the \
         better one. Take a won and a lost position at random. How often does a model prefer the \
         lost one? That share is the <em>discordance</em>. A coin has 50 %, a perfect judge 0 %, \
         and smaller is better.</p>\n",
    );
    body.push_str(&if quality.models.iter().all(|model| model.phases.is_empty()) {
        missing("Discordance: nothing was recorded.")
    } else {
        figure(quality).html()
    });
    Section { id: "discordance", title: "How often is the order wrong?", body }
}

/// The middle of a range of disc counts.
pub(super) fn middle(phase: &PhaseQuality) -> f64 {
    0.5 * (phase.discs[0] + phase.discs[1]) as f64
}

/// The disc counts all models were tested on.
pub(super) fn discs_axis(quality: &Quality) -> Axis {
    let ranges = || quality.models.iter().flat_map(|model| &model.phases);
    let first = ranges().map(|phase| phase.discs[0]).min().unwrap_or(4);
    let last = ranges().map(|phase| phase.discs[1]).max().unwrap_or(64);
    Axis::new("discs on the board", (first as f64, last as f64))
}

fn figure(quality: &Quality) -> Figure {
    let points = |model: &ModelQuality| -> Vec<Estimated> {
        let points = model.phases.iter().map(|phase| Estimated {
            x: middle(phase),
            y: phase.discordance.value,
            interval: interval_of(phase.discordance.value, phase.discordance.standard_error),
        });
        points.collect()
    };
    let top = quality
        .models
        .iter()
        .flat_map(points)
        .map(|point| point.y.max(point.interval.1))
        .fold(0.0, f64::max);
    let mut chart = Chart::new(
        "Discordance of the models by number of discs",
        discs_axis(quality),
        Axis::new("pairs in the wrong order", (0.0, (1.08 * top).clamp(0.02, 1.0)))
            .numbers(Numbers::Percent),
    );
    for (index, model) in quality.models.iter().enumerate() {
        let look = Look::of_model(&model.model);
        let shift = 5.0 * (index as f64 - 1.0);
        let points = points(model);
        let line = points.iter().map(|point| (point.x, point.y)).collect();
        chart = chart
            .series(Series::new("", look, Mark::Line(line)).shifted(shift))
            .series(Series::new(&model.model, look, Mark::Dots(points)).shifted(shift));
    }
    Figure {
        id: "discordance-figure",
        title: "Pairs in the wrong order, on games no model has seen.".to_string(),
        caption:
            "Lower is better. Bars are 95 % intervals, the positions of a game counting as one \
                  piece of evidence. All models judge the same positions, so the distances between \
                  them are surer than the bars, which contain the luck of the positions, suggest."
                .to_string(),
        body: markup::chart(&chart, 360.0),
        numbers: vec![table(quality)],
    }
}

fn table(quality: &Quality) -> Table {
    let columns = [
        ("Model", Cells::Words),
        ("Stage", Cells::Words),
        ("Positions", Cells::Numbers),
        ("Discordance", Cells::Numbers),
        ("Log loss", Cells::Numbers),
        ("Brier score", Cells::Numbers),
        ("Right side of ½", Cells::Numbers),
    ];
    let mut table = Table::new(
        "Quality on held-out games; ± is half the 95 % interval. Log loss and Brier score measure \
         the distance of the probabilities from the outcomes: smaller is better",
        columns,
    );
    for model in &quality.models {
        for phase in &model.phases {
            table.row(vec![
                escape(&model.model),
                discs(phase.discs),
                count(phase.positions),
                share_with_error(phase.discordance.value, phase.discordance.standard_error),
                with_error(phase.log_loss.value, phase.log_loss.standard_error),
                with_error(phase.brier.value, phase.brier.standard_error),
                share_with_error(phase.accuracy.value, phase.accuracy.standard_error),
            ]);
        }
    }
    table
}
