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

/// Makes a row of things that have a text.
macro_rules! row {
    ($($value:expr),* $(,)?) => { vec![$($value.to_string()),*] };
}

fn matches(reproduction: &Reproduction) -> Sheet {
    let rows = reproduction.table.iter().map(|row| {
        row![
            row.players[0],
            row.players[1],
            row.minutes[0],
            row.minutes[1],
            row.seconds[0],
            row.seconds[1],
            row.paper.wins,
            row.paper.draws,
            row.paper.losses,
            row.paper.percentage,
            row.ours.wins,
            row.ours.draws,
            row.ours.losses,
            row.ours.percentage,
            row.interval[0],
            row.interval[1],
            row.p_conservative,
            row.p_paired,
            row.pentanomial[0],
            row.pentanomial[1],
            row.pentanomial[2],
            row.pentanomial[3],
            row.pentanomial[4],
            row.balanced_pairs,
            row.elo,
            row.elo_error,
            row.margin,
            row.nodes_per_game[0],
            row.nodes_per_game[1],
            row.depth[0],
            row.depth[1],
            row.time_losses[0],
            row.time_losses[1],
        ]
    });
    Sheet {
        header: &[
            "first",
            "second",
            "first_minutes",
            "second_minutes",
            "first_seconds",
            "second_seconds",
            "paper_wins",
            "paper_draws",
            "paper_losses",
            "paper_percentage",
            "wins",
            "draws",
            "losses",
            "percentage",
            "percentage_low",
            "percentage_high",
            "p_conservative",
            "p_paired",
            "pairs_0",
            "pairs_half",
            "pairs_1",
            "pairs_1_half",
            "pairs_2",
            "balanced_pairs",
            "elo",
            "elo_standard_error",
            "mean_disc_difference",
            "first_nodes_per_game",
            "second_nodes_per_game",
            "first_depth",
            "second_depth",
            "first_time_losses",
            "second_time_losses",
        ],
        rows: rows.collect(),
    }
}

fn factors(reproduction: &Reproduction) -> Sheet {
    let rows = reproduction.equal_strength.iter().map(|factor| {
        row![
            factor.stronger,
            factor.weaker,
            factor.paper,
            cell(factor.factor),
            cell(factor.interval[0]),
            cell(factor.interval[1]),
        ]
    });
    Sheet {
        header: &["stronger", "weaker", "paper_factor", "factor", "factor_low", "factor_high"],
        rows: rows.collect(),
    }
}

fn factor_matches(reproduction: &Reproduction) -> Sheet {
    let rows = reproduction.equal_strength.iter().flat_map(|factor| {
        factor.points.iter().map(|point| {
            row![
                factor.stronger,
                factor.weaker,
                point.factor,
                point.percentage,
                point.interval[0],
                point.interval[1],
            ]
        })
    });
    Sheet {
        header: &[
            "stronger",
            "weaker",
            "factor",
            "percentage",
            "percentage_low",
            "percentage_high",
        ],
        rows: rows.collect(),
    }
}

fn positions(reproduction: &Reproduction) -> Sheet {
    let rows = reproduction
        .database
        .phases
        .iter()
        .map(|phase| row![phase.discs, phase.won, phase.drawn, phase.lost]);
    Sheet { header: &["discs", "won", "drawn", "lost"], rows: rows.collect() }
}

fn densities(reproduction: &Reproduction) -> Sheet {
    let densities = &reproduction.densities;
    let rows = densities
        .bins
        .iter()
        .map(|bin| row![densities.feature, bin.x, bin.won, bin.lost, cell(bin.probability)]);
    Sheet {
        header: &["feature", "x", "won_density", "lost_density", "probability"],
        rows: rows.collect(),
    }
}

fn winning_curve(reproduction: &Reproduction) -> Sheet {
    let curve = &reproduction.winning_curve;
    let rows = curve.bins.iter().map(|bin| {
        row![curve.feature, bin.x, bin.observed, bin.interval[0], bin.interval[1], bin.positions,]
    });
    Sheet {
        header: &["feature", "x", "observed", "observed_low", "observed_high", "positions"],
        rows: rows.collect(),
    }
}

