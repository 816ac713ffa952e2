use std::io::Write;

use anyhow::{Context, Result};
use clap::Args as ClapArgs;
use discern_board::{Board, Score};
use discern_records::obf::ObfPosition;
use discern_search::{Limits, Report, StopFlag};
use serde::Serialize;

use crate::engine_args::EngineArgs;
use crate::positions::read_problems;

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
    /// Only tell win, draw or loss, which is faster
    #[arg(long)]
    wdl: bool,
    #[command(flatten)]
    engine: EngineArgs,
    /// Print one JSON object a line
    #[arg(long)]
    json: bool,
}

#[derive(Serialize)]
struct Solution {
    index: usize,
    empties: u32,
    #[serde(skip_serializing_if = "Option::is_none")]
    score: Option<i32>,
    outcome: String,
    /// `None` if the game is over.
    #[serde(rename = "move")]
    mv: Option<String>,
    pv: String,
    nodes: u64,
    seconds: f64,
}

pub fn run(args: Args) -> Result<()> {
    let problems = read_problems(&args.positions)?;
    let mut engine = args.engine.engine()?;
    let limits = if args.wdl { Limits::SOLVE_OUTCOME } else { Limits::SOLVE };
    let mut stdout = std::io::stdout().lock();
    if !args.json {
        writeln!(stdout, "  #  empties  result  move        nodes      time      nodes/s  line")?;
    }
    let mut totals = Totals::default();
    for (index, problem) in problems.iter().enumerate() {
        engine.forget();
        let board = problem.position.board;
        let report = engine.search(&board, &limits, &StopFlag::new(), &mut |_| {});
        let solution = Solution::new(index, &board, &report)?;
        totals.add(index, problem, &report);
        if args.json {
            writeln!(stdout, "{}", serde_json::to_string(&solution)?)?;
        } else {
            let result = solution.score.map_or(solution.outcome.clone(), |s| format!("{s:+}"));
            writeln!(
                stdout,
                "{index:>3}  {:>7}  {result:>6}  {:>4} {:>12} {:>7.3} s {:>8.1} M/s  {}{}",
                solution.empties,
                solution.mv.as_deref().unwrap_or("–"),
                solution.nodes,
                solution.seconds,
                report.nodes_per_second() / 1e6,
                solution.pv,
                if agrees(problem, &report) { "" } else { "  (the file has another score)" },
            )?;
        }
        stdout.flush()?;
    }
    if !args.json {
        totals.print(&mut stdout)?;
    }
    Ok(())
}

impl Solution {
    fn new(index: usize, board: &Board, report: &Report) -> Result<Solution> {
        let empties = board.empties();
        if board.is_over() {
            let score = board.final_score();
            return Ok(Solution {
                index,
                empties,
                score: Some(score.discs()),
                outcome: score.outcome().to_string(),
                mv: None,
                pv: String::new(),
                nodes: report.nodes,
                seconds: report.time.as_secs_f64(),
            });
        }
        let best = report.best().context("a position with a move has a solution")?;
        let outcome = best.outcome().context("a solve without limits proves its outcome")?;
        Ok(Solution {
            index,
            empties,
            score: best.score().map(Score::discs),
            outcome: outcome.to_string(),
            mv: Some(best.mv.to_string()),
            pv: best.pv.iter().map(ToString::to_string).collect(),
            nodes: report.nodes,
            seconds: report.time.as_secs_f64(),
        })
    }
}

/// Does the file know the same score or outcome, or none at all?
fn agrees(problem: &ObfPosition, report: &Report) -> bool {
    let Some(known) = problem.best else { return true };
    match report.best() {
        None => problem.position.board.final_score() == known,
        Some(best) => match best.score() {
            Some(score) => score == known,
            None => best.outcome() == Some(known.outcome()),
        },
    }
}

#[derive(Default)]
struct Totals {
    nodes: u64,
    seconds: f64,
    compared: usize,
    agreed: usize,
    others: Vec<String>,
}

impl Totals {
    fn add(&mut self, index: usize, problem: &ObfPosition, report: &Report) {
        self.nodes += report.nodes;
        self.seconds += report.time.as_secs_f64();
        if problem.best.is_some() {
            self.compared += 1;
            match agrees(problem, report) {
                true => self.agreed += 1,
                false => self.others.push(index.to_string()),
            }
        }
    }

    fn print(&self, out: &mut impl Write) -> Result<()> {
        let speed = self.nodes as f64 / self.seconds.max(1e-9) / 1e6;
        let nodes = self.nodes as f64 / 1e6;
        writeln!(out, "all: {nodes:.1} million nodes in {:.2} s, {speed:.1} M/s", self.seconds)?;
        if self.compared > 0 {
            writeln!(out, "{} of {} known scores agree", self.agreed, self.compared)?;
        }
        if !self.others.is_empty() {
            writeln!(out, "other scores in positions {}", self.others.join(", "))?;
        }
        Ok(())
    }
}
