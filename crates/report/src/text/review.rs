//! A reviewed game.

use std::io::{Result, Write};

use discern_board::Color;
use discern_files::printable;
use discern_records::GameRecord;
use discern_review::{Grade, Part, ReviewedMove, Summary};
use serde::Serialize;

use crate::{Align, TextTable};

/// A reviewed move, for programs.
#[derive(Debug, Serialize)]
pub struct ReviewRow<'a> {
    /// The game's number in its file.
    #[serde(skip_serializing_if = "Option::is_none")]
    game: Option<u64>,
    #[serde(flatten)]
    reviewed: &'a ReviewedMove,
}

/// The moves of a game, which may have a number.
pub fn review_rows(
    game: Option<u64>,
    moves: &[ReviewedMove],
) -> impl Iterator<Item = ReviewRow<'_>> {
    moves.iter().map(move |reviewed| ReviewRow { game, reviewed })
}

/// Writes the table and the summary of a game.
///
/// # Errors
/// If `out` fails.
pub fn print_review(
    out: &mut dyn Write,
    record: &GameRecord,
    number: Option<u64>,
    moves: &[ReviewedMove],
) -> Result<()> {
    if let Some(number) = number {
        let [black, white] = Color::BOTH.map(|color| match &*record.players[color].name {
            "" => "unknown".into(),
            name => printable(name),
        });
        writeln!(out, "game {number}: {black} – {white}")?;
    }
    let mut table = TextTable::new([
        ("#", Align::Right),
        ("", Align::Left),
        ("move", Align::Left),
        ("best", Align::Left),
        ("odds: best", Align::Right),
        ("played", Align::Right),
        ("score: best", Align::Right),
        ("played", Align::Right),
        ("", Align::Left),
        ("grade", Align::Left),
    ]);
    for reviewed in moves {
        let better = (reviewed.best != reviewed.played).then(|| reviewed.best.to_string());
        table.row([
            (reviewed.ply + 1).to_string(),
            reviewed.mover.symbol().to_string(),
            reviewed.played.to_string(),
            better.unwrap_or_default(),
            format!("{:.1} %", 100.0 * reviewed.probability_best),
            format!("{:.1} %", 100.0 * reviewed.probability_played),
            format!("{:+}", reviewed.score_best),
            format!("{:+}", reviewed.score_played),
            if reviewed.exact { "=".to_owned() } else { String::new() },
            match reviewed.grade {
                Grade::Best => String::new(),
                grade => grade.to_string(),
            },
        ]);
    }
    write!(out, "{table}")?;
    if let Some(opening) = discern_book::opening_of(&record.game) {
        writeln!(out, "opening: {}", opening.name)?;
    }
    let summary: Summary = moves.iter().collect();
    for (color, side) in [("black", &summary.black), ("white", &summary.white)] {
        let Part { moves, mean_loss, discs_lost, inaccuracies, mistakes, blunders } = side.total;
        writeln!(
            out,
            "{color}: {moves} moves; inaccuracies {inaccuracies}, mistakes {mistakes}, blunders {blunders}; \
             lost {:.1} % a move, {discs_lost} discs in all",
            100.0 * mean_loss
        )?;
    }
    Ok(())
}
