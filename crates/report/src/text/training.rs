//! What training and calibration reached.

use std::io::{Result, Write};

use discern_eval::DirectModel;
use discern_train::{Generation, HeldOut};

use crate::{Align, TextTable};

/// Writes the held-out loss of a generation and its match against the one
/// before.
///
/// # Errors
/// If `out` fails.
pub fn print_generation(out: &mut impl Write, generation: &Generation) -> Result<()> {
    let Generation { number, positions, held_out, held_out_before, versus, .. } = generation;
    writeln!(out, "generation {number}: {positions} positions")?;
    let loss = |measured: &HeldOut| format!("{:.4} ± {:.4}", measured.log_loss, measured.error);
    match (held_out, held_out_before) {
        (Some(new), Some(old)) => {
            writeln!(out, "  held-out log loss {}, the one before {}", loss(new), loss(old))?;
        }
        (Some(new), None) => writeln!(out, "  held-out log loss {}", loss(new))?,
        _ => {}
    }
    if let Some(versus) = versus {
        let tally = versus.tally;
        writeln!(
            out,
            "  against the one before {}–{}–{}, {:.1} %, Elo {:+.0} ± {:.0}",
            tally.wins,
            tally.draws,
            tally.losses,
            versus.percentage(),
            versus.elo.value,
            versus.elo.error,
        )?;
    }
    Ok(())
}

/// Writes what the odds of a model mean, phase by phase.
///
/// # Errors
/// If `out` fails.
pub fn print_calibration(out: &mut impl Write, model: &DirectModel) -> Result<()> {
    let columns = ["discs", "intercept", "scale", "spread, logits", "discs of 1 logit"];
    let mut table = TextTable::new(columns.map(|column| (column, Align::Right)));
    for (discs, phase) in model.phases.iter() {
        let one_logit = 64.0 / (1.0 + phase.half_score);
        let numbers = [phase.intercept, phase.scale, phase.spread].map(|n| format!("{n:.3}"));
        let [intercept, scale, spread] = numbers;
        table.row([discs.to_string(), intercept, scale, spread, format!("{one_logit:.1}")]);
    }
    write!(out, "{table}")
}
