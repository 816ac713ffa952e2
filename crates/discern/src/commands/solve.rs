use std::path::PathBuf;
use std::time::Duration;

use anyhow::{Context, Result};
use clap::Args as ClapArgs;
use discern_board::{Board, Position, Score};
use discern_eval::Rev;
use discern_search::{Limits, Options, Searcher, StopFlag};
use serde::Serialize;

/// Solve endgame positions: exact score, or win, draw or loss.
#[derive(ClapArgs)]
pub struct Args {
    /// Positions, one a line: 64 squares, the side to move, known scores
    file: PathBuf,
    /// Only tell win, draw or loss
    #[arg(long)]
    wdl: bool,
    /// Threads
    #[arg(long, default_value_t = 1)]
    threads: usize,
    /// Size of the transposition table in MiB
    #[arg(long, default_value_t = 512)]
    hash: usize,
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
    #[serde(rename = "move")]
    mv: String,
    pv: String,
    nodes: u64,
    seconds: f64,
}

pub fn run(args: Args) -> Result<()> {
    let text = std::fs::read_to_string(&args.file)
        .with_context(|| format!("cannot read {}", args.file.display()))?;
    let options = Options { threads: args.threads, table_mebibytes: args.hash };
    let mut searcher = Searcher::new(Rev::default(), options)?;
    let limits = if args.wdl { Limits::SOLVE_OUTCOME } else { Limits::SOLVE };
    let (mut nodes, mut time) = (0, Duration::ZERO);
    let mut index = 0;
    for (number, line) in text.lines().enumerate() {
        let line = line.split('%').next().unwrap_or("").trim();
        if line.is_empty() {
            continue;
        }
        let mut fields = line.split(';');
        let position: Position =
            fields.next().unwrap_or("").parse().with_context(|| format!("line {}", number + 1))?;
        let expected =
            fields.filter_map(|f| f.rsplit(':').next()?.trim().parse::<i32>().ok()).max();
        let board: Board = position.board;
        searcher.forget();
        let report = searcher.search(&board, &limits, &StopFlag::new(), |_| {});
        let best = report.best().context("nothing to solve")?;
        nodes += report.nodes;
        time += report.time;
        let score = best.score().map(Score::discs);
        let solution = Solution {
            index,
            empties: board.empties(),
            score,
            outcome: best.outcome().context("unproven")?.to_string(),
            mv: best.mv.to_string(),
            pv: best.pv.iter().map(|mv| mv.to_string()).collect(),
            nodes: report.nodes,
            seconds: report.time.as_secs_f64(),
        };
        if args.json {
            println!("{}", serde_json::to_string(&solution)?);
        } else {
            println!(
                "{:3} {:2} {:?} {} {} {:12} nodes {:8.3} s {:6.1} M/s {}",
                index,
                solution.empties,
                score,
                solution.outcome,
                solution.mv,
                report.nodes,
                solution.seconds,
                report.nodes_per_second() / 1e6,
                if score.is_some() && expected.is_some() && score != expected {
                    format!("WRONG {expected:?}")
                } else {
                    String::new()
                }
            );
        }
        index += 1;
    }
    println!(
        "total {:.3}e9 nodes {:.2} s {:.1} M/s",
        nodes as f64 / 1e9,
        time.as_secs_f64(),
        nodes as f64 / time.as_secs_f64() / 1e6
    );
    Ok(())
}
