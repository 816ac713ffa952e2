//! What training and calibration reached.

use std::io::{Result, Write};

use discern_eval::{DirectModel, DirectPhase};
use discern_learn::StageDone;
use discern_train::{Generation, HeldOut, ScoreStep};
use serde::Serialize;

use crate::numbers::so_far;
use crate::{Align, TextTable};

/// Writes the held-out loss of a generation and its match against the one
/// before.
///
/// # Errors
/// If `out` fails.
pub fn print_generation(out: &mut dyn Write, generation: &Generation) -> Result<()> {
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

/// A stage of a fit of the direct model is done, of so many stages.
pub fn stage_text(done: &StageDone, stages: usize, seconds: f64) -> String {
    format!(
        "stage {} of {stages}: {} positions, {:.1} passes; {}",
        done.stage + 1,
        done.positions,
        done.passes,
        so_far(seconds, done.done)
    )
}

/// A stage of expected scores is learned.
pub fn score_stage_text(step: &ScoreStep, seconds: f64) -> String {
    let ScoreStep { discs, boards, error, done } = step;
    let so_far = so_far(seconds, *done);
    format!("{discs} discs: {boards} boards, error {error:.1} discs; {so_far}")
}

/// What the odds of the direct model mean in a phase.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct CalibratedPhase {
    /// Discs on the board.
    pub phase: usize,
    /// Added to the log-odds.
    pub intercept: f64,
    /// By which they are multiplied.
    pub scale: f64,
    /// How far deeper searches stray, in logits.
    pub spread: f64,
    /// Log-odds that are worth half of the board.
    pub half_score: f64,
    /// Error of expected scores in discs, where the model has them.
    pub score_error: Option<f64>,
}

/// The phases of a model.
pub fn calibrated_phases(model: &DirectModel) -> Vec<CalibratedPhase> {
    let phase = |(discs, phase): (usize, &DirectPhase)| {
        let scores = model.scores().filter(|scores| discs >= scores.first());
        CalibratedPhase {
            phase: discs,
            intercept: phase.intercept,
            scale: phase.scale,
            spread: phase.spread,
            half_score: phase.half_score,
            score_error: scores.map(|scores| scores.phases.at(discs).error),
        }
    };
    model.phases.iter().map(phase).collect()
}

/// Writes what the odds of a model mean, phase by phase.
///
/// # Errors
/// If `out` fails.
pub fn print_calibration(out: &mut dyn Write, phases: &[CalibratedPhase]) -> Result<()> {
    let columns =
        ["discs", "intercept", "scale", "spread, logits", "discs of 1 logit", "score, ± discs"];
    let mut table = TextTable::new(columns.map(|column| (column, Align::Right)));
    for phase in phases {
        let numbers = [phase.intercept, phase.scale, phase.spread].map(|n| format!("{n:.3}"));
        let [intercept, scale, spread] = numbers;
        let one_logit = format!("{:.1}", 64.0 / (1.0 + phase.half_score));
        let error = phase.score_error.map(|error| format!("{error:.1}")).unwrap_or_default();
        table.row([phase.phase.to_string(), intercept, scale, spread, one_logit, error]);
    }
    write!(out, "{table}")
}
