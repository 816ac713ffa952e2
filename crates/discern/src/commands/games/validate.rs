use anyhow::Result;
use clap::Args as ClapArgs;
use discern_records::archive::Tail;
use serde_json::json;

use super::input::{Input, plural, refuse_faults, report};
use super::print;

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
    if args.json {
        let unfinished = findings.unfinished.iter();
        let unfinished = unfinished.map(|(file, games)| json!({ "file": file, "games": games }));
        let tails = findings.tails.iter().map(|(file, Tail { offset, bytes, games, .. })| {
            json!({ "file": file, "offset": offset, "bytes": bytes, "games": games })
        });
        let object = json!({
            "games": findings.games,
            "faults": findings.faults.iter().map(ToString::to_string).collect::<Vec<_>>(),
            "unfinished": unfinished.collect::<Vec<_>>(),
            "tails": tails.collect::<Vec<_>>(),
        });
        print(&format!("{object}\n"))?;
    } else {
        report(&findings);
        print(&format!(
            "{} games good, {} of them unfinished; {} {}\n",
            findings.games,
            findings.unfinished(),
            findings.faults.len(),
            plural(findings.faults.len(), "fault")
        ))?;
    }
    refuse_faults(&findings, "")?;
    match findings.tails.len() {
        0 => Ok(()),
        _ => anyhow::bail!("the end of an archive is missing"),
    }
}
