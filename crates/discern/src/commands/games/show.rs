use std::path::PathBuf;

use anyhow::{Context, Result, bail};
use clap::Args as ClapArgs;
use discern_board::{Color, Position};
use discern_files::printable;
use discern_players::{describe, name_of};
use discern_records::{Correction, Format, GameFile, GameId, GameRecord, MoveNote, Source};

use super::print;

/// Draw one game: what is known about it, its moves and a position.
#[derive(ClapArgs)]
#[command(after_help = "Examples:
  discern games show all.games 17                  the game and its last position
  discern games show all.games 17 --ply 20         the position after 20 plies
  discern games show all.games 17 --moves          every move with its notes")]
pub struct Args {
    /// File of games
    file: PathBuf,
    /// Number of the game, from 1
    #[arg(default_value_t = 1, value_parser = clap::value_parser!(u64).range(1..))]
    number: u64,
    /// Show the position after this many plies instead of the last one
    #[arg(long)]
    ply: Option<usize>,
    /// List every move with evaluation and time
    #[arg(long)]
    moves: bool,
    /// Read the file as this format instead of telling it by content
    #[arg(long, value_name = "FORMAT")]
    from: Option<Format>,
}

pub fn run(args: Args) -> Result<()> {
    let mut read = 0;
    let mut games = GameFile::open(&args.file, args.from)?;
    while let Some(game) = games.next() {
        read += 1;
        if let Err(fault) = &game {
            read = fault.fault.place.game.unwrap_or(read);
        }
        if read == args.number {
            return show(&game?, games.plans(), &args);
        }
    }
    bail!("{}: there is no game {}, the last one is {read}", args.file.display(), args.number)
}

fn show(record: &GameRecord, plans: &[String], args: &Args) -> Result<()> {
    let plies = record.game.plies().len();
    let ply = args.ply.unwrap_or(plies);
    let position = positions(record)
        .nth(ply)
        .with_context(|| format!("the game has {plies} plies, there is none after {ply}"))?;
    let mut lines = facts(record, plans);
    if args.moves {
        lines.extend(moves(record));
    }
    lines.push(format!("\nafter ply {ply}, {} to move:", position.mover));
    print(&format!("{}\n{}", lines.join("\n"), position.board.draw(position.mover)))
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

fn positions(record: &GameRecord) -> impl Iterator<Item = Position> {
    record.game.plies().iter().map(|ply| ply.before).chain([record.game.position()])
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
