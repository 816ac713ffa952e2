use std::path::PathBuf;

use anyhow::{Result, bail};
use clap::Args as ClapArgs;
use discern_book::study::Study;
use discern_book::{Who, Workshop};
use discern_players::lessons_of;
use discern_records::GameFile;
use discern_report::book_study_text;
use discern_search::Limits;
use indicatif::ProgressBar;

use super::judge_args::JudgeArgs;
use super::teach;
use crate::output::show_all;
use crate::progress::Live;
use crate::signals::stop_after;

/// Test the paper's claim: do comparable values choose better book moves?
///
/// Games are entered into a book, each position with its best other move. Then
/// every value is multiplied by a factor of its phase: values that were only
/// compared within a phase look like this. Where the two books choose
/// differently, both choices are solved or searched deeper.
#[derive(ClapArgs)]
#[command(after_help = "Example:
  discern book study data/othello.games --count 100 --depth 6 --deeper 10")]
pub struct Args {
    /// Games to make a book of
    #[arg(value_name = "GAMES")]
    games: PathBuf,
    /// How many of them
    #[arg(long, value_name = "N", default_value_t = 100)]
    count: usize,
    /// Take every Nth game
    #[arg(long, value_name = "N", default_value_t = 1)]
    every: usize,
    /// Plies by which the arbiter looks deeper
    #[arg(long, value_name = "N", default_value_t = 10)]
    deeper: u32,
    /// Disagreements to judge at most, for each kind of factors
    #[arg(long, value_name = "N", default_value_t = 200)]
    most: usize,
    /// Empty squares from which the arbiter solves
    #[arg(long, value_name = "N", default_value_t = 22)]
    arbiter_solves: u32,
    /// Seed of the choice among disagreements and of random factors
    #[arg(long, value_name = "N", default_value_t = 1995)]
    seed: u64,
    #[command(flatten)]
    judge: JudgeArgs,
    /// Print JSON, one object for each kind of factors
    #[arg(long)]
    json: bool,
}

pub fn run(args: Args) -> Result<()> {
    let games = lessons_of(GameFile::open(&args.games, None)?, Some(Who::Engine));
    let games = games.step_by(args.every.max(1)).take(args.count);
    let lessons = games.collect::<Result<Vec<_>, _>>()?;
    if lessons.is_empty() {
        bail!("{}: there is no game in it", args.games.display());
    }
    let mut workshop = Workshop::in_memory();
    if teach(&args.judge, &mut workshop, lessons, false)?.stopped {
        bail!("stopped");
    }
    let deep = args.judge.limits();
    let mut arbiter = args.judge.judge(Limits {
        depth: deep.depth.map(|depth| depth + args.deeper),
        outcome_empties: args.arbiter_solves,
        score_empties: 0,
        ..deep
    })?;
    let stop = stop_after(None)?;
    let study = Study { seed: args.seed, most: args.most };
    let template = "{msg} {bar:40} {pos}/{len} judged, {eta} left";
    let mut live = Live::new(ProgressBar::new(0), template);
    let rows = study.run(workshop.graph(), &mut arbiter, &stop, |factors, judged, of| {
        live.set_message(factors.to_string());
        live.set_length(of as u64);
        live.set_position(judged as u64);
        live.line(|| format!("{factors}: {judged} of {of} judged"));
    });
    show_all(args.json, &rows, |out| write!(out, "{}", book_study_text(&rows)))
}
