//! The summary of `discern fit`.

use std::io::{Result, Write};

use discern_fit::{Diagnostics, Facts, FitReport, Fitted, PhaseReport, Settings};
use discern_stats::{
    ErrorKind, FisherFit, Fit, LinearFit, LogisticFit, Metrics, PhaseRange, QuadraticFit,
};

use crate::numbers::{self, decimal};
use crate::{Align, TextTable};

/// Writes what was fitted, phase by phase, and how good it is.
///
/// # Errors
/// If `out` fails.
pub fn print_fit(
    out: &mut dyn Write,
    settings: &Settings,
    facts: &Facts,
    report: &FitReport,
) -> Result<()> {
    let groups =
        facts.groups.map_or(String::new(), |groups| format!(" · {} groups", count(groups as f64)));
    let streamed = if facts.streamed { " · read for each pass" } else { "" };
    writeln!(
        out,
        "{} · {} rows · {} features{groups}{streamed}",
        facts.table,
        count(facts.rows as f64),
        facts.features.len()
    )?;
    let folds = folds(settings, facts);
    for phase in &report.phases {
        print_phase(out, settings, &folds, phase, report.present())?;
    }
    print_overall(out, &folds, report)
}

/// What the held-out rows are.
pub(crate) fn folds(settings: &Settings, facts: &Facts) -> String {
    let dealt = if facts.groups.is_some() { "groups" } else { "rows" };
    format!("{} folds of {dealt}", settings.folds)
}

fn print_phase(
    out: &mut dyn Write,
    settings: &Settings,
    folds: &str,
    phase: &PhaseReport,
    present: PhaseRange,
) -> Result<()> {
    if let Some(number) = phase.phase {
        let PhaseRange { first, last } = phase.range.within(present);
        let pooled = if first < last {
            format!(" · rows of phases {first} to {last}")
        } else {
            String::new()
        };
        writeln!(out, "\n━━ phase {number}{pooled} ━━")?;
    }
    if let Some(moments) = &phase.moments {
        let drawn = if moments.undecided > 0.0 {
            format!(", {} undecided", count(moments.undecided))
        } else {
            String::new()
        };
        let half = moments.undecided / 2.0;
        // Where rows are won, drawn or lost, a draw is half a row in each class.
        let (won, lost) = if moments.own_trials {
            (moments.won.weight, moments.lost.weight)
        } else {
            (moments.won.weight - half, moments.lost.weight - half)
        };
        writeln!(
            out,
            "{} rows: {} won, {} lost{drawn}",
            count(moments.rows),
            count(won),
            count(lost)
        )?;
    }
    for model in &phase.models {
        writeln!(out)?;
        match &model.fitted {
            Ok(Fitted::Log(fit)) => print_log(out, settings, fit)?,
            Ok(Fitted::Fisher(fit)) => print_fisher(out, settings, fit)?,
            Ok(Fitted::Quad(fit)) => print_quad(out, settings, fit)?,
            Ok(Fitted::Ols(fit)) => print_ols(out, settings, fit)?,
            Err(error) => {
                writeln!(out, "{}  not fitted: {error}", model.kind.name().to_uppercase())?
            }
        }
    }
    if let (Some(diagnostics), Some(moments)) = (&phase.diagnostics, &phase.moments) {
        print_diagnostics(out, diagnostics, &moments.features)?;
    }
    let held_out: Vec<(&str, &Metrics)> = phase
        .models
        .iter()
        .filter_map(|model| Some((model.kind.name(), model.held_out.as_ref()?)))
        .collect();
    if !held_out.is_empty() {
        let of = phase.phase.map_or(String::new(), |phase| format!(" of phase {phase}"));
        writeln!(out, "\nheld-out rows{of}, {folds}")?;
        print_metrics(out, &held_out)?;
    }
    Ok(())
}

