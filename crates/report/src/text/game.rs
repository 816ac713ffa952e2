//! One game of an archive.

use discern_board::{Color, Position};
use discern_files::printable;
use discern_players::{describe, name_of};
use discern_records::{Correction, GameId, GameRecord, MoveNote, Source};

/// The board of a game after this many plies, or a sentence if it has fewer.
///
/// # Errors
/// How many there are.
pub fn game_board(record: &GameRecord, ply: Option<usize>) -> Result<String, String> {
    let plies = record.game.plies();
    let ply = ply.unwrap_or(plies.len());
    let mut positions = plies.iter().map(|ply| ply.before).chain([record.game.position()]);
    let missing = || format!("the game has {} plies, there is none after {ply}", plies.len());
    let Position { mover, board } = positions.nth(ply).ok_or_else(missing)?;
    Ok(format!("after ply {ply}, {mover} to move:\n{}", board.draw(mover)))
}

/// What is known about a game, a line each; with every move if wanted. `plans`
/// are those of its archive.
pub fn game_text(record: &GameRecord, plans: &[String], with_moves: bool) -> String {
    let mut lines = facts(record, plans);
    if with_moves {
        lines.extend(moves(record));
    }
    lines.join("\n") + "\n"
}

/// What is known about the game, a line each.
fn facts(record: &GameRecord, plans: &[String]) -> Vec<String> {
    let mut lines = Vec::new();
    for color in Color::BOTH {
        let player = &record.players[color];
        let name = if player.name.is_empty() { "unknown" } else { &player.name };
        let name = printable(name);
        let limits = match player.limits.is_unknown() {
            true => String::new(),
            false => format!(" ({})", player.limits),
        };
        lines.push(format!("{:<7}{name}{limits}", color.to_string()));
    }
    let texts = [("event", &record.event), ("date", &record.date), ("note", &record.comment)];
    let known = texts.into_iter().filter(|(_, text)| !text.is_empty());
    lines.extend(known.map(|(word, text)| format!("{word:<7}{}", printable(text))));
    let score = record.score_black.map_or("none".to_owned(), |score| format!("{score} for black"));
    lines.push(format!("result {score}, {}", record.ending));
    lines.push(format!("id     {}", GameId::of(&record.game)));
    if let Some(Source { plan, shard, game }) = &record.source {
        lines.push(format!("from   plan {plan}, shard {shard}, game {game}"));
        let named = plans.iter().find(|text| name_of(text) == **plan);
        lines.extend(named.into_iter().flat_map(|text| describe(text)).map(indented));
    }
    if let Some(Correction { parent, ply, better, played, .. }) = &record.correction {
        lines.push(format!("corrects game {parent} at ply {ply}: {better} instead of {played}"));
    }
    for solved in &record.solved {
        lines.push(format!("solved after ply {}: {} for the mover", solved.ply, solved.verdict));
    }
    lines.push(format!("moves  {}", record.game));
    lines
}

fn indented(line: String) -> String {
    format!("       {line}")
}

/// Every move with its notes, a line each.
fn moves(record: &GameRecord) -> impl Iterator<Item = String> {
    record.game.plies().iter().enumerate().map(|(index, ply)| {
        let note = record.notes.get(index).copied().unwrap_or(MoveNote::default());
        let parts = [
            (index < record.opening).then(|| "opening".to_owned()),
            note.evaluation.map(|evaluation| evaluation.to_string()),
            note.time_ms.map(|ms| format!("{:.3} s", ms as f64 / 1e3)),
            note.depth.map(|depth| format!("depth {depth}")),
            note.nodes.map(|nodes| format!("{nodes} nodes")),
        ];
        let notes = parts.into_iter().flatten().collect::<Vec<_>>().join(", ");
        let side = ply.before.mover.symbol();
        format!("{:>3} {side} {:<4} {notes}", index + 1, ply.mv).trim_end().to_owned()
    })
}
