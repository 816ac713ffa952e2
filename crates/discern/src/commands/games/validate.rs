use anyhow::Result;
use clap::Args as ClapArgs;
use serde::Serialize;

use super::input::{Findings, Input, plural};
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

#[derive(Serialize)]
struct Report {
    games: u64,
    faults: Vec<String>,
    unfinished: Vec<Unfinished>,
    tails: Vec<UnfinishedBlock>,
}

#[derive(Serialize)]
struct Unfinished {
    file: String,
    games: Vec<u64>,
}

#[derive(Serialize)]
struct UnfinishedBlock {
    file: String,
    offset: u64,
    bytes: u64,
    games: u32,
}

impl From<&Findings> for Report {
    fn from(findings: &Findings) -> Report {
        Report {
            games: findings.games,
            faults: findings.faults.iter().map(|fault| fault.to_string()).collect(),
            unfinished: findings
                .unfinished
                .iter()
                .map(|(path, games)| Unfinished {
                    file: path.display().to_string(),
                    games: games.clone(),
                })
                .collect(),
            tails: findings
                .tails
                .iter()
                .map(|(path, tail)| UnfinishedBlock {
                    file: path.display().to_string(),
                    offset: tail.offset,
                    bytes: tail.bytes,
                    games: tail.games,
                })
                .collect(),
        }
    }
}

pub fn run(args: Args) -> Result<()> {
    let findings = args.input.read(|_, _, _| Ok(()))?;
    if args.json {
        print(&format!("{}\n", serde_json::to_string(&Report::from(&findings))?))?;
    } else {
        findings.report();
        print(&format!(
            "{} games good, {} of them unfinished; {} {}\n",
            findings.games,
            findings.unfinished(),
            findings.faults.len(),
            plural(findings.faults.len(), "fault")
        ))?;
    }
    findings.refuse_faults("")?;
    match findings.tails.len() {
        0 => Ok(()),
        _ => anyhow::bail!("the end of an archive is missing"),
    }
}
