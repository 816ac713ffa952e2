//! The command line: one module per subcommand, each with its `Args` and a
//! `run` that does the work.

mod games;
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
    Games(games::Args),
    Perft(perft::Args),
}

impl Cli {
    /// Runs the chosen subcommand.
    pub fn run(self) -> anyhow::Result<()> {
        match self.command {
            Command::Games(args) => games::run(args),
            Command::Perft(args) => perft::run(args),
        }
    }
}
