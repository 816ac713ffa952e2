use std::path::PathBuf;

use anyhow::Result;
use clap::Args as ClapArgs;
use discern_selfplay::{Duplicates, GeneratePlan, RunFolder, merge};

/// Put all shards together into one archive with a manifest beside it
///
/// Refuses if a shard is missing, damaged, there twice or of another plan, or
/// if two games are the same.
#[derive(ClapArgs)]
#[command(after_help = "Example:
  discern generate merge first -o first.games")]
pub struct Args {
    /// Folder with a plan and all its shards
    folder: PathBuf,
    /// Archive to write; the manifest is FILE.manifest.json
    #[arg(short, long, value_name = "FILE")]
    output: PathBuf,
    /// Replace the output if it exists
    #[arg(long)]
    force: bool,
}

pub fn run(args: Args) -> Result<()> {
    let folder: RunFolder<GeneratePlan> = RunFolder::open(&args.folder)?;
    let merged = merge(&folder, None, &args.output, Duplicates::Refuse, args.force)?;
    eprintln!("{} games of {} shards in {} bytes", merged.games, merged.shards.len(), merged.bytes);
    Ok(())
}
