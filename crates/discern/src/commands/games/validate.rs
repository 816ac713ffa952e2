use anyhow::{Result, ensure};
use clap::Args as ClapArgs;

use super::input::{Input, refuse_faults, report};
use crate::output::show;

/// Read everything and report every fault with its place.
///
/// Fails (exit code 1) if a file is damaged or cut, or a game illegal.
/// Unfinished games are reported but are no fault.
#[derive(ClapArgs)]
#[command(after_help = "Examples:
  discern games validate all.games
  discern games validate wthor/ --json")]
pub struct Args {
    #[command(flatten)]
    input: Input,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

pub fn run(args: Args) -> Result<()> {
    let findings = args.input.read(|_, _, _| Ok(()))?;
    if !args.json {
        report(&findings);
    }
    show(args.json, &findings.row(), |out| {
        let (games, unfinished) = (findings.games, findings.unfinished());
        let faults = findings.counted_faults();
        writeln!(out, "{games} games good, {unfinished} of them unfinished; {faults}")
    })?;
    refuse_faults(&findings, "")?;
    ensure!(findings.tails.is_empty(), "the end of an archive is missing");
    Ok(())
}
