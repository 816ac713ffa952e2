//! Is a value worth the same one move later?

use discern_experiment::{HeldOut, Reproduction};
use discern_learn::PhaseQuality;

use super::discordance::{beside, discs_axis, drawn, middle, stage};
use crate::chart::{Axis, Chart, Colour, Estimated, Look, Mark, Numbers, Series};
use crate::markup::{self, Cells, Figure, Table, escape, missing};
use crate::numbers::{decimal, discs, signed};
use crate::page::Section;

pub(crate) fn section(reproduction: &Reproduction) -> Section {
    let quality = &reproduction.quality;
    let mut body = String::from(
        "<p>The weights at 30 discs and those at 31 come from two fits that know nothing of each \
         other. If their answers mean the same, the value of a position should not move much when \
         the program looks one move ahead and judges with the weights of the next phase. A search \
         that compares lines of different length relies on it.</p>\n",
    );
    body.push_str(&if quality.models.iter().all(|model| model.quality.phases.is_empty()) {
        missing("Agreement from one disc count to the next: nothing was recorded.")
    } else {
        figure(quality).html()
    });
    Section { id: "agreement", title: "Is a value worth the same one move later?", body }
}

fn figure(quality: &HeldOut) -> Figure {
    let values = |value: fn(&PhaseQuality) -> f64| {
        quality.models.iter().flat_map(|model| drawn(&model.quality)).map(value).collect::<Vec<_>>()
    };
    let means = values(|phase| phase.agreement.mean);
    let low = means.iter().copied().fold(-0.01, f64::min);
    let high = means.iter().copied().fold(0.01, f64::max);
    let largest = values(|phase| phase.agreement.root_mean_square).into_iter().fold(0.01, f64::max);
    let mean = chart(
        quality,
        "Mean difference: is one move deeper rosier?",
        Axis::new("deeper − static [probability]", (1.15 * low, 1.15 * high)),
        |phase| phase.agreement.mean,
    );
    let spread = chart(
        quality,
        "Typical size of the difference",
        Axis::new("root mean square [probability]", (0.0, 1.1 * largest)),
        |phase| phase.agreement.root_mean_square,
    );
    let columns = [
        ("Model", Cells::Words),
        ("Stage", Cells::Words),
        ("Mean difference [points]", Cells::Numbers),
        ("Root mean square [points]", Cells::Numbers),
    ];
    let mut table =
        Table::new("P(W) one move deep less P(W) at once, in percentage points", columns);
    for model in &quality.models {
        for phase in &model.quality.phases {
            table.row(vec![
                escape(&model.quality.name),
                discs(stage(phase)),
                signed(100.0 * phase.agreement.mean, 2),
                decimal(100.0 * phase.agreement.root_mean_square, 2),
            ]);
        }
    }
    Figure {
        id: "agreement-figure",
        title: "From d discs to d + 1.".to_string(),
        caption: "Left, how much the winning probability rises on average when judged one move \
                  later; near zero, the phases speak the same language. Right, the typical size of \
                  the change of a single position, which contains what the move itself reveals."
            .to_string(),
        body: pair(&[mean, spread]),
        numbers: vec![table],
    }
}

/// Two charts, side by side where there is room.
fn pair(charts: &[Chart; 2]) -> String {
    let side_by_side = |width: f64| -> String {
        let panels = charts.iter().map(|chart| chart.clone().size(width, 280.0).titled_panel());
        let panels: String = panels.map(|panel| format!("<div>{panel}</div>\n")).collect();
        format!("<div class=\"panels two\">\n{panels}</div>\n")
    };
    markup::legend(&charts[0]) + &markup::in_two_widths(&side_by_side(396.0), &side_by_side(344.0))
}

fn chart(quality: &HeldOut, title: &str, y: Axis, value: fn(&PhaseQuality) -> f64) -> Chart {
    let mut chart = Chart::new(title, discs_axis(quality), y.numbers(Numbers::Percent));
    let across = quality.models.iter().flat_map(|model| drawn(&model.quality)).map(middle);
    let (first, last) =
        across.fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), x| (low.min(x), high.max(x)));
    chart = chart.series(Series::new(
        "",
        Colour::Grey,
        Mark::Reference(vec![(first, 0.0), (last, 0.0)]),
    ));
    for (index, model) in quality.models.iter().enumerate() {
        let model = &model.quality;
        let look = Look::of_model(&model.name);
        let shift = 5.0 * beside(index, quality.models.len());
        let points = drawn(model).map(|phase| (middle(phase), value(phase)));
        let dots = points.clone().map(|(x, y)| Estimated { x, y, interval: (f64::NAN, f64::NAN) });
        chart = chart
            .series(Series::new("", look, Mark::Line(points.collect())).shifted(shift))
            .series(Series::new(&model.name, look, Mark::Dots(dots.collect())).shifted(shift));
    }
    chart
}
