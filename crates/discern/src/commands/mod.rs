//! The command line: one module per subcommand, each with its `Args` and a
//! `run` that does the work.

mod analyze;
mod bench;
mod book;
mod calibrate;
mod classify;
mod compare;
mod completions;
mod correct;
mod fit;
mod games;
mod generate;
mod gtp;
mod jobs;
mod manual;
mod nboard;
mod openings;
mod overview;
mod perft;
mod play;
mod predict;
mod report;
mod reproduce;
mod review;
mod serve;
mod solve;
mod tournament;
mod train;
mod whole_file;

use crate::cpu::level;
use clap::{CommandFactory, FromArgMatches, Parser, Subcommand};

/// Learn evaluation functions for games, prove which is stronger, and play.
#[derive(Parser)]
#[command(name = "discern", version, propagate_version = true)]
pub struct Cli {
    #[command(subcommand)]
    command: Option<Command>,
}

#[derive(Subcommand)]
enum Command {
    Analyze(analyze::Args),
    Bench(bench::Args),
    Calibrate(calibrate::Args),
    Book(book::Args),
    Classify(classify::Args),
    Compare(compare::Args),
    Completions(completions::Args),
    Correct(correct::Args),
    Fit(Box<fit::Args>),
    Games(games::Args),
    Generate(generate::Args),
    Gtp(gtp::Args),
    #[command(hide = true)]
    Manual(manual::Args),
    Nboard(nboard::Args),
    Openings(openings::Args),
    Perft(perft::Args),
    Play(play::Args),
    Predict(predict::Args),
    Report(report::Args),
    Reproduce(reproduce::Args),
    Review(review::Args),
    Serve(serve::Args),
    Solve(solve::Args),
    Tournament(tournament::Args),
    Train(train::Args),
}

/// What to quote in a report: version, commit, and the processors it is for.
const VERSION: &str =
    concat!(env!("CARGO_PKG_VERSION"), " (commit ", env!("DISCERN_COMMIT"), ", ", level!(), ")");

impl Cli {
    /// The command line with its help.
    fn line() -> clap::Command {
        overview::with_groups(Cli::command()).long_version(VERSION)
    }

    /// Reads the arguments; wrong ones end the program.
    pub fn read() -> Cli {
        let mut matches = Cli::line().get_matches();
        Cli::from_arg_matches_mut(&mut matches).unwrap_or_else(|error| error.exit())
    }

    /// Runs the chosen subcommand.
    pub fn run(self) -> anyhow::Result<()> {
        let Some(command) = self.command else {
            return Ok(overview::greeting(Cli::command()).print_help()?);
        };
        match command {
            Command::Analyze(args) => analyze::run(args),
            Command::Bench(args) => bench::run(args),
            Command::Calibrate(args) => calibrate::run(args),
            Command::Book(args) => book::run(args),
            Command::Classify(args) => classify::run(args),
            Command::Compare(args) => compare::run(args),
            Command::Completions(args) => completions::run(args),
            Command::Correct(args) => correct::run(args),
            Command::Fit(args) => fit::run(*args),
            Command::Games(args) => games::run(args),
            Command::Generate(args) => generate::run(args),
            Command::Gtp(args) => gtp::run(args),
            Command::Manual(args) => manual::run(args),
            Command::Nboard(args) => nboard::run(args),
            Command::Openings(args) => openings::run(args),
            Command::Perft(args) => perft::run(args),
            Command::Play(args) => play::run(args),
            Command::Predict(args) => predict::run(args),
            Command::Report(args) => report::run(args),
            Command::Reproduce(args) => reproduce::run(args),
            Command::Review(args) => review::run(args),
            Command::Serve(args) => serve::run(args),
            Command::Solve(args) => solve::run(args),
            Command::Tournament(args) => tournament::run(args),
            Command::Train(args) => train::run(args),
        }
    }
}
