use std::path::PathBuf;

use anyhow::Result;
use clap::Args as ClapArgs;
use discern_players::serve::NBoardServer;
use discern_search::Limits;

use crate::engine_args::EngineArgs;

/// Speak the NBoard protocol, to be an engine of the NBoard program.
///
/// NBoard wants evaluations in discs; ours are odds of winning, told as about
/// four discs per logit until they are proven.
#[derive(ClapArgs)]
#[command(after_help = "Examples:
  discern nboard
  discern nboard --threads 2 --learn mine.games")]
pub struct Args {
    #[command(flatten)]
    engine: EngineArgs,
    /// Plies to look ahead until NBoard sets them
    #[arg(long, value_name = "N", default_value_t = 12, value_parser = clap::value_parser!(u32).range(1..=60))]
    depth: u32,
    /// Nodes per move at most
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    nodes: Option<u64>,
    /// Archive to which the games to learn from are added
    #[arg(long, value_name = "FILE")]
    learn: Option<PathBuf>,
}

pub fn run(args: Args) -> Result<()> {
    let limits = Limits { nodes: args.nodes, ..Limits::default() };
    let mut server = NBoardServer::new(args.engine.engine()?, limits, args.depth, args.learn);
    Ok(server.serve(std::io::stdin(), std::io::stdout().lock())?)
}
