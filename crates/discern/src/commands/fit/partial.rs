use std::io::{Read, Write};
use std::path::{Path, PathBuf};

use anyhow::Result;
use clap::Args as ClapArgs;
use discern_fit::{PartRequest, default_memory};
use discern_stats::Threads;

use crate::place::At;

/// No request is larger.
const MOST: u64 = 64 << 20;

/// Sum up one table among many, as a fit of all of them asks
///
/// `python -m discern.cluster fit` has this done on many machines: it sends the
/// request, adds the answers up and takes the Newton steps.
#[derive(ClapArgs)]
pub struct Args {
    /// JSON file with the request; - is standard input
    request: PathBuf,
    /// CSV or Parquet file, plain or zstd
    table: PathBuf,
    /// Threads; the result does not depend on it
    #[arg(long, value_name = "N", default_value = "1")]
    threads: Threads,
    /// Hold at most this much of the table in memory, else read it twice
    /// [default: half of the free memory]
    #[arg(long, value_name = "MB")]
    memory: Option<usize>,
}

pub fn run(args: Args) -> Result<()> {
    let text = read(&args.request).at(&args.request)?;
    let request: PartRequest = serde_json::from_str(&text).at(&args.request)?;
    let memory = args.memory.map_or_else(default_memory, |megabytes| megabytes << 20);
    let answer = request.answer(&args.table, memory, args.threads)?;
    let mut out = std::io::stdout().lock();
    serde_json::to_writer(&mut out, &answer)?;
    Ok(writeln!(out)?)
}

fn read(path: &Path) -> std::io::Result<String> {
    if path != Path::new("-") {
        return discern_files::read_text(path, MOST);
    }
    let mut text = String::new();
    std::io::stdin().take(MOST).read_to_string(&mut text)?;
    Ok(text)
}
