//! Step 6: the results as files, each of which appears whole or not at all.

use std::path::Path;

use anyhow::{Context, Result};
use discern_report::reproduction::{Estimate, Reproduction};

use super::folder::write_whole;

/// Writes everything that follows from the numbers into a folder.
pub fn write(folder: &Path, found: &Reproduction) -> Result<()> {
    for (name, table) in [
        ("table.csv", table(found)?),
        ("weights.csv", weights(found)?),
        ("quality.csv", quality(found)?),
        ("calibration.csv", calibration(found)?),
        ("counts.csv", counts(found)?),
        ("speed.csv", speed(found)?),
    ] {
        write_whole(&folder.join(name), &table)?;
    }
    Ok(())
}

/// The numbers as `numbers.json` has them.
pub fn json(found: &Reproduction) -> Result<String> {
    Ok(serde_json::to_string_pretty(found)? + "\n")
}

type Cells = Vec<String>;

fn csv<const N: usize>(header: [&str; N], rows: impl Iterator<Item = Cells>) -> Result<Vec<u8>> {
    let mut writer = csv::Writer::from_writer(Vec::new());
    writer.write_record(header)?;
    for row in rows {
        debug_assert_eq!(row.len(), N);
        writer.write_record(row)?;
    }
    writer.into_inner().context("memory does not fail")
}

/// The cells of a row, each as it is displayed.
macro_rules! cells {
    ($($cell:expr),* $(,)?) => { vec![$($cell.to_string()),*] };
}

fn table(found: &Reproduction) -> Result<Vec<u8>> {
    let header = [
        "first",
        "second",
        "minutes_first",
        "minutes_second",
        "seconds_first",
        "seconds_second",
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
        "elo",
        "elo_standard_error",
        "disc_margin",
        "nodes_first",
        "nodes_second",
        "depth_first",
        "depth_second",
        "time_losses_first",
        "time_losses_second",
    ];
    csv(
        header,
        found.table.iter().map(|row| {
            let (paper, ours, pairs) = (&row.paper, &row.ours, row.pentanomial);
            cells![
                row.players[0],
                row.players[1],
                row.minutes[0],
                row.minutes[1],
                row.seconds[0],
                row.seconds[1],
                paper.wins,
                paper.draws,
                paper.losses,
                paper.percentage,
                ours.wins,
                ours.draws,
                ours.losses,
                ours.percentage,
                row.interval[0],
                row.interval[1],
                row.p_conservative,
                row.p_paired,
                pairs[0],
                pairs[1],
                pairs[2],
                pairs[3],
                pairs[4],
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
        }),
    )
}

fn weights(found: &Reproduction) -> Result<Vec<u8>> {
    let header = ["discs", "model", "feature", "weight", "standard_error"];
    csv(
        header,
        found.fits.iter().flat_map(|fit| {
            let row = move |model: &'static str| {
                move |estimate: &Estimate| {
                    let error =
                        estimate.standard_error.map_or(String::new(), |error| error.to_string());
                    cells![fit.discs, model, estimate.feature, estimate.value, error]
                }
            };
            fit.log.iter().map(row("LOG")).chain(fit.fisher.iter().map(row("FISHER")))
        }),
    )
}

fn quality(found: &Reproduction) -> Result<Vec<u8>> {
    let header = [
        "model",
        "first_discs",
        "last_discs",
        "positions",
        "discordance",
        "discordance_error",
        "log_loss",
        "log_loss_error",
        "brier",
        "brier_error",
        "accuracy",
        "accuracy_error",
        "agreement_mean",
        "agreement_rms",
    ];
    csv(
        header,
        found.quality.models.iter().flat_map(|model| {
            model.phases.iter().map(|phase| {
                cells![
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
        }),
    )
}

fn calibration(found: &Reproduction) -> Result<Vec<u8>> {
    let header =
        ["model", "first_discs", "last_discs", "predicted", "observed", "low", "high", "positions"];
    let phases = found.quality.models.iter().flat_map(|model| {
        let all = found.database.phases.first().zip(found.database.phases.last());
        let all = all.map_or([0, 0], |(first, last)| [first.discs, last.discs]);
        let overall = std::iter::once((all, &model.calibration));
        let each = model.phases.iter().map(|phase| (phase.discs, &phase.calibration));
        overall.chain(each).map(move |(discs, bins)| (model, discs, bins))
    });
    csv(
        header,
        phases.flat_map(|(model, discs, bins)| {
            bins.iter().map(move |bin| {
                cells![
                    model.model,
                    discs[0],
                    discs[1],
                    bin.predicted,
                    bin.observed,
                    bin.interval[0],
                    bin.interval[1],
                    bin.positions,
                ]
            })
        }),
    )
}

fn counts(found: &Reproduction) -> Result<Vec<u8>> {
    csv(
        ["discs", "won", "drawn", "lost"],
        found
            .database
            .phases
            .iter()
            .map(|phase| cells![phase.discs, phase.won, phase.drawn, phase.lost]),
    )
}

fn speed(found: &Reproduction) -> Result<Vec<u8>> {
    let header = ["model", "nodes_per_second", "relative", "relative_low", "relative_high"];
    csv(
        header,
        found.speed.iter().map(|speed| {
            let [low, high] = speed.relative_interval;
            cells![speed.model, speed.nodes_per_second, speed.relative, low, high]
        }),
    )
}
