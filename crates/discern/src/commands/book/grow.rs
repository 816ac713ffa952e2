use std::path::PathBuf;
use std::time::Duration;

use anyhow::{Context, Result, bail};
use clap::Args as ClapArgs;
use discern_board::Board;
use discern_book::Growth;
use discern_records::parse_game;

use super::judge_args::{JudgeArgs, Stop, duration};
use super::open_workshop;
use super::progress::Progress;

/// Grow a book where it matters.
///
/// Each step examines the move that could change the decision at the root
/// soonest: the one for which both sides together give away least on the way. With limits in depth or nodes a book of N positions has the same bytes
/// every time, with any number of threads. It may be killed at any moment.
#[derive(ClapArgs)]
#[command(after_help = "Examples:
  discern book grow my.book --time 1h
  discern book grow my.book --positions 20000 --depth 14
  discern book grow my.book --time 10m --from f5f6e6f4   only in this opening")]
pub struct Args {
    /// The book; it is begun if there is none
    book: PathBuf,
    /// How long: 90s, 30m, 1.5h
    #[arg(long, value_name = "TIME", value_parser = duration)]
    time: Option<Duration>,
    /// Until the book has this many positions
    #[arg(long, value_name = "N")]
    positions: Option<usize>,
    /// Grow after these moves instead of from the start; may be repeated
    #[arg(long, value_name = "MOVES")]
    from: Vec<String>,
    /// What a ply costs beside what it gives away, in percent: more makes a
    /// broader book with shorter lines
    #[arg(long, value_name = "PERCENT", default_value_t = 0.4)]
    toll: f64,
    #[command(flatten)]
    judge: JudgeArgs,
}

pub fn run(args: Args) -> Result<()> {
    if args.time.is_none() && args.positions.is_none() {
        bail!("give --time or --positions");
    }
    if !(0.0..=100.0).contains(&args.toll) {
        bail!("--toll: a number from 0 to 100 percent");
    }
    let root = |moves: &String| Ok(parse_game(moves)?.position().board);
    let roots: Vec<Board> = match args.from.as_slice() {
        [] => vec![Board::START],
        from => from.iter().map(root).collect::<Result<_>>()?,
    };
    if roots.iter().any(|root| root.moves().is_empty()) {
        bail!("no side can move after these moves");
    }
    let growth = Growth {
        roots,
        toll: (args.toll * 1000.0).round() as u32,
        least_empties: args.judge.solve,
        positions: args.positions.unwrap_or(usize::MAX),
    };
    let stop = Stop::after(args.time)?;
    let is_due = || stop.is_due();
    let mut crew = args.judge.crew(&is_due)?;
    let mut workshop = open_workshop(&args.book)?;
    let from = if args.from.is_empty() {
        String::new()
    } else {
        format!(" from {}", args.from.join(", "))
    };
    workshop.note(&format!("grow{from}: {}, toll {} %", args.judge.described()?, args.toll));
    let mut progress = Progress::new();
    let grown = growth.grow(&mut workshop, &mut crew, |growing| progress.show(growing));
    let grown = grown.with_context(|| args.book.display().to_string())?;
    let graph = workshop.finish().with_context(|| args.book.display().to_string())?;
    progress.finish(grown, graph.len());
    Ok(())
}
