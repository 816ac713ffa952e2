//! The numbers of a reproduction as CSV, one file for each kind of thing.

use discern_experiment::{Allowance, Reproduction};
use discern_stats::CalibrationBin;

use crate::wording::Wording;

/// A file beside the report.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CsvFile {
    /// Name of the file.
    pub name: &'static str,
    /// What is in it, in a few words.
    pub content: &'static str,
    /// The file itself.
    pub text: String,
}

/// Every number of the report for other programs, at full precision; what is
/// not known is empty. The report links to these names.
pub fn csv_files(reproduction: &Reproduction) -> Vec<CsvFile> {
    vec![
        file("matches.csv", "Table 1, the paper’s and ours", matches(reproduction)),
        file("equal-strength.csv", "time factors for equal strength", factors(reproduction)),
        file("factor-matches.csv", "the matches behind the factors", factor_matches(reproduction)),
        file("positions.csv", "classified positions by number of discs", positions(reproduction)),
        file("densities.csv", "Figure 1", densities(reproduction)),
        file("winning-curve.csv", "Figure 2, observed shares", winning_curve(reproduction)),
        file("weights.csv", "weights by phase with standard errors", weights(reproduction)),
        file("phases.csv", "fits and covariances by phase", phases(reproduction)),
        file("quality.csv", "the models on held-out games", quality(reproduction)),
        file("gaps.csv", "the models against each other", gaps(reproduction)),
        file("calibration.csv", "predicted and observed shares", calibration(reproduction)),
        file(
            "single-discs.csv",
            "predicted less observed share of wins by single disc counts",
            single_discs(reproduction),
        ),
        file("speed.csv", "search speed with each model", speed(reproduction)),
        file("findings.csv", "what agrees and what does not", findings(reproduction)),
    ]
}

/// Rows of cells under a header.
struct Sheet {
    header: &'static [&'static str],
    rows: Vec<Vec<String>>,
}

/// A row for each item: names of the columns next to their values, so that
/// header and rows cannot drift apart.
macro_rules! sheet {
    ($items:expr, |$item:pat_param| $($name:literal => $value:expr),* $(,)?) => {
        Sheet {
            header: &[$($name),*],
            rows: $items.map(|$item| vec![$($value.to_string()),*]).collect(),
        }
    };
}

fn file(name: &'static str, content: &'static str, sheet: Sheet) -> CsvFile {
    let mut writer = csv::Writer::from_writer(Vec::new());
    let write = |writer: &mut csv::Writer<Vec<u8>>| {
        writer.write_record(sheet.header)?;
        sheet.rows.iter().try_for_each(|row| writer.write_record(row))
    };
    write(&mut writer).expect("rows are as long as their header, and memory takes them all");
    let bytes = writer.into_inner().expect("memory takes them all");
    CsvFile { name, content, text: String::from_utf8(bytes).expect("strings are UTF-8") }
}

/// A value or nothing.
fn cell(value: Option<f64>) -> String {
    value.filter(|value| value.is_finite()).map_or(String::new(), |value| value.to_string())
}

fn seconds(allowed: Allowance) -> Option<f64> {
    match allowed {
        Allowance::Seconds(seconds) => Some(seconds),
        Allowance::NodesPerMove(_) => None,
    }
}

fn matches(reproduction: &Reproduction) -> Sheet {
    sheet!(reproduction.table.iter(), |row|
        "first" => row.players[0],
        "second" => row.players[1],
        "first_minutes" => row.minutes[0],
        "second_minutes" => row.minutes[1],
        "first_seconds" => cell(seconds(row.allowed[0])),
        "second_seconds" => cell(seconds(row.allowed[1])),
        "paper_wins" => row.paper.wins,
        "paper_draws" => row.paper.draws,
        "paper_losses" => row.paper.losses,
        "paper_percentage" => row.paper.percentage(),
        "wins" => row.ours.tally.wins,
        "draws" => row.ours.tally.draws,
        "losses" => row.ours.tally.losses,
        "percentage" => row.ours.percentage(),
        "percentage_low" => row.percentage_interval()[0],
        "percentage_high" => row.percentage_interval()[1],
        "p_conservative" => row.ours.conservative,
        "p_paired" => row.ours.label_swap,
        "pairs_0" => row.ours.pentanomial.0[0],
        "pairs_half" => row.ours.pentanomial.0[1],
        "pairs_1" => row.ours.pentanomial.0[2],
        "pairs_1_half" => row.ours.pentanomial.0[3],
        "pairs_2" => row.ours.pentanomial.0[4],
        "elo" => row.ours.elo.value,
        "elo_low" => row.ours.elo.low,
        "elo_high" => row.ours.elo.high,
        "mean_disc_difference" => cell(row.ours.margin.as_ref().map(|margin| margin.mean)),
        "first_nodes_per_game" => row.nodes_per_game[0],
        "second_nodes_per_game" => row.nodes_per_game[1],
        "first_depth" => row.depth[0],
        "second_depth" => row.depth[1],
        "first_time_losses" => row.time_losses[0],
        "second_time_losses" => row.time_losses[1],
    )
}

