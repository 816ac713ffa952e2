//! `discern book`: the opening book.

mod export;
mod grow;
mod import;
mod judge_args;
mod learn;
mod merge;
mod plan;
mod progress;
mod show;
mod study;
mod verify;

use std::path::Path;

use anyhow::{Context, Result};
use clap::{Args as ClapArgs, Subcommand};
use discern_book::{Learned, Lesson, Lessons, Workshop};
use discern_selfplay::GrowPlan;

use super::jobs::{MissingArgs, RunArgs};
use judge_args::{JudgeArgs, Stop};
use progress::Progress;

/// Grow, teach, show and exchange opening books.
///
/// A book knows, for every position in it, what its examined moves lead to and
/// the best of all other moves. Its values are odds of winning.
#[derive(ClapArgs)]
#[command(after_help = "Examples:
  discern book grow my.book --time 1h              where it matters, on all cores
  discern book learn my.book mine.games            do not lose the same way twice
  discern book show f5d6c3 --book my.book          what the book says
  discern book merge my.book other.book
  discern book plan wide --positions 200           on many machines: plan, run, missing, merge
  discern book import my.book book.dat             a book of Edax, or lines of moves
  discern book export --book my.book -o lines.txt
  discern book verify my.book")]
pub struct Args {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    Grow(grow::Args),
    Learn(learn::Args),
    Plan(Box<plan::Args>),
    Run(RunArgs),
    #[command(visible_alias = "shards")]
    Missing(MissingArgs),
    Merge(merge::Args),
    Show(show::Args),
    Export(export::Args),
    Import(import::Args),
    Verify(verify::Args),
    Study(study::Args),
}

pub fn run(args: Args) -> Result<()> {
    match args.command {
        Command::Grow(args) => grow::run(args),
        Command::Learn(args) => learn::run(args),
        Command::Plan(args) => plan::run(*args),
        Command::Run(args) => args.run::<GrowPlan>(false),
        Command::Missing(args) => args.run::<GrowPlan>(),
        Command::Merge(args) => merge::run(args),
        Command::Show(args) => show::run(args),
        Command::Export(args) => export::run(args),
        Command::Import(args) => import::run(args),
        Command::Verify(args) => verify::run(args),
        Command::Study(args) => study::run(args),
    }
}

/// A book to be changed.
fn open_workshop(path: &Path) -> Result<Workshop> {
    Workshop::open(path).with_context(|| path.display().to_string())
}

/// Enters lessons into a book, with a live line. Ctrl-C ends it after the
/// searches in hand.
fn teach(
    judge: &JudgeArgs,
    workshop: &mut Workshop,
    lessons: Vec<Lesson>,
    only_count: bool,
) -> Result<Learned> {
    let stop = Stop::after(None)?;
    let is_due = || stop.is_due();
    let mut crew = judge.crew(&is_due)?;
    let settings = Lessons { least_empties: judge.solve, only_count };
    let mut progress = Progress::new();
    let learned = settings.learn(workshop, &mut crew, lessons, |growing| progress.show(growing))?;
    progress.clear();
    Ok(learned)
}
