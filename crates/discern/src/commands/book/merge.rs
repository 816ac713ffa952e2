use std::path::PathBuf;

use anyhow::{Context, Result};
use clap::Args as ClapArgs;
use discern_book::{BookFile, merged};

use super::open_workshop;

/// Merge other books into a book.
///
/// Of two searches of a position the deeper one is kept; results are added up.
#[derive(ClapArgs)]
pub struct Args {
    /// The book; it is begun if there is none
    book: PathBuf,
    /// Other books
    #[arg(required = true, value_name = "OTHER")]
    others: Vec<PathBuf>,
}

pub fn run(args: Args) -> Result<()> {
    let mut workshop = open_workshop(&args.book)?;
    for path in &args.others {
        let name = || path.display().to_string();
        let file = BookFile::open(path).with_context(name)?;
        let other = file.graph().with_context(name)?;
        let (entries, report) = merged(workshop.graph(), &other);
        file.manifest().steps.iter().for_each(|step| workshop.note(step));
        workshop.change(entries, other.learned().to_vec()).with_context(name)?;
        println!("{}: {} positions added", path.display(), report.added);
        if report.shared_games > 0 {
            println!(
                "{} games are in both books: of results the larger counts are kept",
                report.shared_games
            );
        }
    }
    let graph = workshop.finish().with_context(|| args.book.display().to_string())?;
    println!("{}: {} positions", args.book.display(), graph.len());
    Ok(())
}
