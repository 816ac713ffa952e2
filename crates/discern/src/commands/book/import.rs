use std::path::PathBuf;

use anyhow::Result;
use clap::Args as ClapArgs;
use discern_book::{Workshop, is_edax};
use discern_players::lines_of;
use discern_records::GameFile;

use super::judge_args::JudgeArgs;
use super::teach;
use crate::output::print;
use crate::place::At;

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
    let bytes = discern_files::read(&args.file, MOST).at(&args.file)?;
    let mut workshop = Workshop::open(&args.book).at(&args.book)?;
    let before = workshop.graph().len();
    if is_edax(&bytes) {
        workshop.import_edax(&bytes).at(&args.file)?;
    } else {
        let lines = lines_of(GameFile::open(&args.file, None)?).collect::<Result<_, _>>()?;
        workshop.note(&format!("import lines: {}", args.judge.described()?));
        teach(&args.judge, &mut workshop, lines, false)?;
    }
    let positions = workshop.finish().at(&args.book)?.len();
    let file = args.file.display();
    print(&format!("{file}: {positions} positions, {} of them new\n", positions - before))
}
