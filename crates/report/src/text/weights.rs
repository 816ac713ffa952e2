//! The fits behind the weights of the engine.

use std::io::{Result, Write};

use discern_eval::LinearModel;
use discern_learn::Fitted;
use discern_stats::compare_covariances;

use crate::{Align, TextTable};

/// Writes a line per phase: positions, how far the classes differ, and of the first
/// linear model how its fit went and its weights in standard errors.
///
/// # Errors
/// If `out` fails.
pub fn print_weights(out: &mut dyn Write, fitted: &Fitted) -> Result<()> {
    let linear = fitted.weights.models().iter().zip(&fitted.ends);
    let linear =
        linear.filter_map(|(named, ends)| Some((named, named.get::<LinearModel>()?, ends)));
    let linear = linear.take(1).collect::<Vec<_>>().pop();
    let features = fitted.weights.basis().features();
    let columns = [
        ("discs", Align::Right),
        ("positions", Align::Right),
        ("won %", Align::Right),
        ("drawn %", Align::Right),
        ("stop", Align::Left),
        ("ΔΣ %", Align::Right),
    ];
    let names = linear.iter().flat_map(|_| features.iter().map(|feature| feature.name()));
    let columns = columns.into_iter().chain(names.map(|name| (name, Align::Right)));
    let mut table = TextTable::new(columns);
    for (place, phase) in fitted.phases.iter().enumerate() {
        let moments = &phase.moments;
        let share = |weight: f64| format!("{:.1}", 100.0 * weight / moments.rows);
        let difference = compare_covariances(moments).map_or(f64::NAN, |c| c.relative_difference);
        let stop = linear.and_then(|(_, _, ends)| ends[place].stop);
        let cells = [
            phase.discs.to_string(),
            format!("{:.0}", moments.rows),
            // A draw is half a row in each class.
            share(moments.won.weight - moments.undecided / 2.0),
            share(moments.undecided),
            stop.map_or("–", |stop| stop.word()).to_owned(),
            format!("{:.0}", 100.0 * difference),
        ];
        let errors = linear.map(|(_, model, _)| model.phases.at(phase.discs));
        let errors = errors.and_then(|p| Some(p.weights.iter().zip(&p.errors.as_ref()?.weights)));
        let weights = errors.into_iter().flatten().map(|(weight, error)| match *error > 0.0 {
            true => format!("{:.1}", weight / error),
            false => "–".to_owned(),
        });
        table.row(cells.into_iter().chain(weights));
    }
    write!(out, "{table}")?;
    if let Some((named, ..)) = linear {
        writeln!(out, "stop and features: {}, weight / standard error", named.title())?;
    }
    let mut said: Vec<&String> = Vec::new();
    for remark in fitted.weights.models().iter().flat_map(|model| &model.manifest.remarks) {
        if !said.contains(&remark) {
            writeln!(out, "{remark}")?;
            said.push(remark);
        }
    }
    Ok(())
}
