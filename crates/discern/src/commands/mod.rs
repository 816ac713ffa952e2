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
mod label;
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

/// Makes the list of subcommands: one line each, a module with `Args` and `run`.
macro_rules! commands {
    ($($(#[$attribute:meta])* $name:ident => $module:ident,)*) => {
        #[derive(Subcommand)]
        enum Command {
            $($(#[$attribute])* $name(Box<$module::Args>),)*
        }

        impl Command {
            fn run(self) -> anyhow::Result<()> {
                match self {
                    $(Command::$name(args) => $module::run(*args),)*
                }
            }
        }
    };
}

commands! {
    Analyze => analyze,
    Bench => bench,
    Calibrate => calibrate,
    Book => book,
    Classify => classify,
    Compare => compare,
    Completions => completions,
    Correct => correct,
    Fit => fit,
    Games => games,
    Generate => generate,
    Gtp => gtp,
    Label => label,
    #[command(hide = true)]
    Manual => manual,
    Nboard => nboard,
    Openings => openings,
    Perft => perft,
    Play => play,
    Predict => predict,
    Report => report,
    Reproduce => reproduce,
    Review => review,
    Serve => serve,
    Solve => solve,
    Tournament => tournament,
    Train => train,
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
        match self.command {
            Some(command) => command.run(),
            None => Ok(overview::greeting(Cli::command()).print_help()?),
        }
    }
}
