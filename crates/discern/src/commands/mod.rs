//! The command line: one module per subcommand, each with its `Args` and a
//! `run` that does the work.

mod compare;
mod fit_positions;
mod perft;

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
    Compare(compare::Args),
    FitPositions(fit_positions::Args),
    Perft(perft::Args),
}

impl Cli {
    /// Runs the chosen subcommand.
    pub fn run(self) -> anyhow::Result<()> {
        match self.command {
            Command::Compare(args) => compare::run(args),
            Command::FitPositions(args) => fit_positions::run(args),
            Command::Perft(args) => perft::run(args),
        }
    }
}
