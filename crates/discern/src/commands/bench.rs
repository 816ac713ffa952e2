use std::io::Write;

use anyhow::Result;
use clap::Args as ClapArgs;
use discern_board::flips::KERNEL;
use discern_search::{Benchmark, Effort};
use serde::Serialize;

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

#[derive(Serialize)]
struct Bench {
    kernel: &'static str,
    signature: u64,
    midgame: Part,
    endgame: Part,
}

#[derive(Serialize)]
struct Part {
    nodes: u64,
    seconds: f64,
    nodes_per_second: f64,
}

impl From<Effort> for Part {
    fn from(effort: Effort) -> Part {
        Part {
            nodes: effort.nodes,
            seconds: effort.time.as_secs_f64(),
            nodes_per_second: effort.speed(),
        }
    }
}

pub fn run(args: Args) -> Result<()> {
    let benchmark = Benchmark::run(&mut *args.engine.engine()?, args.depth);
    let bench = Bench {
        kernel: KERNEL,
        signature: benchmark.signature(),
        midgame: benchmark.midgame.into(),
        endgame: benchmark.endgame.into(),
    };
    let mut stdout = std::io::stdout().lock();
    if args.json {
        writeln!(stdout, "{}", serde_json::to_string(&bench)?)?;
        return Ok(());
    }
    for (name, part) in [("midgame", &bench.midgame), ("endgame", &bench.endgame)] {
        let speed = part.nodes_per_second / 1e6;
        writeln!(
            stdout,
            "{name:9} {:>12} nodes {:>7.3} s {speed:>6.1} million/s",
            part.nodes, part.seconds
        )?;
    }
    writeln!(stdout, "kernel    {}", bench.kernel)?;
    writeln!(stdout, "signature {}", bench.signature)?;
    Ok(())
}
