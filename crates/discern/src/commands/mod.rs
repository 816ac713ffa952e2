//! The command line: one module per subcommand, each with its `Args` and a
//! `run` that does the work.

/// Makes a list of subcommands: each with its arguments and what runs it.
macro_rules! commands {
    ($($(#[$attribute:meta])* $name:ident($args:ty) => $run:expr,)*) => {
        #[derive(clap::Subcommand)]
        enum Command {
            $($(#[$attribute])* $name(Box<$args>),)*
        }

        impl Command {
            fn run(self) -> anyhow::Result<()> {
                match self {
                    $(Command::$name(args) => $run(*args),)*
                }
            }
        }
    };
}

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
mod over_games;
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

use clap::{CommandFactory, FromArgMatches, Parser};

/// Learn evaluation functions for games, prove which is stronger, and play.
#[derive(Parser)]
#[command(name = "discern", version, propagate_version = true)]
pub struct Cli {
    #[command(subcommand)]
    command: Option<Command>,
}

commands! {
    Analyze(analyze::Args) => analyze::run,
    Bench(bench::Args) => bench::run,
    Calibrate(calibrate::Args) => calibrate::run,
    Book(book::Args) => book::run,
    Classify(classify::Args) => classify::run,
    Compare(compare::Args) => compare::run,
    Completions(completions::Args) => completions::run,
    Correct(correct::Args) => correct::run,
    Fit(fit::Args) => fit::run,
    Games(games::Args) => games::run,
    Generate(generate::Args) => generate::run,
    Gtp(gtp::Args) => gtp::run,
    Label(label::Args) => label::run,
    #[command(hide = true)]
    Manual(manual::Args) => manual::run,
    Nboard(nboard::Args) => nboard::run,
    Openings(openings::Args) => openings::run,
    Perft(perft::Args) => perft::run,
    Play(play::Args) => play::run,
    Predict(predict::Args) => predict::run,
    Report(report::Args) => report::run,
    Reproduce(reproduce::Args) => reproduce::run,
    Review(review::Args) => review::run,
    Serve(serve::Args) => serve::run,
    Solve(solve::Args) => solve::run,
    Tournament(tournament::Args) => tournament::run,
    Train(train::Args) => train::run,
}

/// What to quote in a report: version, commit, and the processors it is for.
const VERSION: &str = concat!(
    env!("CARGO_PKG_VERSION"),
    " (commit ",
    env!("DISCERN_COMMIT"),
    ", ",
    env!("DISCERN_LEVEL"),
    ")"
);

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
