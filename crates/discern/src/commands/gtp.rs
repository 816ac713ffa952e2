use std::time::Duration;

use anyhow::Result;
use clap::Args as ClapArgs;
use discern_players::serve::{GtpServer, TimeMeaning};
use discern_search::{Limits, MoveTime};

use crate::engine_args::{BookArgs, EngineArgs, seconds};
use crate::values::one_of;

/// Speak GTP, so that other programs can play against the engine.
#[derive(ClapArgs)]
#[command(after_help = "Examples:
  discern gtp                              one second a move unless a clock is set
  discern gtp --depth 8 --threads 2
  discern gtp --time-meaning fischer       read time_settings 300 5 1 as 5 s added per move
  printf 'genmove b\\nshowboard\\n' | discern gtp --depth 4")]
pub struct Args {
    #[command(flatten)]
    engine: EngineArgs,
    #[command(flatten)]
    book: BookArgs,
    /// Seconds per move while no clock is set [default: 1]
    #[arg(long, value_name = "SECONDS", value_parser = seconds)]
    time: Option<Duration>,
    /// Plies to look ahead at most, at full width
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=60))]
    depth: Option<u32>,
    /// Nodes per move at most
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    nodes: Option<u64>,
    /// What the numbers of time_settings mean
    #[arg(long, value_parser = one_of(TimeMeaning::WORDS), default_value = "canadian")]
    time_meaning: TimeMeaning,
}

pub fn run(args: Args) -> Result<()> {
    let limited = args.depth.is_some() || args.nodes.is_some();
    let time = args.time.or((!limited).then_some(Duration::from_secs(1)));
    // As strong as its limits allow; a depth is meant at full width.
    let limits = Limits {
        nodes: args.nodes,
        time: time.map(MoveTime::fixed),
        ..args.depth.map_or(Limits::STRONGEST, Limits::depth)
    };
    let engine = args.engine.engine()?;
    let mut server = GtpServer::new(engine, limits, args.time_meaning, env!("CARGO_PKG_VERSION"))
        .with_book(args.book.open()?, args.book.seed());
    Ok(server.serve(std::io::stdin().lock(), std::io::stdout().lock())?)
}
