//! The speed of the search.

use std::io::{Result, Write};

use discern_board::flips::KERNEL;
use discern_search::{Benchmark, Effort};
use serde::Serialize;

/// What a benchmark found, for programs.
#[derive(Debug, Clone, Copy, Serialize)]
pub struct BenchmarkRow {
    kernel: &'static str,
    signature: u64,
    midgame: EffortRow,
    endgame: EffortRow,
}

#[derive(Debug, Clone, Copy, Serialize)]
struct EffortRow {
    nodes: u64,
    seconds: f64,
    nodes_per_second: f64,
}

impl From<&Benchmark> for BenchmarkRow {
    fn from(found: &Benchmark) -> BenchmarkRow {
        let row = |effort: &Effort| EffortRow {
            nodes: effort.nodes,
            seconds: effort.time.as_secs_f64(),
            nodes_per_second: effort.speed(),
        };
        BenchmarkRow {
            kernel: KERNEL,
            signature: found.signature(),
            midgame: row(&found.midgame),
            endgame: row(&found.endgame),
        }
    }
}

/// Writes nodes and speed of each part, and the signature.
///
/// # Errors
/// If `out` fails.
pub fn print_benchmark(out: &mut dyn Write, row: &BenchmarkRow) -> Result<()> {
    for (name, part) in [("midgame", &row.midgame), ("endgame", &row.endgame)] {
        let EffortRow { nodes, seconds, nodes_per_second } = part;
        let speed = nodes_per_second / 1e6;
        writeln!(out, "{name:9} {nodes:>12} nodes {seconds:>7.3} s {speed:>6.1} million/s")?;
    }
    writeln!(out, "kernel    {}\nsignature {}", row.kernel, row.signature)
}
