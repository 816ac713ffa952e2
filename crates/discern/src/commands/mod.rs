//! The command line: one module per subcommand, each with its `Args` and a
//! `run` that does the work.

mod perft;
mod solve;

use clap::{Parser, Subcommand};

/// Learn evaluation functions for games, prove which is stronger, and play.
#[derive(Parser)]
#[command(name = "discern", version, about, propagate_version = true)]
pub struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    Perft(perft::Args),
    Solve(solve::Args),
}

impl Cli {
    /// Runs the chosen subcommand.
    pub fn run(self) -> anyhow::Result<()> {
        match self.command {
            Command::Perft(args) => perft::run(args),
            Command::Solve(args) => solve::run(args),
        }
    }
}
