use std::path::PathBuf;

use anyhow::{Result, bail};
use clap::Args as ClapArgs;
use discern_arena::openings::Selection;
use discern_players::{GRAMMAR, PROGRAM, PlayerSpec};
use discern_search::StopFlag;

use crate::output::write_to;
use crate::progress::bar;
use crate::values::not_negative;

/// Find nearly even openings to begin tournament games with.
///
/// By default as in the paper: 100 positions with 14 discs, different up to
/// symmetry and after seven moves, whose value at 11 plies lies within ±0.4
/// logits. The same seed gives the same openings for any number of threads.
#[derive(ClapArgs)]
#[command(after_long_help = format!("{GRAMMAR}

A player needs only a model here; its depth, if given, overrides --depth.

Examples:
  discern openings -o even.txt
  discern openings --count 20 --depth 6 --seed 7
  discern openings --player rev,depth=8 --threads 2 -o by-rev.txt
  discern tournament --openings even.txt --player log --player material --depth 4"))]
pub struct Args {
    /// Player that values the positions (see --help)
    #[arg(long, value_name = "PLAYER", default_value = "log")]
    player: PlayerSpec,
    /// Positions to search at a time
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=256))]
    threads: u16,
    /// Number of openings
    #[arg(long, value_name = "N", default_value_t = 100, value_parser = clap::value_parser!(u32).range(1..=100_000))]
    count: u32,
    /// Discs of the positions
    #[arg(long, value_name = "N", default_value_t = 14, value_parser = clap::value_parser!(u32).range(5..=24))]
    discs: u32,
    /// Largest value for either side, in logits
    #[arg(long, value_name = "LOGITS", default_value_t = 0.4, value_parser = not_negative)]
    bound: f64,
    /// Depth of the value in plies
    #[arg(long, value_name = "N", default_value_t = 11, value_parser = clap::value_parser!(u32).range(1..=30))]
    depth: u32,
    /// Seed of the choice
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
    /// File to write, one transcript a line [default: standard output]
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
    /// Replace the file if it exists
    #[arg(long, requires = "output")]
    force: bool,
}

pub fn run(args: Args) -> Result<()> {
    let mut player = args.player;
    let mut selection = Selection {
        count: args.count as usize,
        plies: args.discs as usize - 4,
        bound: args.bound,
        depth: args.depth,
        seed: args.seed,
        ..Selection::default()
    };
    let mut engines = selection.engines(&mut player, args.threads.into())?;
    write_to(args.output.as_deref(), args.force, |out| {
        let bar = bar(u64::from(args.count), "openings");
        let progress = |found: usize| bar.set_position(found as u64);
        let openings = selection.find(&[], &mut engines, &StopFlag::new(), progress);
        bar.finish_and_clear();
        if openings.len() < selection.count {
            bail!("only {} such openings were found", openings.len());
        }
        let text = selection.text(&openings, &format!("{PROGRAM} openings --player {player}"));
        Ok(out.write_all(text.as_bytes())?)
    })
}
