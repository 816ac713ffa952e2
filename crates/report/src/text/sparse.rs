//! The summary of `discern fit --sparse`.

use std::io::{Result, Write};

use discern_fit::{Forecast, SparseFacts, SparseReport, SparseSettings, SparseWork};
use discern_stats::Trials;
use discern_stats::sparse::SparseErrors;

use super::fit::{count, print_metrics, significant};
use crate::numbers::{decimal, duration};
use crate::{Align, TextTable};

/// What is being done, and how far it is.
#[derive(Debug, Clone, PartialEq)]
pub struct Doing {
    /// What.
    pub what: String,
    /// How far, with the time left if that can be said.
    pub text: String,
    /// How much of the whole is done.
    pub share: f64,
}

/// Says what a sparse fit is doing, and how long that will take.
#[derive(Debug, Default)]
pub struct SparseWatch {
    forecast: Forecast,
}

impl SparseWatch {
    /// So much of the rows has been read.
    pub fn reading(seconds: f64, share: f64) -> Doing {
        let left = (share > 0.0).then(|| seconds * (1.0 - share) / share);
        doing("reading".into(), format!("{:.0} %", 100.0 * share), left, share)
    }

    /// The fit has come so far.
    pub fn fitting(&mut self, seconds: f64, work: &SparseWork) -> Doing {
        let left = self.forecast.left(seconds, work);
        let share = left.map_or(0.0, |left| seconds / (seconds + left));
        let (what, text) = sparse_work(work);
        doing(what, text, left, share)
    }
}

fn doing(what: String, text: String, left: Option<f64>, share: f64) -> Doing {
    let left = left.map_or_else(String::new, |left| format!(", {} left", duration(left)));
    Doing { what, text: text + &left, share }
}

/// What a fit is doing: which one, and how far it is.
fn sparse_work(work: &SparseWork) -> (String, String) {
    let what = match work.fit {
        0 => "fitting".to_string(),
        fold => format!("fold {fold} of {}", work.fits - 1),
    };
    let progress = &work.progress;
    let text = match progress.gradient {
        None => format!("pass {:.1} of the warm-up", progress.passes),
        Some(gradient) => {
            format!(
                "pass {:.0}, gradient {gradient:.0e} of {:.0e}",
                progress.passes, work.tolerance
            )
        }
    };
    (what, text)
}

/// Weights that the summary names.
const SHOWN: usize = 10;

/// Writes what was fitted, and the surest weights.
///
/// # Errors
/// If `out` fails.
pub fn print_sparse(
    out: &mut dyn Write,
    settings: &SparseSettings,
    facts: &SparseFacts,
    first_index: usize,
    report: &SparseReport,
) -> Result<()> {
    let fit = &report.fit;
    let groups =
        facts.groups.map_or(String::new(), |groups| format!(" · {} groups", count(groups as f64)));
    let streamed = facts.streamed.map_or(String::new(), |bytes| {
        format!(" · {:.1} GB in a temporary file", bytes as f64 / 1e9)
    });
    writeln!(
        out,
        "{} · {} rows · {:.1} of {} weights a row{groups}{streamed}",
        facts.file,
        count(facts.rows as f64),
        facts.entries as f64 / facts.rows as f64,
        count(facts.weights as f64),
    )?;
    let trials = match settings.model.trials {
        Trials::One => String::new(),
        Trials::Each(n) => format!(", n = {n} trials per row"),
    };
    let ridge = settings.model.prior.ridge;
    writeln!(out, "\nSPARSE  logistic regression, ridge {ridge}{trials}")?;
    writeln!(
        out,
        "  {} after {} steps, {:.1} passes · log-likelihood {} · penalty {}",
        fit.stop.word(),
        fit.steps,
        fit.passes,
        decimal(fit.log_likelihood, 2),
        decimal(fit.penalty, 2),
    )?;
    let seen = fit.counts.iter().filter(|&&count| count > 0.0).count();
    writeln!(
        out,
        "  {} weights were seen; standard errors {}",
        count(seen as f64),
        match fit.error_kind {
            SparseErrors::Joint => "allow for all other weights",
            SparseErrors::Conditional => "take the other weights as known",
        }
    )?;
    let mut table = TextTable::new([
        ("", Align::Left),
        ("weight", Align::Right),
        ("std. error", Align::Right),
        ("count", Align::Right),
    ])
    .indent(2);
    for intercept in &fit.intercepts {
        let phase = intercept.phase.map_or(String::new(), |phase| format!(" {phase}"));
        table.row([
            format!("(intercept{phase})"),
            significant(intercept.value),
            significant(intercept.error),
            count(intercept.count),
        ]);
    }
    // Those that the rows are surest of.
    let certainty = |&at: &usize| {
        let certainty = fit.weights[at].abs() / fit.errors[at];
        if certainty.is_finite() { certainty } else { 0.0 }
    };
    let mut order: Vec<usize> = (0..fit.weights.len()).collect();
    order.sort_by(|a, b| certainty(b).total_cmp(&certainty(a)));
    for &at in order.iter().take(SHOWN) {
        table.row([
            (at + first_index).to_string(),
            significant(fit.weights[at]),
            significant(fit.errors[at]),
            count(fit.counts[at]),
        ]);
    }
    write!(out, "{table}")?;
    if fit.weights.len() > SHOWN {
        writeln!(out, "  the {SHOWN} weights furthest from 0 in their errors; all with --output")?;
    }
    if let Some((metrics, _)) = &report.held_out {
        let dealt = if facts.groups.is_some() { "groups" } else { "rows" };
        writeln!(out, "\nheld-out rows, {} folds of {dealt}", settings.folds)?;
        print_metrics(out, &[("sparse", metrics)])?;
    }
    Ok(())
}