fn print_log(out: &mut dyn Write, settings: &Settings, fit: &LogisticFit) -> Result<()> {
    let trials = if fit.trials == 1.0 {
        String::new()
    } else {
        format!(", n = {} trials per row", fit.trials)
    };
    writeln!(out, "LOG  logistic regression{trials}")?;
    let steps = if fit.steps == 1 { "step" } else { "steps" };
    let before = if fit.sample_steps > 0 {
        format!(" (and {} over a sample of the rows)", fit.sample_steps)
    } else {
        String::new()
    };
    writeln!(
        out,
        "  {} after {} {steps}{before} · log-likelihood {} · deviance {} (null {}) · AIC {} · BIC {}",
        fit.stop.word(),
        fit.steps,
        decimal(fit.log_likelihood, 2),
        decimal(fit.deviance, 2),
        decimal(fit.null_deviance, 2),
        decimal(fit.aic(), 2),
        decimal(fit.bic(), 2),
    )?;
    let words = |kind| errors_in_words(kind, fit.trials, fit);
    print_estimates(out, settings, fit, words, "z")
}

fn print_fisher(out: &mut dyn Write, settings: &Settings, fit: &FisherFit) -> Result<()> {
    writeln!(out, "FISHER  linear discriminant")?;
    writeln!(
        out,
        "  distance of the classes {} standard deviations",
        significant(fit.distance.sqrt())
    )?;
    let words = |kind| match kind {
        ErrorKind::Information | ErrorKind::Corrected => "for normal features".to_string(),
        _ => errors_in_words(kind, 1.0, fit),
    };
    print_estimates(out, settings, fit, words, "z")
}

fn print_ols(out: &mut dyn Write, settings: &Settings, fit: &LinearFit) -> Result<()> {
    writeln!(out, "OLS  linear regression")?;
    writeln!(
        out,
        "  R² {} · residual standard deviation {} on {} degrees of freedom",
        decimal(fit.r_squared, 4),
        significant(fit.residual_variance.sqrt()),
        count(fit.degrees_of_freedom()),
    )?;
    let words = |kind| match kind {
        ErrorKind::Information | ErrorKind::Corrected => "for equal residual variance".to_string(),
        _ => errors_in_words(kind, 1.0, fit),
    };
    print_estimates(out, settings, fit, words, "t")
}

fn print_quad(out: &mut dyn Write, settings: &Settings, fit: &QuadraticFit) -> Result<()> {
    /// A wider matrix does not fit on a terminal.
    const WIDEST: usize = 8;
    writeln!(out, "QUAD  quadratic discriminant, f(x) = xQx′ + Lx′ + c")?;
    let kind = settings.errors.unwrap_or(ErrorKind::Information);
    if kind >= ErrorKind::Robust {
        writeln!(out, "  standard errors {}", errors_in_words(kind, 1.0, fit))?;
    }
    let Some(errors) = fit.errors(kind) else {
        writeln!(out, "  {TOO_FEW_GROUPS}")?;
        return Ok(());
    };
    let wide = fit.features.len() > WIDEST;
    let mut columns = vec![
        ("".to_string(), Align::Left),
        ("L".into(), Align::Right),
        ("std. error".into(), Align::Right),
    ];
    if wide {
        columns.push(("Q diagonal".into(), Align::Right));
        columns.push(("std. error".into(), Align::Right));
    } else {
        columns.extend(fit.features.iter().map(|name| (format!("Q {name}"), Align::Right)));
    }
    let mut table = TextTable::new(columns).indent(2);
    table.row(["c".to_string(), significant(fit.constant), significant(errors.constant)]);
    for (i, name) in fit.features.iter().enumerate() {
        let mut cells =
            vec![name.clone(), significant(fit.linear[i]), significant(errors.linear[i])];
        if wide {
            cells.push(significant(fit.quadratic[(i, i)]));
            cells.push(significant(errors.quadratic[(i, i)]));
        } else {
            cells.extend((0..=i).map(|j| significant(fit.quadratic[(i, j)])));
        }
        table.row(cells);
    }
    write!(out, "{table}")?;
    if wide {
        writeln!(out, "  all of Q with --json")?;
    }
    Ok(())
}

fn errors_in_words(kind: ErrorKind, trials: f64, fit: &dyn Fit) -> String {
    match (kind, fit.uncertainty().groups()) {
        (ErrorKind::Information, _) if trials > 1.0 => {
            format!("from the information of {trials} trials per row, which are invented")
        }
        (ErrorKind::Information, _) => "from the information matrix".to_string(),
        (ErrorKind::Corrected, _) if trials > 1.0 => {
            "from the information of one trial per row".to_string()
        }
        (ErrorKind::Corrected, _) => "from the information matrix".to_string(),
        (ErrorKind::Robust, _) => "robust (sandwich)".to_string(),
        (ErrorKind::Clustered, Some(groups)) => {
            format!("clustered by {} groups", count(groups as f64))
        }
        (ErrorKind::Clustered, None) => "clustered".to_string(),
    }
}

