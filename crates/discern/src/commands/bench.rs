use anyhow::Result;
use clap::Args as ClapArgs;
use discern_report::{BenchmarkRow, print_benchmark};
use discern_search::Benchmark;

use crate::engine_args::EngineArgs;
use crate::output::show;

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
    let found = BenchmarkRow::from(&Benchmark::run(&mut *args.engine.engine()?, args.depth));
    show(args.json, &found, |out| print_benchmark(out, &found))
}