fn weights(reproduction: &Reproduction) -> Sheet {
    let rows = reproduction.fits.iter().flat_map(|fit| {
        [("LOG", &fit.log), ("FISHER", &fit.fisher)].into_iter().flat_map(
            move |(model, weights)| {
                weights.iter().map(move |weight| {
                    let error = cell(weight.standard_error);
                    row![fit.discs, model, weight.feature, weight.value, error]
                })
            },
        )
    });
    Sheet {
        header: &["discs", "model", "feature", "weight", "standard_error"],
        rows: rows.collect(),
    }
}

fn phases(reproduction: &Reproduction) -> Sheet {
    let rows = reproduction.fits.iter().map(|fit| {
        let covariances = fit.covariances.as_ref();
        row![
            fit.discs,
            fit.positions,
            fit.won,
            fit.drawn,
            fit.stop,
            fit.iterations,
            cell(covariances.map(|covariances| covariances.relative_difference)),
            cell(covariances.map(|covariances| covariances.box_m)),
            cell(covariances.map(|covariances| covariances.p_value)),
            covariances.map_or("", |covariances| &covariances.verdict),
        ]
    });
    Sheet {
        header: &[
            "discs",
            "positions",
            "won",
            "drawn",
            "stop",
            "iterations",
            "covariance_relative_difference",
            "box_m",
            "box_p",
            "verdict",
        ],
        rows: rows.collect(),
    }
}

fn quality(reproduction: &Reproduction) -> Sheet {
    let rows = reproduction.quality.models.iter().flat_map(|model| {
        model.phases.iter().map(|phase| {
            row![
                model.model,
                phase.discs[0],
                phase.discs[1],
                phase.positions,
                phase.discordance.value,
                phase.discordance.standard_error,
                phase.log_loss.value,
                phase.log_loss.standard_error,
                phase.brier.value,
                phase.brier.standard_error,
                phase.accuracy.value,
                phase.accuracy.standard_error,
                phase.agreement_mean,
                phase.agreement_rms,
            ]
        })
    });
    Sheet {
        header: &[
            "model",
            "first_discs",
            "last_discs",
            "positions",
            "discordance",
            "discordance_standard_error",
            "log_loss",
            "log_loss_standard_error",
            "brier",
            "brier_standard_error",
            "accuracy",
            "accuracy_standard_error",
            "agreement_mean",
            "agreement_rms",
        ],
        rows: rows.collect(),
    }
}

fn gaps(reproduction: &Reproduction) -> Sheet {
    let rows = reproduction.quality.gaps.iter().map(|gap| {
        row![gap.models[0], gap.models[1], gap.discordance.value, gap.discordance.standard_error]
    });
    Sheet {
        header: &["first", "second", "discordance_difference", "standard_error"],
        rows: rows.collect(),
    }
}

fn calibration(reproduction: &Reproduction) -> Sheet {
    let bin_row = |model: &str, first: String, last: String, bin: &CalibrationBin| {
        row![
            model,
            first,
            last,
            bin.predicted,
            bin.observed,
            bin.interval[0],
            bin.interval[1],
            bin.positions,
        ]
    };
    let mut rows = Vec::new();
    for model in &reproduction.quality.models {
        for bin in &model.calibration {
            rows.push(bin_row(&model.model, String::new(), String::new(), bin));
        }
        for phase in &model.phases {
            let [first, last] = phase.discs.map(|discs| discs.to_string());
            for bin in &phase.calibration {
                rows.push(bin_row(&model.model, first.clone(), last.clone(), bin));
            }
        }
    }
    Sheet {
        header: &[
            "model",
            "first_discs",
            "last_discs",
            "predicted",
            "observed",
            "observed_low",
            "observed_high",
            "positions",
        ],
        rows,
    }
}

fn speed(reproduction: &Reproduction) -> Sheet {
    let rows = reproduction.speed.iter().map(|speed| {
        let [low, high] = speed.relative_interval;
        row![speed.model, speed.nodes_per_second, speed.relative, low, high]
    });
    Sheet {
        header: &["model", "nodes_per_second", "relative", "relative_low", "relative_high"],
        rows: rows.collect(),
    }
}

fn findings(reproduction: &Reproduction) -> Sheet {
    let rows = reproduction
        .findings
        .iter()
        .map(|finding| row![finding.claim, finding.paper, finding.ours, finding.verdict.word()]);
    Sheet { header: &["claim", "paper", "ours", "verdict"], rows: rows.collect() }
}
