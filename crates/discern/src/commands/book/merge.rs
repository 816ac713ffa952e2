use std::path::PathBuf;

use anyhow::{Context, Result, bail};
use clap::Args as ClapArgs;
use discern_book::{BookFile, Crew, Judge, Workshop, merged, search_wanting, united};
use discern_players::RunFolder;
use discern_selfplay::GrowPlan;

use super::judge_args::Stop;
use super::open_workshop;
use super::progress::Progress;

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
    let mut workshop = open_workshop(&args.book)?;
    let (folders, books): (Vec<_>, Vec<_>) = args.others.iter().partition(|path| path.is_dir());
    for path in books {
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
    let finished = folders.is_empty() || merge_folders(&mut workshop, &folders)?;
    let graph = workshop.finish().with_context(|| args.book.display().to_string())?;
    let more = if finished { "" } else { "; stopped, the same command continues" };
    println!("{}: {} positions{more}", args.book.display(), graph.len());
    Ok(())
}

/// Enters what was grown by plan, all of it at once, so that no order shows;
/// `false` if stopped before all positions were searched.
fn merge_folders(workshop: &mut Workshop, paths: &[&PathBuf]) -> Result<bool> {
    let folders: Vec<RunFolder<GrowPlan>> =
        paths.iter().map(RunFolder::open).collect::<Result<_, _>>()?;
    let first = &folders[0];
    let mut entries = Vec::new();
    for folder in &folders {
        if folder.work().player != first.work().player {
            bail!("{}: another player searched; merge it by itself", folder.path().display());
        }
        entries.extend(GrowPlan::entries(folder)?);
    }
    let before = workshop.graph().len();
    let entries = united(workshop.graph(), entries);
    workshop.note(&format!("grow by plan: {}", first.work().player));
    workshop.change(entries, Vec::new())?;
    println!("{} positions added", workshop.graph().len() - before);
    let stop = Stop::after(None)?;
    let is_due = || stop.is_due();
    let judge = |_| Ok(Box::new(first.work().judge(first.store())?) as Box<dyn Judge>);
    let judges = (0..super::super::jobs::cores(1)).map(judge).collect::<Result<_>>()?;
    let mut progress = Progress::new();
    let finished = search_wanting(workshop, &mut Crew { judges, stop: &is_due }, &mut |growing| {
        progress.show(growing);
    })?;
    progress.clear();
    Ok(finished)
}