const TOO_FEW_GROUPS: &str = "(there are too few groups for them)";

/// The table of coefficients, with the errors that were asked for or else the
/// best there are.
fn print_estimates(
    out: &mut dyn Write,
    settings: &Settings,
    fit: &dyn Fit,
    words: impl Fn(ErrorKind) -> String,
    statistic: &str,
) -> Result<()> {
    let kind = settings.errors.unwrap_or_else(|| fit.uncertainty().best());
    writeln!(out, "  standard errors {}", words(kind))?;
    let Some(estimates) = fit.estimates(kind, settings.confidence) else {
        writeln!(out, "  {TOO_FEW_GROUPS}")?;
        return Ok(());
    };
    let level = format!("{} % interval", trimmed(100.0 * settings.confidence));
    let mut table = TextTable::new([
        ("", Align::Left),
        ("estimate", Align::Right),
        ("std. error", Align::Right),
        (level.as_str(), Align::Left),
        (statistic, Align::Right),
        ("p", Align::Right),
    ])
    .indent(2);
    let write = common_decimals(estimates.iter().map(|row| (row.value, row.standard_error)));
    for row in &estimates {
        let (low, high) = row.interval;
        table.row([
            row.name.clone(),
            write(row.value),
            write(row.standard_error),
            format!("[{}, {}]", write(low), write(high)),
            decimal(row.statistic, 2),
            p_value(row.p_value),
        ]);
    }
    write!(out, "{table}")?;
    // Wald's test is for large samples; t is there for small ones.
    if statistic == "z"
        && let Some(test) = fit.wald_test(kind)
    {
        writeln!(
            out,
            "  all features together: χ²({}) = {}, p {}",
            test.degrees_of_freedom,
            decimal(test.statistic, 2),
            p_with_sign(test.p_value)
        )?;
    }
    Ok(())
}

fn print_diagnostics(
    out: &mut dyn Write,
    diagnostics: &Diagnostics,
    features: &[String],
) -> Result<()> {
    writeln!(out, "\nclasses")?;
    match &diagnostics.covariances {
        Ok(found) => {
            writeln!(
                out,
                "  covariances differ by {} % · {} % of what separates the classes lies in them",
                decimal(100.0 * found.relative_difference, 1),
                decimal(100.0 * found.covariance_share, 1)
            )?;
            writeln!(
                out,
                "  Box's M = {}, χ²({}) = {}, p {}",
                decimal(found.box_test.m, 2),
                found.box_test.degrees_of_freedom,
                decimal(found.box_test.chi_squared, 2),
                p_with_sign(found.box_test.p_value)
            )?;
            writeln!(out, "  → {}", found.verdict.sentence())?;
        }
        Err(error) => writeln!(out, "  covariances not compared: {error}")?,
    }
    let mut table = TextTable::new([
        ("", Align::Left),
        ("var. inflation", Align::Right),
        ("skewness won", Align::Right),
        ("lost", Align::Right),
        ("exc. kurtosis won", Align::Right),
        ("lost", Align::Right),
    ])
    .indent(2);
    for (j, (name, (won, lost))) in features.iter().zip(&diagnostics.shapes).enumerate() {
        let inflation = match &diagnostics.inflation {
            Ok(values) => decimal(values[j], 2),
            Err(_) => "–".to_string(),
        };
        table.row([
            name.clone(),
            inflation,
            decimal(won.skewness, 2),
            decimal(lost.skewness, 2),
            decimal(won.excess_kurtosis, 2),
            decimal(lost.excess_kurtosis, 2),
        ]);
    }
    write!(out, "{table}")
}

