use std::path::PathBuf;

use anyhow::{Error, Result};
use clap::Args as ClapArgs;
use discern_records::{Format, GameFile};
use discern_report::{game_board, game_text};

use crate::output::print;

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
    let board = game_board(&record, args.ply).map_err(Error::msg)?;
    print(&format!("{}\n{board}", game_text(&record, file.plans(), args.moves)))
}
