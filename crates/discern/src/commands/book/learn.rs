use std::path::PathBuf;

use anyhow::Result;
use clap::Args as ClapArgs;
use discern_book::{Learned, Who, Workshop};
use discern_files::printable;
use discern_players::lessons_in;

use super::judge_args::JudgeArgs;
use super::teach;
use crate::output::print;
use crate::place::At;
use crate::values::one_of;

/// Enter games into a book.
///
/// Every position of a game down to the endings that are solved gets its best
/// other move, so that a loss shows where it could have been avoided. A game is
/// entered once, however often it is given.
#[derive(ClapArgs)]
#[command(after_help = "Examples:
  discern book learn my.book match.games
  discern book learn my.book wthor/ --count-only   results of people where the book has the position")]
pub struct Args {
    /// The book; it is begun if there is none
    book: PathBuf,
    /// Files of games, or folders of such files
    #[arg(required = true, value_name = "GAMES")]
    games: Vec<PathBuf>,
    /// Players of the games [default: people in WTHOR files, programs otherwise]
    #[arg(long, value_parser = one_of(Who::WORDS))]
    by: Option<Who>,
    /// Only count results in positions the book has: no search, no new position
    #[arg(long)]
    count_only: bool,
    #[command(flatten)]
    judge: JudgeArgs,
}

pub fn run(args: Args) -> Result<()> {
    let (lessons, faults) = lessons_in(&args.games, args.by)?;
    faults.iter().for_each(|fault| eprintln!("{}", printable(&fault.to_string())));
    let mut workshop = Workshop::open(&args.book).at(&args.book)?;
    workshop.note(&match args.count_only {
        true => "results of games".to_owned(),
        false => format!("learn games: {}", args.judge.described()?),
    });
    let learned = teach(&args.judge, &mut workshop, lessons, args.count_only).at(&args.book)?;
    let positions = workshop.finish().at(&args.book)?.len();
    let Learned { entered, known, stopped } = learned;
    let more = if stopped { "; stopped, the same command continues" } else { "" };
    print(&format!(
        "{entered} games entered, {known} known already, {} faulty; \
         the book has {positions} positions{more}\n",
        faults.len()
    ))
}
