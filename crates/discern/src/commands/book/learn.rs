use std::path::PathBuf;

use anyhow::{Context, Result};
use clap::{Args as ClapArgs, ValueEnum};
use discern_book::Who;
use discern_files::printable;
use discern_players::lesson;
use discern_records::{Format, GameFile, files_of};

use super::judge_args::JudgeArgs;
use super::{open_workshop, teach};

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
    #[arg(long, value_enum)]
    by: Option<By>,
    /// Only count results in positions the book has: no search, no new position
    #[arg(long)]
    count_only: bool,
    #[command(flatten)]
    judge: JudgeArgs,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum By {
    /// People
    Human,
    /// Programs
    Engine,
}

pub fn run(args: Args) -> Result<()> {
    let (mut lessons, mut faults) = (Vec::new(), 0);
    for path in &args.games {
        for path in files_of(path)? {
            let file = GameFile::open(&path, None)?;
            let who = match (args.by, file.format()) {
                (Some(By::Human), _) | (None, Format::Wthor) => Who::Human,
                _ => Who::Engine,
            };
            for game in file {
                match game {
                    Ok(record) => lessons.push(lesson(&record, who)),
                    Err(fault) => {
                        eprintln!("{}", printable(&fault.to_string()));
                        faults += 1;
                    }
                }
            }
        }
    }
    let mut workshop = open_workshop(&args.book)?;
    if args.count_only {
        workshop.note("results of games");
    } else {
        workshop.note(&format!("learn games: {}", args.judge.described()?));
    }
    let learned = teach(&args.judge, &mut workshop, lessons, args.count_only)
        .with_context(|| args.book.display().to_string())?;
    let graph = workshop.finish().with_context(|| args.book.display().to_string())?;
    let more = if learned.stopped { "; stopped, the same command continues" } else { "" };
    println!(
        "{} games entered, {} known already, {faults} faulty; the book has {} positions{more}",
        learned.entered,
        learned.known,
        graph.len()
    );
    Ok(())
}
