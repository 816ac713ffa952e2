use std::io::Write;

use anyhow::{Context, Result};
use clap::Args as ClapArgs;
use discern_players::{Solution, SolutionTotals};
use discern_records::read_problems;
use discern_report::{SOLUTIONS_HEAD, solution_line, totals_text};
use discern_search::{Limits, StopFlag};

use crate::engine_args::EngineArgs;

/// Solve endgames: the exact score, or win, draw or loss.
#[derive(ClapArgs)]
#[command(
    after_help = "A file has one position a line: 64 squares from a1, b1 … to h8 (X black, O white,
- empty), a blank and the side to move. What follows a semicolon are known scores,
which are compared with the solution; % begins a comment.

Examples:
  discern solve endgames.obf                       exact scores
  discern solve endgames.obf --wdl --threads 2     win, draw or loss, two threads
  discern solve endgames.obf --json                one JSON object a line
  discern solve - < endgames.obf                   from standard input"
)]
pub struct Args {
    /// File of positions in OBF, a position or the moves that lead to it, or - for standard input
    #[arg(value_name = "FILE_OR_POSITION", allow_hyphen_values = true)]
    positions: String,
    /// Solve only for win, draw or loss, which is faster
    #[arg(long)]
    wdl: bool,
    #[command(flatten)]
    engine: EngineArgs,
    /// Print one JSON object a line
    #[arg(long)]
    json: bool,
}

pub fn run(args: Args) -> Result<()> {
    let problems = read_problems(&args.positions)?;
    let mut engine = args.engine.engine()?;
    let limits = if args.wdl { Limits::SOLVE_OUTCOME } else { Limits::SOLVE };
    let mut stdout = std::io::stdout().lock();
    if !args.json {
        writeln!(stdout, "{SOLUTIONS_HEAD}")?;
    }
    let mut totals = SolutionTotals::default();
    for (index, problem) in problems.iter().enumerate() {
        engine.forget();
        let board = problem.position.board;
        let report = engine.search(&board, &limits, &StopFlag::new(), &mut |_| {});
        let solution = Solution::new(index, problem, &report)
            .context("a solve without limits proves its outcome")?;
        if args.json {
            writeln!(stdout, "{}", serde_json::to_string(&solution)?)?;
        } else {
            writeln!(stdout, "{}", solution_line(&solution))?;
        }
        totals.add(&solution);
        stdout.flush()?;
    }
    if !args.json {
        write!(stdout, "{}", totals_text(&totals))?;
    }
    Ok(())
}
