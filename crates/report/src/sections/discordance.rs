//! How often a model puts two positions in the wrong order.

use discern_experiment::{HeldOut, QualityGap, Reproduction};
use discern_learn::{ModelQuality, PhaseQuality};
use discern_stats::{Discordance, Measured};

use crate::chart::{Axis, Chart, Estimated, Look, Mark, Numbers, Series};
use crate::markup::{self, Cells, Figure, Table, escape, missing};
use crate::numbers::{UNKNOWN, amount, discs, interval_of, share_with_error, signed, with_error};
use crate::page::Section;

pub(crate) fn section(reproduction: &Reproduction) -> Section {
    let quality = &reproduction.quality;
    let mut body = String::from(
        "<p>A player does not need probabilities so much as the right order: of two positions the \
         better one. Take a won and a lost position at random. How often does a model prefer the \
         lost one? That share is the <em>discordance</em>. A coin has 50 %, a perfect judge 0 %, \
         and smaller is better.</p>\n",
    );
    body.push_str(&if quality.models.iter().all(|model| model.quality.phases.is_empty()) {
        missing("Discordance: nothing was recorded.")
    } else {
        figure(quality).html() + &gaps(&quality.gaps)
    });
    Section { id: "discordance", title: "How often is the order wrong?", body }
}

/// A stage with fewer test positions says nothing and spoils the scale.
const FEWEST: f64 = 300.0;

/// The stages of a model with enough positions to be drawn.
pub(super) fn drawn(model: &ModelQuality) -> impl Iterator<Item = &PhaseQuality> + Clone {
    model.phases.iter().filter(|phase| phase.metrics.rows >= FEWEST)
}

/// First and last disc count.
pub(super) fn stage(phase: &PhaseQuality) -> [usize; 2] {
    [*phase.discs.start(), *phase.discs.end()]
}

/// The middle of a range of disc counts.
pub(super) fn middle(phase: &PhaseQuality) -> f64 {
    0.5 * stage(phase).iter().sum::<usize>() as f64
}

/// Where the marks of one of several models lie, so that none hides another.
pub(super) fn beside(index: usize, of: usize) -> f64 {
    index as f64 - 0.5 * (of as f64 - 1.0)
}

/// The disc counts all models were tested on.
pub(super) fn discs_axis(quality: &HeldOut) -> Axis {
    let ranges = || quality.models.iter().flat_map(|model| drawn(&model.quality)).map(stage);
    let first = ranges().map(|[first, _]| first).min().unwrap_or(4);
    let last = ranges().map(|[_, last]| last).max().unwrap_or(64);
    Axis::new("discs on the board", (first as f64, last as f64))
}

fn figure(quality: &HeldOut) -> Figure {
    let points = |model: &ModelQuality| -> Vec<Estimated> {
        let points = drawn(model).filter_map(|phase| {
            let Discordance { value, standard_error, .. } = phase.metrics.discordance?;
            let interval = interval_of(value, standard_error);
            Some(Estimated { x: middle(phase), y: value, interval })
        });
        points.collect()
    };
    let top = quality
        .models
        .iter()
        .flat_map(|model| points(&model.quality))
        .map(|point| point.y.max(point.interval.1))
        .fold(0.0, f64::max);
    let mut chart = Chart::new(
        "Discordance of the models by number of discs",
        discs_axis(quality),
        Axis::new("pairs in the wrong order", (0.0, (1.08 * top).clamp(0.02, 1.0)))
            .numbers(Numbers::Percent),
    );
    for (index, model) in quality.models.iter().enumerate() {
        let model = &model.quality;
        let look = Look::of_model(&model.name);
        let shift = 5.0 * beside(index, quality.models.len());
        let points = points(model);
        let line = points.iter().map(|point| (point.x, point.y)).collect();
        chart = chart
            .series(Series::new("", look, Mark::Line(line)).shifted(shift))
            .series(Series::new(&model.name, look, Mark::Dots(points)).shifted(shift));
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

fn table(quality: &HeldOut) -> Table {
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
        for phase in &model.quality.phases {
            let metrics = &phase.metrics;
            let (log_loss, brier, accuracy) = (metrics.log_loss, metrics.brier, metrics.accuracy);
            table.row(vec![
                escape(&model.quality.name),
                discs(stage(phase)),
                amount(metrics.rows),
                metrics.discordance.map_or(UNKNOWN.to_string(), |discordance| {
                    share_with_error(discordance.value, discordance.standard_error)
                }),
                with_error(log_loss.value, log_loss.standard_error),
                with_error(brier.value, brier.standard_error),
                share_with_error(accuracy.value, accuracy.standard_error),
            ]);
        }
    }
    table
}
