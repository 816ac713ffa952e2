use std::io::Write;

use anyhow::Result;
use clap::Args as ClapArgs;
use discern_board::flips::KERNEL;
use discern_search::{Benchmark, Effort};
use serde_json::json;

use crate::engine_args::EngineArgs;

/// Search fixed positions: node-count signature and speed.
///
/// The signature is the number of nodes visited. It is the same on every
/// machine and with every kernel; a change of search or evaluation, new weights
/// included, shows in it.
#[derive(ClapArgs)]
#[command(after_help = "Examples:
  discern bench                   signature and nodes per second
  discern bench --model rev       the signature that the tests compare: no weights")]
pub struct Args {
    #[command(flatten)]
    engine: EngineArgs,
    /// Depth of the midgame searches
    #[arg(long, default_value_t = 9, value_parser = clap::value_parser!(u32).range(1..=30))]
    depth: u32,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

pub fn run(args: Args) -> Result<()> {
    let benchmark = Benchmark::run(&mut *args.engine.engine()?, args.depth);
    let parts = [("midgame", benchmark.midgame), ("endgame", benchmark.endgame)];
    let mut stdout = std::io::stdout().lock();
    if args.json {
        let part = |effort: Effort| {
            json!({
                "nodes": effort.nodes,
                "seconds": effort.time.as_secs_f64(),
                "nodes_per_second": effort.speed(),
            })
        };
        let mut object = json!({ "kernel": KERNEL, "signature": benchmark.signature() });
        parts.into_iter().for_each(|(name, effort)| object[name] = part(effort));
        return Ok(writeln!(stdout, "{object}")?);
    }
    for (name, effort) in parts {
        let (nodes, seconds) = (effort.nodes, effort.time.as_secs_f64());
        let speed = effort.speed() / 1e6;
        writeln!(stdout, "{name:9} {nodes:>12} nodes {seconds:>7.3} s {speed:>6.1} million/s")?;
    }
    writeln!(stdout, "kernel    {KERNEL}\nsignature {}", benchmark.signature())?;
    Ok(())
}
