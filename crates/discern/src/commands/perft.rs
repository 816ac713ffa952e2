use std::io::Write;
use std::time::Instant;

use anyhow::Result;
use clap::Args as ClapArgs;
use discern_board::{Position, perft};
use serde::Serialize;

/// Count move paths, the classic check of a move generator.
#[derive(ClapArgs)]
#[command(after_help = "Examples:
  discern perft 9                    paths of nine moves from the start
  discern perft 11 --json            for programs")]
pub struct Args {
    /// Length of the paths; a pass counts as a move
    #[arg(value_parser = clap::value_parser!(u32).range(0..=20))]
    depth: u32,
    /// Position to start from: 64 squares and the side to move
    #[arg(long, value_name = "POSITION", default_value_t = Position::START, allow_hyphen_values = true)]
    from: Position,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

#[derive(Serialize)]
struct Report {
    depth: u32,
    nodes: u64,
    seconds: f64,
}

pub fn run(args: Args) -> Result<()> {
    let start = Instant::now();
    let nodes = perft(args.from.board, args.depth);
    let report = Report { depth: args.depth, nodes, seconds: start.elapsed().as_secs_f64() };
    let mut stdout = std::io::stdout().lock();
    if args.json {
        writeln!(stdout, "{}", serde_json::to_string(&report)?)?;
    } else {
        let per_second = report.nodes as f64 / report.seconds / 1e6;
        writeln!(
            stdout,
            "depth {}: {} paths in {:.3} s ({per_second:.0} million/s)",
            report.depth, report.nodes, report.seconds
        )?;
    }
    Ok(())
}
