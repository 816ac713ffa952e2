use std::path::PathBuf;
use std::slice;

use anyhow::Result;
use clap::Args as ClapArgs;
use discern_players::{GRAMMAR, Openings, PlayerSpec, RunFolder, Shard, WeightStore};
use discern_records::parse_game;
use discern_selfplay::GrowPlan;

use super::judge_args::toll;
use crate::commands::jobs::say_plan;

/// Plan a book that grows on many machines.
///
/// Every root grows by itself to the same number of positions, so that it comes out the same on any
/// machine. `book run` grows the roots of one shard or of all, and `book merge BOOK FOLDER` enters
/// them into a book, with the moves from the start to the roots.
#[derive(ClapArgs)]
#[command(after_long_help = format!("{GRAMMAR}

Here a player without a limit has depth=12, and without endgame outcome=20,score=18.

Examples:
  discern book plan wide --plies 6 --positions 200 --shards 320
  discern book run wide --shard 17/320             on any machine that has the folder
  discern book merge my.book wide"))]
pub struct Args {
    /// Folder to make; the same plan again changes nothing
    folder: PathBuf,
    /// Who searches (see --help)
    #[arg(long, value_name = "PLAYER", default_value = "direct,selective=true")]
    player: PlayerSpec,
    /// The roots are the different positions after this many moves
    #[arg(long, value_name = "N", default_value_t = 6, value_parser = clap::value_parser!(u32).range(0..=i64::from(Openings::MAX_PLIES)))]
    plies: u32,
    /// Draw this many of them
    #[arg(long, value_name = "N")]
    roots: Option<u32>,
    /// Grow after these moves, or from this position, instead; may be repeated
    #[arg(long, value_name = "MOVES", conflicts_with_all = ["plies", "roots"])]
    from: Vec<String>,
    /// Positions that each root grows to
    #[arg(long, value_name = "N")]
    positions: u32,
    /// What a ply costs beside what it gives away, in percent: more makes a
    /// broader book with shorter lines
    #[arg(long, value_name = "PERCENT", default_value = "0.4", value_parser = toll)]
    toll: u32,
    /// Seed of the roots that are drawn
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
    /// Number of shards; one for each root, up to 1000, if left out
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=i64::from(Shard::MOST)))]
    shards: Option<u32>,
}

pub fn run(args: Args) -> Result<()> {
    let roots = match args.from.as_slice() {
        [] => Openings::Distinct { plies: args.plies, count: args.roots },
        from => {
            Openings::Games(from.iter().map(|text| parse_game(text)).collect::<Result<_, _>>()?)
        }
    };
    let store = WeightStore::new();
    let mut player = args.player;
    store.complete(slice::from_mut(&mut player), &GrowPlan::DEFAULTS)?;
    let plan = GrowPlan {
        player,
        shards: args.shards.unwrap_or(roots.len().clamp(1, 1000) as u32),
        roots,
        positions: args.positions,
        toll: args.toll,
        seed: args.seed,
    };
    say_plan(&RunFolder::create(&args.folder, plan, &store, false)?, "a book")
}
