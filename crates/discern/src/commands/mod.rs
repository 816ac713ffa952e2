//! The command line: one module per subcommand, each with its `Args` and a
//! `run` that does the work.

mod fit;
mod model_file;
mod predict;
mod whole_file;

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
    Fit(fit::Args),
    Predict(predict::Args),
}

impl Cli {
    /// Runs the chosen subcommand.
    pub fn run(self) -> anyhow::Result<()> {
        match self.command {
            Command::Fit(args) => fit::run(args),
            Command::Predict(args) => predict::run(args),
        }
    }
}
