use std::io;

use anyhow::Result;
use clap::Args as ClapArgs;
use discern_records::{Ending, GameRecord};

use super::input::{Input, refuse_unless_skipped, report};
use super::target::Target;
use crate::place::At;

/// Turn games of any format into any other.
///
/// Games that cannot be read or written are reported by number. The command
/// then fails and writes nothing, unless --skip-faulty leaves them out.
#[derive(ClapArgs)]
#[command(after_help = "Examples:
  discern games import wthor/ -o wthor.games
  discern games import new.ggf -o mine.games --append
  discern games export mine.games -o mine.ggf
  discern games export mine.games --format transcript | head")]
pub struct Args {
    #[command(flatten)]
    input: Input,
    #[command(flatten)]
    target: Target,
    /// Leave faulty games out instead of failing
    #[arg(long)]
    skip_faulty: bool,
    /// Leave games out that stop before their end
    #[arg(long)]
    skip_unfinished: bool,
}

/// Put the games of several files into one, in the order given.
///
/// Nothing is left out: see dedup for games that occur twice.
#[derive(ClapArgs)]
#[command(after_help = "Examples:
  discern games merge a.games b.ggf -o all.games
  discern games merge shards/ -o all.games --force")]
pub struct MergeArgs {
    #[command(flatten)]
    input: Input,
    #[command(flatten)]
    target: Target,
}

pub fn run(args: Args) -> Result<()> {
    copy(&args.input, &args.target, args.skip_faulty, |record| {
        !(args.skip_unfinished && record.ending == Ending::Unfinished)
    })
}

pub fn merge(args: MergeArgs) -> Result<()> {
    copy(&args.input, &args.target, false, |_| true)
}

/// Copies the games that `keep` wants.
pub fn copy(
    input: &Input,
    target: &Target,
    skip_faulty: bool,
    keep: impl FnMut(&GameRecord) -> bool,
) -> Result<()> {
    let mut output = target.begin()?;
    let copied = input.with_reading(|reading| reading.copy(&mut output, keep));
    let copied = copied?.map_err(io::Error::from).writing(target.name())?;
    report(&copied.findings);
    refuse_unless_skipped(&copied.findings, skip_faulty)?;
    output.finish().map_err(io::Error::from).writing(target.name())?;
    eprintln!("{}", copied.sentence());
    Ok(())
}
