//! How often a model puts two positions in the wrong order.

use crate::chart::{Axis, Chart, Estimated, Look, Mark, Numbers, Series};
use crate::markup::{self, Cells, Figure, Table, escape, missing};
use crate::numbers::{count, discs, interval_of, share_with_error, signed, with_error};
use crate::page::Section;
use crate::reproduction::{
    Measured, ModelQuality, PhaseQuality, Quality, QualityGap, Reproduction,
};

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
        figure(quality).html() + &gaps(&quality.gaps)
    });
    Section { id: "discordance", title: "How often is the order wrong?", body }
}

/// A stage with fewer test positions says nothing and spoils the scale.
const FEWEST: usize = 300;

/// The stages of a model with enough positions to be drawn.
pub(super) fn drawn(model: &ModelQuality) -> impl Iterator<Item = &PhaseQuality> + Clone {
    model.phases.iter().filter(|phase| phase.positions >= FEWEST)
}

/// The middle of a range of disc counts.
pub(super) fn middle(phase: &PhaseQuality) -> f64 {
    0.5 * (phase.discs[0] + phase.discs[1]) as f64
}

/// The disc counts all models were tested on.
pub(super) fn discs_axis(quality: &Quality) -> Axis {
    let ranges = || quality.models.iter().flat_map(drawn);
    let first = ranges().map(|phase| phase.discs[0]).min().unwrap_or(4);
    let last = ranges().map(|phase| phase.discs[1]).max().unwrap_or(64);
    Axis::new("discs on the board", (first as f64, last as f64))
}

fn figure(quality: &Quality) -> Figure {
    let points = |model: &ModelQuality| -> Vec<Estimated> {
        let points = drawn(model).map(|phase| Estimated {
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
                  piece of evidence. All models judge the same positions, so their differences are \
                  surer than the bars, which contain the luck of the positions, suggest: see below. \
                  Stages with fewer than 300 positions are only in the numbers."
                .to_string(),
        body: markup::chart(&chart, 360.0),
        numbers: vec![table(quality)],
    }
}

/// The models against each other on the same positions.
fn gaps(gaps: &[QualityGap]) -> String {
    if gaps.is_empty() {
        return String::new();
    }
    let columns = [
        ("Models", Cells::Words),
        ("Difference [points]", Cells::Numbers),
        ("95 % interval", Cells::Numbers),
        ("In words", Cells::Words),
    ];
    let mut table = Table::new(
        "Discordance of the second model less that of the first, in percentage points, over the \
         whole game and on the same positions",
        columns,
    )
    .cards();
    for gap in gaps {
        let [first, second] = &gap.models;
        let Measured { value, standard_error } = gap.discordance;
        let (low, high) = interval_of(value, standard_error);
        let words = if low > 0.0 {
            format!("{first} orders better")
        } else if high < 0.0 {
            format!("{second} orders better")
        } else {
            "no difference to be seen".to_string()
        };
        table.row(vec![
            escape(&format!("{first} – {second}")),
            signed(100.0 * value, 2),
            format!("{} to {}", signed(100.0 * low, 2), signed(100.0 * high, 2)),
            escape(&words),
        ]);
    }
    table.html()
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
