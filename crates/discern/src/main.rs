//! Discern learns evaluation functions for games from classified positions,
//! proves in tournaments which one is stronger, and plays.
//!
//! The program parses, calls and prints; how anything is computed is the
//! business of the libraries. One file per subcommand lives in `commands/`; what
//! several of them share stands beside this file. Here one is picked, and its outcome turned into an
//! exit code: 0 done, 1 failed, 2 wrong usage.

/// Talks to people; a log on a full disk must not end the work, as it would with the macro of this
/// name that everybody knows.
macro_rules! eprintln {
    ($($words:tt)*) => {{
        use std::io::Write as _;
        let _ = writeln!(std::io::stderr(), $($words)*);
    }};
}

mod commands;
mod cpu;
mod engine_args;
mod output;
mod place;
mod progress;
mod signals;
mod values;

use std::process::ExitCode;

fn main() -> ExitCode {
    cpu::check();
    run()
}

// Not part of `main`, whose first instructions must run on every processor.
#[inline(never)]
fn run() -> ExitCode {
    discern_players::Build::set_commit(env!("DISCERN_COMMIT"));
    match commands::Cli::read().run() {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) if is_broken_pipe(&error) => ExitCode::SUCCESS,
        Err(error) => {
            // The sentence may quote a file: a terminal must not obey it.
            eprintln!("discern: {}", discern_files::printable(&format!("{error:#}")));
            ExitCode::FAILURE
        }
    }
}

/// The reader of our output (`head`, a pager) went away: that is success.
fn is_broken_pipe(error: &anyhow::Error) -> bool {
    error.chain().any(|cause| {
        cause
            .downcast_ref::<std::io::Error>()
            .is_some_and(|io| io.kind() == std::io::ErrorKind::BrokenPipe)
    })
}
