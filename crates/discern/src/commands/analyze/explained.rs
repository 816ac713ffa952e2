//! Why a position has the value it has: as JSON and as tables.

use std::io::{Result, Write};

use clap::ValueEnum;
use discern_eval::{Contribution, Explanation, FEATURES, Feature};
use discern_search::Model;
use serde::{Serialize, Serializer};

use super::Analysis;

/// What to take apart.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Explain {
    /// The position, in the three models side by side
    Position,
    /// Also the positions after the moves, in the model that was searched with
    Moves,
}

/// A number for each feature, in their order and under their names.
#[derive(Clone, Copy)]
pub struct ByFeature([f64; FEATURES]);

impl ByFeature {
    /// The values of the features of a position.
    pub fn values(explanation: &Explanation) -> ByFeature {
        ByFeature(std::array::from_fn(|j| explanation.features[j].value))
    }
}

impl Serialize for ByFeature {
    fn serialize<S: Serializer>(&self, serializer: S) -> std::result::Result<S::Ok, S::Error> {
        serializer.collect_map(Feature::ALL.iter().map(|f| (f.name(), self.0[f.index()])))
    }
}

/// The value of a position taken apart, before any search.
#[derive(Serialize)]
pub struct Explained {
    log: Parts,
    fisher: Parts,
    quad: Parts,
}

/// The value of one model taken apart: the intercept and the contributions add
/// up to the value.
#[derive(Serialize)]
struct Parts {
    probability: f64,
    value: f64,
    intercept: f64,
    contributions: ByFeature,
}

impl From<Explanation> for Explained {
    fn from(explanation: Explanation) -> Explained {
        let parts = |model: fn(&Contribution) -> f64| {
            let value = model(&explanation.total);
            Parts {
                probability: 1.0 / (1.0 + (-value).exp()),
                value,
                intercept: model(&explanation.intercept),
                contributions: ByFeature(std::array::from_fn(|j| {
                    model(&explanation.features[j].contribution)
                })),
            }
        };
        Explained {
            log: parts(|part| part.log),
            fisher: parts(|part| part.fisher),
            quad: parts(|part| part.quad),
        }
    }
}

impl Explained {
    /// The parts of a model; of LOG for a model that is not made of features.
    fn parts(&self, model: Model) -> (&'static str, &Parts) {
        match model {
            Model::Fisher => (model.title(), &self.fisher),
            Model::Quad => (model.title(), &self.quad),
            _ => (Model::Log.title(), &self.log),
        }
    }
}

/// Moves that fit side by side on a terminal; JSON has them all.
const COLUMNS: usize = 6;

/// The three models side by side.
pub fn print_position(
    out: &mut impl Write,
    analysis: &Analysis,
    explained: &Explained,
) -> Result<()> {
    let Analysis { mover, discs, features, .. } = analysis;
    writeln!(
        out,
        "\nWhat each feature adds to {mover}'s log-odds at {discs} discs, before any search:\n"
    )?;
    writeln!(out, "{:27} value      LOG   FISHER     QUAD", "feature")?;
    let models = [&explained.log, &explained.fisher, &explained.quad];
    rows(out, &models, |feature| format!("{:>+6.2}", features.0[feature.index()]), "      ")?;
    writeln!(out, "QUAD's products of two features are shared equally between them.")
}

/// The best moves side by side.
pub fn print_moves(out: &mut impl Write, analysis: &Analysis, model: Model) -> Result<()> {
    let explained: Vec<_> = analysis
        .moves
        .iter()
        .filter_map(|mv| Some((&mv.mv, mv.explanation.as_ref()?.parts(model))))
        .take(COLUMNS)
        .collect();
    let Some((_, (name, _))) = explained.first() else { return Ok(()) };
    let mover = &analysis.mover;
    writeln!(out, "\nThe same for {name} after the best moves, still {mover}'s log-odds:\n")?;
    write!(out, "{:26}", "feature")?;
    for (mv, _) in &explained {
        write!(out, " {mv:>8}")?;
    }
    writeln!(out)?;
    let models: Vec<&Parts> = explained.iter().map(|(_, (_, parts))| *parts).collect();
    rows(out, &models, |_| String::new(), "")
}

/// A row for each feature, between the intercept and the sums; `value` is
/// what stands between its name and its contributions, as wide as `blank`.
fn rows(
    out: &mut impl Write,
    columns: &[&Parts],
    value: impl Fn(Feature) -> String,
    blank: &str,
) -> Result<()> {
    let mut row = |name: &str, title: &str, value: &str, cell: &dyn Fn(&Parts) -> String| {
        write!(out, "{name:5} {title:20}{value}")?;
        columns.iter().try_for_each(|column| write!(out, " {:>8}", cell(column)))?;
        writeln!(out)
    };
    row("", "the phase itself", blank, &|parts| format!("{:+.2}", parts.intercept))?;
    for feature in Feature::ALL {
        row(feature.name(), feature.title(), &value(feature), &|parts| {
            format!("{:+.2}", parts.contributions.0[feature.index()])
        })?;
    }
    row("sum", "log-odds", blank, &|parts| format!("{:+.2}", parts.value))?;
    row("", "probability", blank, &|parts| format!("{:.1}%", 100.0 * parts.probability))
}
