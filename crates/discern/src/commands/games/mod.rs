mod convert;
mod dedup;
mod input;
mod show;
mod summary;
mod target;
mod validate;

use anyhow::Result;
use clap::Args as ClapArgs;

pub use input::{Input, refuse_unless_skipped, report};

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

commands! {
    #[command(visible_aliases = ["import", "export"])]
    Convert(convert::Args) => convert::run,
    Merge(convert::MergeArgs) => convert::merge,
    Dedup(dedup::Args) => dedup::run,
    Validate(validate::Args) => validate::run,
    Summary(summary::Args) => summary::run,
    Show(show::Args) => show::run,
}

pub fn run(args: Args) -> Result<()> {
    args.command.run()
}
