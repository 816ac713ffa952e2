use std::path::PathBuf;

use anyhow::{Result, bail};
use clap::Args as ClapArgs;
use discern_selfplay::{GeneratePlan, Job, RunFolder, Shard, ShardState};

use crate::job_bar::{missing_shards, run_with_bar};

/// Make the shards that are missing
#[derive(ClapArgs)]
#[command(after_help = "Examples:
  discern generate run first --threads 2
  discern generate run first --shard 17/320")]
pub struct Args {
    /// Folder with a plan
    folder: PathBuf,
    /// Make only this shard, i of n from 0; n must be the plan's
    #[arg(long, value_name = "I/N")]
    shard: Option<Shard>,
    /// Shards to work on at a time; all cores if left out
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=256))]
    threads: Option<u16>,
}

pub fn run(args: Args) -> Result<()> {
    let folder: RunFolder<GeneratePlan> = RunFolder::open(&args.folder)?;
    let threads = args.threads.map(usize::from);
    if let Some(shard) = args.shard {
        let count = folder.plan().shards();
        if shard.count != count {
            bail!("shard {shard}: the plan has {count} shards");
        }
        if let ShardState::Damaged(what) = folder.state(shard.index)? {
            eprintln!("{what}; set aside as .damaged, the shard is made again");
            folder.set_aside(shard.index)?;
        }
        return run_with_bar(&folder, &[shard.index], threads, "games");
    }
    let _lock = folder.lock()?;
    let missing = missing_shards(&folder)?;
    if missing.is_empty() {
        eprintln!("all {} shards are there", folder.plan().shards());
        return Ok(());
    }
    run_with_bar(&folder, &missing, threads, "games")
}
