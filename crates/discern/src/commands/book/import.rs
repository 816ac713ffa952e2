use std::path::PathBuf;

use anyhow::{Context, Result};
use clap::Args as ClapArgs;
use discern_board::Board;
use discern_book::{Lesson, Who, is_edax, read_edax};
use discern_records::{GameFile, GameId};

use super::judge_args::JudgeArgs;
use super::{open_workshop, teach};

/// Import a book of Edax, or lines of moves.
///
/// The leaves of a book of Edax keep their values and are not searched again.
/// Lines are searched like games, but do not count as games.
#[derive(ClapArgs)]
pub struct Args {
    /// The book; it is begun if there is none
    book: PathBuf,
    /// A book.dat of Edax, or a file of games or lines
    #[arg(value_name = "FILE")]
    file: PathBuf,
    #[command(flatten)]
    judge: JudgeArgs,
}

/// No honest book of Edax is larger.
const MOST: u64 = 1 << 32;

pub fn run(args: Args) -> Result<()> {
    let name = || args.file.display().to_string();
    let bytes = discern_files::read(&args.file, MOST).with_context(name)?;
    let mut workshop = open_workshop(&args.book)?;
    let before = workshop.graph().len();
    if is_edax(&bytes) {
        let entries = read_edax(&bytes).with_context(name)?;
        // What we know of a position ourselves stays.
        let known = |board: &Board| workshop.graph().get(board).is_some();
        let new = entries.into_iter().filter(|entry| !known(&entry.board)).collect();
        workshop.note("import: a book of Edax");
        workshop.change(new, Vec::new())?;
    } else {
        let mut lessons = Vec::new();
        for record in GameFile::open(&args.file, None)? {
            let game = record?.game;
            // Not the id of a game: the same moves may come as one later.
            let id = !GameId::of(&game).0;
            lessons.push(Lesson { id, game, outcome_black: None, who: Who::Engine });
        }
        workshop.note(&format!("import lines: {}", args.judge.described()?));
        teach(&args.judge, &mut workshop, lessons, false)?;
    }
    let graph = workshop.finish().with_context(|| args.book.display().to_string())?;
    println!("{}: {} positions, {} of them new", name(), graph.len(), graph.len() - before);
    Ok(())
}