fn factors(reproduction: &Reproduction) -> Sheet {
    sheet!(reproduction.equal_strength.iter(), |factor|
        "stronger" => factor.stronger,
        "weaker" => factor.weaker,
        "paper_factor" => factor.paper,
        "factor" => cell(factor.found.map(|found| found.factor)),
        "factor_low" => cell(factor.found.and_then(|found| found.interval[0])),
        "factor_high" => cell(factor.found.and_then(|found| found.interval[1])),
    )
}

fn factor_matches(reproduction: &Reproduction) -> Sheet {
    let factors = reproduction.equal_strength.iter();
    let rows =
        factors.flat_map(|factor| reproduction.matches_of(factor).map(move |row| (factor, row)));
    sheet!(rows, |(factor, row)|
        "stronger" => factor.stronger,
        "weaker" => factor.weaker,
        "factor" => row.factor(),
        "percentage" => row.ours.percentage(),
        "percentage_low" => row.percentage_interval()[0],
        "percentage_high" => row.percentage_interval()[1],
    )
}

fn positions(reproduction: &Reproduction) -> Sheet {
    sheet!(reproduction.database.phases.iter(), |phase|
        "discs" => phase.discs.unwrap_or(0),
        "won" => phase.wins,
        "drawn" => phase.draws,
        "lost" => phase.losses,
    )
}

fn densities(reproduction: &Reproduction) -> Sheet {
    let densities = &reproduction.densities;
    sheet!(densities.bins.iter(), |bin|
        "feature" => densities.feature,
        "x" => bin.x,
        "won_density" => bin.won,
        "lost_density" => bin.lost,
        "probability" => cell(bin.probability),
    )
}

fn winning_curve(reproduction: &Reproduction) -> Sheet {
    let curve = &reproduction.winning_curve;
    sheet!(curve.bins.iter(), |bin|
        "feature" => curve.feature,
        "x" => bin.x,
        "observed" => bin.observed,
        "observed_low" => bin.interval[0],
        "observed_high" => bin.interval[1],
        "positions" => bin.positions,
    )
}

fn weights(reproduction: &Reproduction) -> Sheet {
    let fits = reproduction.fits.iter();
    let models = fits.flat_map(|fit| fit.models.iter().map(move |model| (fit.discs, model)));
    let weights = models.flat_map(|(discs, model)| {
        model.weights.iter().map(move |weight| (discs, &model.model, weight))
    });
    sheet!(weights, |(discs, model, weight)|
        "discs" => discs,
        "model" => model,
        "feature" => weight.feature,
        "weight" => weight.value,
        "standard_error" => cell(weight.standard_error),
    )
}

fn phases(reproduction: &Reproduction) -> Sheet {
    let phases = reproduction.fits.iter().map(|fit| {
        let iteration = fit.models.iter().find_map(|model| model.iteration);
        (fit, iteration, fit.covariances.as_ref())
    });
    sheet!(phases, |(fit, iteration, covariances)|
        "discs" => fit.discs,
        "positions" => fit.positions,
        "won" => fit.won,
        "drawn" => fit.drawn,
        "stop" => iteration.map_or("", |iteration| iteration.stop.word()),
        "iterations" => iteration.map_or(String::new(), |iteration| iteration.steps.to_string()),
        "covariance_difference" => cell(covariances.map(|found| found.relative_difference)),
        "covariance_share" => cell(covariances.map(|found| found.covariance_share)),
        "box_m" => cell(covariances.map(|found| found.box_test.m)),
        "box_p" => cell(covariances.map(|found| found.box_test.p_value)),
        "verdict" => covariances.map_or("", |found| found.verdict.sentence()),
    )
}

