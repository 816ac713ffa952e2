//! The command line: one module per subcommand, each with its `Args` and a
//! `run` that does the work.

mod analyze;
mod bench;
mod games;
mod gtp;
mod nboard;
mod openings;
mod perft;
mod play;
mod solve;
mod tournament;

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
    Analyze(analyze::Args),
    Bench(bench::Args),
    Games(games::Args),
    Gtp(gtp::Args),
    Nboard(nboard::Args),
    Openings(openings::Args),
    Perft(perft::Args),
    Play(play::Args),
    Solve(solve::Args),
    Tournament(tournament::Args),
}

impl Cli {
    /// Runs the chosen subcommand.
    pub fn run(self) -> anyhow::Result<()> {
        match self.command {
            Command::Analyze(args) => analyze::run(args),
            Command::Bench(args) => bench::run(args),
            Command::Games(args) => games::run(args),
            Command::Gtp(args) => gtp::run(args),
            Command::Nboard(args) => nboard::run(args),
            Command::Openings(args) => openings::run(args),
            Command::Perft(args) => perft::run(args),
            Command::Play(args) => play::run(args),
            Command::Solve(args) => solve::run(args),
            Command::Tournament(args) => tournament::run(args),
        }
    }
}
