mod export;
mod grow;
mod import;
mod judge_args;
mod learn;
mod merge;
mod plan;
mod show;
mod study;
mod verify;

use std::time::Duration;

use anyhow::Result;
use clap::Args as ClapArgs;
use discern_book::{BookError, Crew, Growing, Judge, Learned, Lesson, Lessons, Workshop};
use discern_report::GrowingWatch;
use discern_selfplay::GrowPlan;
use indicatif::ProgressBar;

use super::jobs::{MissingArgs, RunArgs};
use crate::progress::Live;
use crate::signals::stop_after;
use judge_args::JudgeArgs;

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

commands! {
    Grow(grow::Args) => grow::run,
    Learn(learn::Args) => learn::run,
    Plan(plan::Args) => plan::run,
    Run(RunArgs) => RunArgs::run::<GrowPlan>,
    #[command(visible_alias = "shards")]
    Missing(MissingArgs) => MissingArgs::run::<GrowPlan>,
    Merge(merge::Args) => merge::run,
    Show(show::Args) => show::run,
    Export(export::Args) => export::run,
    Import(import::Args) => import::run,
    Verify(verify::Args) => verify::run,
    Study(study::Args) => study::run,
}

pub fn run(args: Args) -> Result<()> {
    args.command.run()
}

/// Lets judges work, with a live line. Ctrl-C, or the time, ends it after the
/// searches in hand.
fn with_judges<T>(
    judges: Vec<Box<dyn Judge>>,
    time: Option<Duration>,
    work: impl FnOnce(&mut Crew, &mut Progress) -> Result<T, BookError>,
) -> Result<T> {
    let is_due = stop_after(time)?;
    let live = Live::new(ProgressBar::new_spinner(), "{spinner} {wide_msg}");
    live.enable_steady_tick(Duration::from_millis(200));
    let mut progress = Progress { live, watch: GrowingWatch::default() };
    Ok(work(&mut Crew { judges, stop: &is_due }, &mut progress)?)
}

/// The live line of a book that grows.
struct Progress {
    live: Live,
    watch: GrowingWatch,
}

impl Progress {
    fn show(&mut self, growing: Growing) {
        let line = self.watch.hear(&growing);
        self.live.line(|| line.clone());
        self.live.set_message(line);
    }
}

/// Enters lessons into a book.
fn teach(
    judge: &JudgeArgs,
    workshop: &mut Workshop,
    lessons: Vec<Lesson>,
    only_count: bool,
) -> Result<Learned> {
    let settings = Lessons { least_empties: judge.solve, only_count };
    with_judges(judge.judges()?, None, |crew, progress| {
        settings.learn(workshop, crew, lessons, |growing| progress.show(growing))
    })
}
