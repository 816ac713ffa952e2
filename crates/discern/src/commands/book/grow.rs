use std::path::PathBuf;
use std::time::Duration;

use anyhow::{Result, bail};
use clap::Args as ClapArgs;
use discern_board::Board;
use discern_book::{Growth, Workshop};
use discern_players::time_span;
use discern_records::parse_game;

use super::judge_args::{JudgeArgs, toll};
use super::with_judges;
use crate::place::At;

/// Grow a book where it matters.
///
/// Each step examines the move that could change the decision at the root
/// soonest: the one for which both sides together give away least on the way.
/// With limits in depth or nodes a book of N positions has the same bytes every
/// time, with any number of threads. It may be killed at any moment.
#[derive(ClapArgs)]
#[command(after_help = "Examples:
  discern book grow my.book --time 1h
  discern book grow my.book --positions 20000 --depth 14
  discern book grow my.book --time 10m --from f5f6e6f4   only in this opening")]
pub struct Args {
    /// The book; it is begun if there is none
    book: PathBuf,
    /// How long: 90s, 30m, 1.5h
    #[arg(long, value_name = "TIME", value_parser = time_span)]
    time: Option<Duration>,
    /// Until the book has this many positions
    #[arg(long, value_name = "N")]
    positions: Option<usize>,
    /// Grow after these moves instead of from the start; may be repeated
    #[arg(long, value_name = "MOVES")]
    from: Vec<String>,
    /// What a ply costs beside what it gives away, in percent: more makes a
    /// broader book with shorter lines
    #[arg(long, value_name = "PERCENT", default_value = "0.4", value_parser = toll)]
    toll: u32,
    #[command(flatten)]
    judge: JudgeArgs,
}

pub fn run(args: Args) -> Result<()> {
    if args.time.is_none() && args.positions.is_none() {
        bail!("give --time or --positions");
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
        toll: args.toll,
        least_empties: args.judge.solve,
        positions: args.positions.unwrap_or(usize::MAX),
    };
    let judges = args.judge.judges()?;
    let mut workshop = Workshop::open(&args.book).at(&args.book)?;
    let from = match args.from.as_slice() {
        [] => String::new(),
        moves => format!(" from {}", moves.join(", ")),
    };
    workshop.note(&format!(
        "grow{from}: {}, toll {} %",
        args.judge.described()?,
        f64::from(args.toll) / 1000.0
    ));
    let grown = with_judges(judges, args.time, |crew, progress| {
        let grown = growth.grow(&mut workshop, crew, |growing| progress.show(growing))?;
        let positions = workshop.finish()?.len();
        Ok(progress.watch.end(grown, positions))
    });
    eprintln!("{}", grown.at(&args.book)?);
    Ok(())
}
