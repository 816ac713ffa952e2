use std::io::Write;
use std::path::PathBuf;

use anyhow::Result;
use clap::Args as ClapArgs;
use discern_selfplay::{GeneratePlan, Job, RunFolder};
use serde_json::json;

/// List the shards that are not there, one per line, as `run --shard` takes them
#[derive(ClapArgs)]
#[command(after_help = "Example:
  discern generate missing first | xargs -P 8 -n 1 discern generate run first --shard")]
pub struct Args {
    /// Folder with a plan
    folder: PathBuf,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

pub fn run(args: Args) -> Result<()> {
    let folder: RunFolder<GeneratePlan> = RunFolder::open(&args.folder)?;
    let count = folder.plan().shards();
    let missing = folder.missing()?;
    for what in missing.iter().filter_map(|(_, damage)| damage.as_ref()) {
        eprintln!("{what}");
    }
    let mut stdout = std::io::stdout().lock();
    if args.json {
        let numbers: Vec<u32> = missing.iter().map(|&(shard, _)| shard).collect();
        let object = json!({"plan": folder.fingerprint(), "shards": count, "missing": numbers});
        writeln!(stdout, "{object}")?;
    } else {
        for (shard, _) in &missing {
            writeln!(stdout, "{shard}/{count}")?;
        }
    }
    Ok(())
}
