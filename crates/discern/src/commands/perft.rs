use std::time::Instant;

use anyhow::Result;
use clap::Args as ClapArgs;
use discern_board::{Position, perft};
use serde_json::json;

use crate::output::show;

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

pub fn run(Args { depth, from, json }: Args) -> Result<()> {
    let start = Instant::now();
    let nodes = perft(from.board, depth);
    let seconds = start.elapsed().as_secs_f64();
    show(json, &json!({ "depth": depth, "nodes": nodes, "seconds": seconds }), |out| {
        let speed = nodes as f64 / seconds / 1e6;
        writeln!(out, "depth {depth}: {nodes} paths in {seconds:.3} s ({speed:.0} million/s)")
    })
}
