//! Why a position has the value it has.

use std::io::{Result, Write};

use discern_board::Color;
use discern_eval::{Explanation, Parts};
use discern_players::Explained;

use crate::{Align, TextTable};

/// Moves that fit side by side on a terminal; JSON has them all.
const COLUMNS: usize = 6;

/// Writes all models side by side; then the best moves, if they were taken
/// apart, in the model that was searched with, or the first one if that is not
/// made of features.
///
/// # Errors
/// If `out` fails.
pub fn print_explained(
    out: &mut dyn Write,
    mover: Color,
    explained: &Explained,
    model: &str,
) -> Result<()> {
    let explanation = &explained.position;
    let discs = explanation.discs;
    writeln!(
        out,
        "\nWhat each feature adds to {mover}'s log-odds at {discs} discs, before any search:\n"
    )?;
    let models = explanation.models.iter().map(|model| (&*model.title, &model.parts));
    write!(out, "{}", table(explanation, &models.collect::<Vec<_>>(), true))?;
    writeln!(out, "A product of two features (QUAD) is shared equally between them.")?;
    let moves: Vec<(&String, &Explanation)> = explained
        .moves
        .iter()
        .filter_map(|(mv, explanation)| Some((mv, explanation.as_ref()?)))
        .take(COLUMNS)
        .collect();
    let Some((_, first)) = moves.first() else { return Ok(()) };
    let chosen = first.models.iter().position(|other| other.name == model).unwrap_or(0);
    let Some(title) = first.models.get(chosen).map(|model| &model.title) else { return Ok(()) };
    writeln!(out, "\nThe same for {title} after the best moves, still {mover}'s log-odds:\n")?;
    let columns = moves.iter().map(|(mv, e)| (&***mv, &e.models[chosen].parts));
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
    row("", "probability", none(), &|parts| format!("{:.1}%", 100.0 * parts.probability()));
    table
}