fn print_overall(out: &mut dyn Write, folds: &str, report: &FitReport) -> Result<()> {
    // With a single phase its own table has said it.
    if report.overall.is_empty() || report.phases.len() == 1 {
        return Ok(());
    }
    writeln!(out, "\n━━ all phases ━━\nheld-out rows, {folds}")?;
    let rows: Vec<(&str, &Metrics)> =
        report.overall.iter().map(|(model, metrics, _)| (model.name(), metrics)).collect();
    print_metrics(out, &rows)
}

/// Writes a table of metrics, each with its standard error.
///
/// # Errors
/// If `out` fails.
pub fn print_metrics(out: &mut dyn Write, models: &[(&str, &Metrics)]) -> Result<()> {
    let mut table = TextTable::new([
        ("", Align::Left),
        ("rows", Align::Right),
        ("discordance", Align::Right),
        ("log loss", Align::Right),
        ("Brier", Align::Right),
        ("accuracy", Align::Right),
    ])
    .indent(2);
    let measured = |value: f64, error: f64| format!("{value:.4} ±{error:.4}");
    for (name, metrics) in models {
        table.row([
            name.to_uppercase(),
            count(metrics.rows),
            metrics.discordance.map_or("–".to_string(), |d| measured(d.value, d.standard_error)),
            measured(metrics.log_loss.value, metrics.log_loss.standard_error),
            measured(metrics.brier.value, metrics.brier.standard_error),
            measured(metrics.accuracy.value, metrics.accuracy.standard_error),
        ]);
    }
    write!(out, "{table}")
}

/// One number of decimals for a whole table, so that its columns line up: the
/// smallest standard error keeps three digits. Where magnitudes differ too much
/// for that, every number for itself.
fn common_decimals(rows: impl Iterator<Item = (f64, f64)>) -> impl Fn(f64) -> String {
    let (mut least, mut largest) = (f64::INFINITY, 0.0f64);
    for (value, error) in rows {
        least = least.min(error);
        largest = largest.max(value.abs()).max(error);
    }
    let decimals = (2.0 - least.log10().floor()).max(0.0);
    let together = least > 0.0 && decimals <= 8.0 && largest < 1e7;
    move |value| if together { decimal(value, decimals as usize) } else { significant(value) }
}

/// Five significant digits, in the notation that is shorter.
pub(super) fn significant(value: f64) -> String {
    if value == 0.0 {
        return "0".to_string();
    }
    let magnitude = value.abs().log10().floor();
    let text = if (-4.0..6.0).contains(&magnitude) {
        let decimals = (4.0 - magnitude).clamp(0.0, 8.0) as usize;
        format!("{value:.decimals$}")
    } else {
        format!("{value:.4e}")
    };
    text.replace('-', "−")
}

fn trimmed(value: f64) -> String {
    let text = format!("{value:.4}");
    text.trim_end_matches('0').trim_end_matches('.').to_string()
}

/// A number of rows: whole if it is, with thin groups of three.
pub(super) fn count(value: f64) -> String {
    if value.fract() != 0.0 {
        return trimmed(value);
    }
    numbers::count(format!("{value:.0}"))
}

fn p_value(p: f64) -> String {
    if p < 1e-4 { "<0.0001".to_string() } else { format!("{p:.4}") }
}

fn p_with_sign(p: f64) -> String {
    if p < 1e-4 { "< 0.0001".to_string() } else { format!("= {p:.4}") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_written_as_one_would_by_hand() {
        assert_eq!(significant(1.160_216_9), "1.1602");
        assert_eq!(significant(-0.045_123_456), "−0.045123");
        assert_eq!(significant(123_456.7), "123457");
        assert_eq!(significant(1.5e9), "1.5000e9");
        let write = common_decimals([(12.5, 0.041), (-3.0, 2.0)].into_iter());
        assert_eq!((write(12.5), write(-3.0)), ("12.5000".into(), "−3.0000".into()));
        let write = common_decimals([(1e-12, 1e-13), (1.0, 1.0)].into_iter());
        assert_eq!((write(1e-12), write(1.0)), ("1.0000e−12".into(), "1.0000".into()));
        assert_eq!(count(2_500_000.0), "2,500,000");
        assert_eq!(count(999.0), "999");
        assert_eq!(count(12.5), "12.5");
        assert_eq!(p_value(0.000_01), "<0.0001");
        assert_eq!(p_value(0.05), "0.0500");
    }
}