fn quality(reproduction: &Reproduction) -> Sheet {
    let models = reproduction.quality.models.iter().map(|model| &model.quality);
    let phases = models.flat_map(|model| model.phases.iter().map(move |phase| (model, phase)));
    let phases = phases.map(|(model, phase)| (model, phase, &phase.metrics));
    sheet!(phases, |(model, phase, metrics)|
        "model" => model.name,
        "first_discs" => phase.discs.start(),
        "last_discs" => phase.discs.end(),
        "positions" => metrics.rows,
        "discordance" => cell(metrics.discordance.map(|found| found.value)),
        "discordance_standard_error" => cell(metrics.discordance.map(|found| found.standard_error)),
        "log_loss" => metrics.log_loss.value,
        "log_loss_standard_error" => metrics.log_loss.standard_error,
        "brier" => metrics.brier.value,
        "brier_standard_error" => metrics.brier.standard_error,
        "accuracy" => metrics.accuracy.value,
        "accuracy_standard_error" => metrics.accuracy.standard_error,
        "agreement_mean" => phase.agreement.mean,
        "agreement_rms" => phase.agreement.root_mean_square,
    )
}

fn gaps(reproduction: &Reproduction) -> Sheet {
    sheet!(reproduction.quality.gaps.iter(), |gap|
        "first" => gap.models[0],
        "second" => gap.models[1],
        "discordance_difference" => gap.discordance.value,
        "standard_error" => gap.discordance.standard_error,
    )
}

/// The whole game has no first and last disc count.
fn calibration(reproduction: &Reproduction) -> Sheet {
    type Row<'a> = (&'a str, [String; 2], &'a CalibrationBin);
    let mut bins: Vec<Row> = Vec::new();
    for model in &reproduction.quality.models {
        let row = |discs: [String; 2], bin| (model.quality.name.as_str(), discs, bin);
        bins.extend(model.calibration.iter().map(|bin| row([String::new(), String::new()], bin)));
        for phase in &model.quality.phases {
            let discs = [phase.discs.start(), phase.discs.end()].map(usize::to_string);
            bins.extend(phase.calibration.iter().map(|bin| row(discs.clone(), bin)));
        }
    }
    sheet!(bins.iter(), |(model, discs, bin)|
        "model" => model,
        "first_discs" => discs[0],
        "last_discs" => discs[1],
        "predicted" => bin.predicted,
        "observed" => bin.observed,
        "observed_low" => bin.interval.0,
        "observed_high" => bin.interval.1,
        "positions" => bin.weight,
    )
}

fn single_discs(reproduction: &Reproduction) -> Sheet {
    let models = reproduction.quality.singles.iter();
    let counts = models.flat_map(|one| {
        let both = [("pool", &one.pooled), ("own", &one.own)];
        both.into_iter().flat_map(move |(constant, found)| {
            found.counts.iter().map(move |count| (&one.model, constant, count))
        })
    });
    sheet!(counts, |(model, constant, count)|
        "model" => model,
        "constant" => constant,
        "discs" => count.discs,
        "positions" => count.positions,
        "predicted_less_observed" => count.difference,
    )
}

fn speed(reproduction: &Reproduction) -> Sheet {
    sheet!(reproduction.speed.iter(), |speed|
        "model" => speed.model,
        "nodes_per_second" => speed.nodes_per_second,
        "relative" => speed.relative,
        "relative_low" => speed.relative_interval[0],
        "relative_high" => speed.relative_interval[1],
    )
}

fn findings(reproduction: &Reproduction) -> Sheet {
    let worded = reproduction.findings.iter().map(|finding| (finding, Wording::of(finding)));
    sheet!(worded, |(finding, worded)|
        "claim" => worded.claim,
        "paper" => worded.paper,
        "ours" => worded.ours,
        "verdict" => finding.verdict.word(),
    )
}
