//! Why a position has the value it has: as JSON and as tables.

use std::io::{Result, Write};

use clap::ValueEnum;
use discern_eval::{Explanation, FeatureExplanation, ModelExplanation, Parts};
use discern_report::{Align, TextTable};
use serde::{Serialize, Serializer};

use super::Analysis;

/// What to take apart.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Explain {
    /// The position, in all models of the weights side by side
    Position,
    /// Also the positions after the moves, in the model that was searched with
    Moves,
}

/// Values under their names, in their order.
pub struct Named<T>(Vec<(String, T)>);

impl<T: Serialize> Serialize for Named<T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> std::result::Result<S::Ok, S::Error> {
        serializer.collect_map(self.0.iter().map(|(name, value)| (name, value)))
    }
}

/// One model's value taken apart: the intercept and the contributions add up
/// to it.
#[derive(Serialize)]
pub struct Taken {
    probability: f64,
    value: f64,
    intercept: f64,
    contributions: Named<f64>,
}

/// The features of a position by name.
pub fn values(explanation: &Explanation) -> Named<f64> {
    let named = |f: &FeatureExplanation| (f.feature.name().to_owned(), f.value);
    Named(explanation.features.iter().map(named).collect())
}

/// The value of a position taken apart, before any search, by each model.
pub fn parts(explanation: &Explanation) -> Named<Taken> {
    let names = || explanation.features.iter().map(|f| f.feature.name().to_owned());
    let taken = |model: &ModelExplanation| Taken {
        probability: probability(&model.parts),
        value: model.parts.value(),
        intercept: model.parts.intercept,
        contributions: Named(names().zip(model.parts.contributions.iter().copied()).collect()),
    };
    Named(explanation.models.iter().map(|model| (model.name.clone(), taken(model))).collect())
}

fn probability(parts: &Parts) -> f64 {
    1.0 / (1.0 + (-parts.value()).exp())
}

/// Moves that fit side by side on a terminal; JSON has them all.
const COLUMNS: usize = 6;

/// All models side by side.
pub fn print_position(
    out: &mut impl Write,
    analysis: &Analysis,
    explanation: &Explanation,
) -> Result<()> {
    let Analysis { mover, discs, .. } = analysis;
    writeln!(
        out,
        "\nWhat each feature adds to {mover}'s log-odds at {discs} discs, before any search:\n"
    )?;
    let models = explanation.models.iter().map(|model| (&*model.title, &model.parts));
    write!(out, "{}", table(explanation, &models.collect::<Vec<_>>(), true))?;
    writeln!(out, "A product of two features (QUAD) is shared equally between them.")
}

/// The best moves side by side, in the model that was searched with, or the
/// first one if that is not made of features.
pub fn print_moves(
    out: &mut impl Write,
    analysis: &Analysis,
    explained: &[(String, Option<Explanation>)],
    model: &str,
) -> Result<()> {
    let explained: Vec<(&String, &Explanation)> = explained
        .iter()
        .filter_map(|(mv, explanation)| Some((mv, explanation.as_ref()?)))
        .take(COLUMNS)
        .collect();
    let Some((_, first)) = explained.first() else { return Ok(()) };
    let chosen = first.models.iter().position(|other| other.name == model).unwrap_or(0);
    let Some(title) = first.models.get(chosen).map(|model| &model.title) else { return Ok(()) };
    let mover = &analysis.mover;
    writeln!(out, "\nThe same for {title} after the best moves, still {mover}'s log-odds:\n")?;
    let columns = explained.iter().map(|(mv, e)| (&***mv, &e.models[chosen].parts));
    write!(out, "{}", table(first, &columns.collect::<Vec<_>>(), false))
}

/// A row for each feature, between the intercept and the sums, with the values
/// of the features if they are wanted.
fn table(explanation: &Explanation, columns: &[(&str, &Parts)], values: bool) -> TextTable {
    let value = values.then_some(("value", Align::Right));
    let heads = columns.iter().map(|(head, _)| (*head, Align::Right));
    let names = [("", Align::Left), ("feature", Align::Left)];
    let mut table = TextTable::new(names.into_iter().chain(value).chain(heads));
    let mut row = |name: &str, title: &str, value: String, cell: &dyn Fn(&Parts) -> String| {
        let value = values.then_some(value);
        let cells = columns.iter().map(|(_, parts)| cell(parts));
        table.row([name.to_owned(), title.to_owned()].into_iter().chain(value).chain(cells));
    };
    let none = String::new;
    row("", "the phase itself", none(), &|parts| format!("{:+.2}", parts.intercept));
    for (place, explained) in explanation.features.iter().enumerate() {
        let (feature, value) = (explained.feature, format!("{:+.2}", explained.value));
        row(feature.name(), feature.title(), value, &|parts| {
            format!("{:+.2}", parts.contributions[place])
        });
    }
    row("sum", "log-odds", none(), &|parts| format!("{:+.2}", parts.value()));
    row("", "probability", none(), &|parts| format!("{:.1}%", 100.0 * probability(parts)));
    table
}
