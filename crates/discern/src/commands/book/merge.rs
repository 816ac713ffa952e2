use std::path::PathBuf;

use anyhow::Result;
use clap::Args as ClapArgs;
use discern_book::{BookFile, Judge, Workshop, search_wanting};
use discern_players::{RunFolder, cores};
use discern_selfplay::GrowPlan;

use super::with_judges;
use crate::output::print;
use crate::place::At;

/// Merge other books, or what was grown by plan, into a book.
///
/// Of two searches of a position the deeper one is kept; results are added up. A folder of
/// `book plan` needs all its shards. Where roots have met, positions lack their best other move:
/// the plan's player searches for it.
#[derive(ClapArgs)]
pub struct Args {
    /// The book; it is begun if there is none
    book: PathBuf,
    /// Other books, or folders with a plan and all its shards
    #[arg(required = true, value_name = "OTHER")]
    others: Vec<PathBuf>,
}

pub fn run(args: Args) -> Result<()> {
    let mut workshop = Workshop::open(&args.book).at(&args.book)?;
    let (folders, books): (Vec<_>, Vec<_>) = args.others.iter().partition(|path| path.is_dir());
    for path in books {
        let merged = BookFile::open(path).and_then(|other| workshop.merge(&other)).at(path)?;
        print(&format!("{}: {} positions added\n", path.display(), merged.added))?;
        if let games @ 1.. = merged.shared_games {
            let kept = "of results the larger counts are kept";
            print(&format!("{games} games are in both books: {kept}\n"))?;
        }
    }
    let finished = folders.is_empty() || merge_folders(&mut workshop, &folders)?;
    let positions = workshop.finish().at(&args.book)?.len();
    let more = if finished { "" } else { "; stopped, the same command continues" };
    print(&format!("{}: {positions} positions{more}\n", args.book.display()))
}

/// Enters what was grown by plan; `false` if stopped before all positions were
/// searched.
fn merge_folders(workshop: &mut Workshop, paths: &[&PathBuf]) -> Result<bool> {
    let folders: Vec<RunFolder<GrowPlan>> =
        paths.iter().map(RunFolder::open).collect::<Result<_, _>>()?;
    let added = GrowPlan::merge(&folders, workshop)?;
    print(&format!("{added} positions added\n"))?;
    let (plan, store) = (folders[0].work(), folders[0].store());
    let judge = |_| Ok(Box::new(plan.judge(store)?) as Box<dyn Judge>);
    let judges = (0..cores()).map(judge).collect::<Result<_>>()?;
    with_judges(judges, None, |crew, progress| {
        search_wanting(workshop, crew, &mut |growing| progress.show(growing))
    })
}
