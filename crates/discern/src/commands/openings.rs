use std::io::Write;
use std::path::PathBuf;

use anyhow::{Result, bail};
use clap::Args as ClapArgs;
use discern_arena::openings::{Opening, Selection};
use discern_players::{Defaults, GRAMMAR, PROGRAM, PlayerSpec, WeightStore};
use discern_records::Limits;
use discern_search::StopFlag;
use indicatif::{ProgressBar, ProgressStyle};

use super::whole_file::WholeFile;

/// Find nearly even openings to begin tournament games with.
///
/// By default as in the paper: 100 positions with 14 discs, different up to
/// symmetry and after seven moves, whose value at 11 plies lies within ±0.4
/// logits. The same seed gives the same openings for any number of threads.
#[derive(ClapArgs)]
#[command(after_long_help = format!("{GRAMMAR}

Here a player needs nothing but a model, and a depth if it is not to be --depth.

Examples:
  discern openings -o even.txt
  discern openings --count 20 --depth 6 --seed 7
  discern openings --player rev,depth=8 --threads 2 -o by-rev.txt
  discern tournament --openings even.txt --player log --player material --depth 4"))]
pub struct Args {
    /// Who values the positions (see --help)
    #[arg(long, value_name = "PLAYER", default_value = "log")]
    player: PlayerSpec,
    /// Positions to search at a time
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=256))]
    threads: u16,
    /// How many
    #[arg(long, value_name = "N", default_value_t = 100, value_parser = clap::value_parser!(u32).range(1..=100_000))]
    count: u32,
    /// Discs of the positions
    #[arg(long, value_name = "N", default_value_t = 14, value_parser = clap::value_parser!(u32).range(5..=24))]
    discs: u32,
    /// Largest value for either side, in logits
    #[arg(long, value_name = "LOGITS", default_value_t = 0.4, value_parser = bound)]
    bound: f64,
    /// Depth of the value in plies
    #[arg(long, value_name = "N", default_value_t = 11, value_parser = clap::value_parser!(u32).range(1..=30))]
    depth: u32,
    /// Chooses among all possible sets
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
    let store = WeightStore::new();
    let mut player = args.player.clone();
    let limits = Limits::depth(args.depth);
    player.fill(&Defaults { limits, hash_mebibytes: 64, endgame: None, randomness: None });
    store.settle(&mut player)?;
    player.check()?;
    let (Some(depth), 1) = (player.limits.depth, player.threads()) else {
        bail!("{}: openings are valued at a depth, each by one thread", player.name);
    };
    let selection = Selection {
        count: args.count as usize,
        plies: args.discs as usize - 4,
        bound: args.bound,
        depth,
        seed: args.seed,
        ..Selection::default()
    };
    let file =
        args.output.as_deref().map(|path| WholeFile::create(path, args.force)).transpose()?;
    // Positions are searched side by side, each by one thread: that is the
    // same for any number of threads.
    let engine = player.as_engine()?;
    let mut engines =
        (0..args.threads).map(|_| engine.engine(&store)).collect::<Result<Vec<_>, _>>()?;
    let style = ProgressStyle::with_template("{bar:40} {pos}/{len} openings, {eta} left")
        .expect("a valid template");
    let bar = ProgressBar::new(u64::from(args.count)).with_style(style);
    let told = |found: usize| bar.set_position(found as u64);
    let openings = selection.find(&[], &mut engines, &StopFlag::new(), told);
    bar.finish_and_clear();
    if openings.len() < selection.count {
        bail!("only {} such openings were found", openings.len());
    }
    let text = text(&player, &selection, &openings);
    match file {
        Some(mut file) => {
            file.write_all(text.as_bytes())?;
            file.finish()?;
        }
        None => std::io::stdout().write_all(text.as_bytes())?,
    }
    Ok(())
}

fn bound(text: &str) -> Result<f64, String> {
    match text.parse() {
        Ok(logits) if logits >= 0.0 => Ok(logits),
        _ => Err("a number of logits from 0 on".into()),
    }
}

/// A manifest as comments, and a transcript with its value per line.
fn text(player: &PlayerSpec, selection: &Selection, openings: &[Opening]) -> String {
    let Selection { count, plies, apart_after, bound, depth, seed } = selection;
    let discs = plies + 4;
    let mut text = format!(
        "% {count} openings with {discs} discs, |value| <= {bound} logits at {depth} plies for the side to move,\n\
         % different up to symmetry, no two alike after {apart_after} moves\n\
         % made by {PROGRAM} openings --player {player} --count {count} --discs {discs} --bound {bound} --seed {seed}\n",
    );
    for Opening { game, value } in openings {
        text.push_str(&format!("{game} % {value}\n"));
    }
    text
}
