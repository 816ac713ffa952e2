//! `discern games`: everything one does with files of games.

mod convert;
mod dedup;
mod input;
mod show;
mod summary;
mod target;
mod validate;

use std::io::Write;

use anyhow::Result;
use clap::{Args as ClapArgs, Subcommand};

pub use input::{Input, refuse_faults, report};

/// Import, export, validate, merge, deduplicate and summarise games.
///
/// Formats: archive (our own, .games), transcript (.txt), ggf, sgf, wthor
/// (.wtb with .jou and .trn beside) and obf (positions with scores). A format is
/// recognised by content or by the end of the name. A folder stands for all files
/// of games in it.
#[derive(ClapArgs)]
#[command(after_help = "Examples:
  discern games import wthor/ -o wthor.games       a folder of WTHOR files into one archive
  discern games export wthor.games --format ggf    as GGF, to the screen or a pipe
  discern games validate *.games                   is everything whole?
  discern games merge a.games b.games -o all.games
  discern games dedup all.games -o unique.games    turned and mirrored games are the same
  discern games summary all.games                  players, results, lengths, openings
  discern games show all.games 17                  draw one game")]
pub struct Args {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    #[command(visible_aliases = ["import", "export"])]
    Convert(convert::Args),
    Merge(convert::MergeArgs),
    Dedup(dedup::Args),
    Validate(validate::Args),
    Summary(summary::Args),
    Show(show::Args),
}

/// Prints a result. Unlike `print!` it does not panic when the reader of our
/// output goes away.
fn print(text: &str) -> Result<()> {
    Ok(std::io::stdout().write_all(text.as_bytes())?)
}

pub fn run(args: Args) -> Result<()> {
    match args.command {
        Command::Convert(args) => convert::run(args),
        Command::Merge(args) => convert::merge(args),
        Command::Dedup(args) => dedup::run(args),
        Command::Validate(args) => validate::run(args),
        Command::Summary(args) => summary::run(args),
        Command::Show(args) => show::run(args),
    }
}
