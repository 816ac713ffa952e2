use std::collections::HashSet;

use anyhow::Result;
use clap::Args as ClapArgs;
use discern_records::CanonicalGame;

use super::convert::copy;
use super::input::Input;
use super::target::Target;

/// Keep the first of games with the same moves.
///
/// Games that are turned or mirrored images of each other are the same.
#[derive(ClapArgs)]
#[command(after_help = "Examples:
  discern games dedup all.games -o unique.games
  discern games dedup a.ggf b.ggf -o unique.ggf")]
pub struct Args {
    #[command(flatten)]
    input: Input,
    #[command(flatten)]
    target: Target,
    /// Leave faulty games out instead of failing
    #[arg(long)]
    skip_faulty: bool,
}

pub fn run(args: Args) -> Result<()> {
    let mut seen = HashSet::new();
    let mut dropped = 0;
    copy(&args.input, &args.target, args.skip_faulty, |record| {
        let new = seen.insert(CanonicalGame::of(&record.game));
        dropped += usize::from(!new);
        new
    })?;
    eprintln!("{dropped} duplicate{} dropped", if dropped == 1 { "" } else { "s" });
    Ok(())
}
