//! `discern generate`: games of two programs from every opening.

mod merge;
mod missing;
mod plan;
mod run;

use anyhow::Result;
use clap::{Args as ClapArgs, Subcommand};

/// Play games of two programs from all openings, by a plan cut into shards.
///
/// A plan stands in a folder of its own, with the weights it needs. Shard i of
/// n has the same bytes wherever it is made, so that a run may be interrupted
/// at any moment, resumed, and shared by any number of machines.
#[derive(ClapArgs)]
#[command(after_help = "Examples:
  discern generate plan first --player rev,depth=6 --player rev-edges,depth=6 --rounds 6
  discern generate run first                       on all cores; interrupted, it resumes
  discern generate run first --shard 17/320        one shard, on a machine of a cluster
  discern generate missing first                   which shards are not there yet
  discern generate merge first -o first.games      all shards, with a manifest beside")]
pub struct Args {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    Plan(plan::Args),
    Run(run::Args),
    #[command(visible_alias = "shards")]
    Missing(missing::Args),
    Merge(merge::Args),
}

pub fn run(args: Args) -> Result<()> {
    match args.command {
        Command::Plan(args) => plan::run(args),
        Command::Run(args) => run::run(args),
        Command::Missing(args) => missing::run(args),
        Command::Merge(args) => merge::run(args),
    }
}
