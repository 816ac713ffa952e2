use anyhow::Result;
use clap::Args as ClapArgs;
use discern_records::{Findings, GameCounts};
use discern_report::games_text;

use super::input::{Input, refuse_faults, report};
use crate::output::show;

/// Count games, players, results, lengths and openings.
#[derive(ClapArgs)]
#[command(after_help = "Examples:
  discern games summary all.games
  discern games summary wthor/ --top 20 --opening-moves 8
  discern games summary all.games --json")]
pub struct Args {
    #[command(flatten)]
    input: Input,
    /// How many players and openings to list
    #[arg(long, default_value_t = 10)]
    top: usize,
    /// How many moves make an opening
    #[arg(long, default_value_t = 7)]
    opening_moves: usize,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

pub fn run(args: Args) -> Result<()> {
    let mut counts = GameCounts::new(args.opening_moves);
    let findings = args.input.read(|record, _, _| {
        counts.add(&record);
        Ok(())
    })?;
    let summary = counts.summary(&findings, args.top, |moves| {
        discern_book::opening_of(&moves.parse().ok()?).map(|opening| opening.name)
    });
    show(args.json, &summary, |out| write!(out, "{}", games_text(&summary)))?;
    let findings = Findings { unfinished: Vec::new(), ..findings };
    report(&findings);
    refuse_faults(&findings, "")
}
