use std::path::PathBuf;

use anyhow::{Context, Result};
use clap::Args as ClapArgs;
use discern_records::{Format, GameFile};
use discern_report::game_text;

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
    /// Read the file as this format [default: recognised by content]
    #[arg(long, value_name = "FORMAT")]
    from: Option<Format>,
}

pub fn run(args: Args) -> Result<()> {
    let mut file = GameFile::open(&args.file, args.from)?;
    let record = file.game(args.number)?;
    let plies = record.game.plies().len();
    let ply = args.ply.unwrap_or(plies);
    let positions = record.game.plies().iter().map(|ply| ply.before);
    let position = positions
        .chain([record.game.position()])
        .nth(ply)
        .with_context(|| format!("the game has {plies} plies, there is none after {ply}"))?;
    let text = game_text(&record, file.plans(), args.moves);
    let (mover, board) = (position.mover, position.board.draw(position.mover));
    print(&format!("{text}\nafter ply {ply}, {mover} to move:\n{board}"))
}
