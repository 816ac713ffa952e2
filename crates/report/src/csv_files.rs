//! The numbers of a reproduction as CSV, one file for each kind of thing.

use crate::reproduction::{CalibrationBin, Reproduction};

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

fn matches(reproduction: &Reproduction) -> Sheet {
    sheet!(reproduction.table.iter(), |row|
        "first" => row.players[0],
        "second" => row.players[1],
        "first_minutes" => row.minutes[0],
        "second_minutes" => row.minutes[1],
        "first_seconds" => row.seconds[0],
        "second_seconds" => row.seconds[1],
        "paper_wins" => row.paper.wins,
        "paper_draws" => row.paper.draws,
        "paper_losses" => row.paper.losses,
        "paper_percentage" => row.paper.percentage,
        "wins" => row.ours.wins,
        "draws" => row.ours.draws,
        "losses" => row.ours.losses,
        "percentage" => row.ours.percentage,
        "percentage_low" => row.interval[0],
        "percentage_high" => row.interval[1],
        "p_conservative" => row.p_conservative,
        "p_paired" => row.p_paired,
        "pairs_0" => row.pentanomial[0],
        "pairs_half" => row.pentanomial[1],
        "pairs_1" => row.pentanomial[2],
        "pairs_1_half" => row.pentanomial[3],
        "pairs_2" => row.pentanomial[4],
        "balanced_pairs" => row.balanced_pairs,
        "elo" => row.elo,
        "elo_standard_error" => row.elo_error,
        "mean_disc_difference" => row.margin,
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
        "factor" => cell(factor.factor),
        "factor_low" => cell(factor.interval[0]),
        "factor_high" => cell(factor.interval[1]),
    )
}

fn factor_matches(reproduction: &Reproduction) -> Sheet {
    let factors = reproduction.equal_strength.iter();
    let points = factors.flat_map(|factor| factor.points.iter().map(move |point| (factor, point)));
    sheet!(points, |(factor, point)|
        "stronger" => factor.stronger,
        "weaker" => factor.weaker,
        "factor" => point.factor,
        "percentage" => point.percentage,
        "percentage_low" => point.interval[0],
        "percentage_high" => point.interval[1],
    )
}

fn positions(reproduction: &Reproduction) -> Sheet {
    sheet!(reproduction.database.phases.iter(), |phase|
        "discs" => phase.discs,
        "won" => phase.won,
        "drawn" => phase.drawn,
        "lost" => phase.lost,
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
    let weights = reproduction.fits.iter().flat_map(|fit| {
        let log = fit.log.iter().map(move |weight| (fit.discs, "LOG", weight));
        let fisher = fit.fisher.iter().map(move |weight| (fit.discs, "FISHER", weight));
        log.chain(fisher)
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
    let phases = reproduction.fits.iter().map(|fit| (fit, fit.covariances.as_ref()));
    sheet!(phases, |(fit, covariances)|
        "discs" => fit.discs,
        "positions" => fit.positions,
        "won" => fit.won,
        "drawn" => fit.drawn,
        "stop" => fit.stop,
        "iterations" => fit.iterations,
        "covariance_difference" => cell(covariances.map(|found| found.relative_difference)),
        "box_m" => cell(covariances.map(|found| found.box_m)),
        "box_p" => cell(covariances.map(|found| found.p_value)),
        "verdict" => covariances.map_or("", |found| &found.verdict),
    )
}

fn quality(reproduction: &Reproduction) -> Sheet {
    let models = reproduction.quality.models.iter();
    let phases = models.flat_map(|model| model.phases.iter().map(move |phase| (model, phase)));
    sheet!(phases, |(model, phase)|
        "model" => model.model,
        "first_discs" => phase.discs[0],
        "last_discs" => phase.discs[1],
        "positions" => phase.positions,
        "discordance" => phase.discordance.value,
        "discordance_standard_error" => phase.discordance.standard_error,
        "log_loss" => phase.log_loss.value,
        "log_loss_standard_error" => phase.log_loss.standard_error,
        "brier" => phase.brier.value,
        "brier_standard_error" => phase.brier.standard_error,
        "accuracy" => phase.accuracy.value,
        "accuracy_standard_error" => phase.accuracy.standard_error,
        "agreement_mean" => phase.agreement_mean,
        "agreement_rms" => phase.agreement_rms,
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
        let row = |discs: [String; 2], bin| (model.model.as_str(), discs, bin);
        bins.extend(model.calibration.iter().map(|bin| row([String::new(), String::new()], bin)));
        for phase in &model.phases {
            let discs = phase.discs.map(|discs| discs.to_string());
            bins.extend(phase.calibration.iter().map(|bin| row(discs.clone(), bin)));
        }
    }
    sheet!(bins.iter(), |(model, discs, bin)|
        "model" => model,
        "first_discs" => discs[0],
        "last_discs" => discs[1],
        "predicted" => bin.predicted,
        "observed" => bin.observed,
        "observed_low" => bin.interval[0],
        "observed_high" => bin.interval[1],
        "positions" => bin.positions,
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
    sheet!(reproduction.findings.iter(), |finding|
        "claim" => finding.claim,
        "paper" => finding.paper,
        "ours" => finding.ours,
        "verdict" => finding.verdict.word(),
    )
}
