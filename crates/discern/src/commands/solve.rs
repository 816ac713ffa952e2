use std::io::{IsTerminal, Write};
use std::time::Duration;

use anyhow::{Result, bail};
use clap::Args as ClapArgs;
use discern_players::{Solution, SolutionTotals};
use discern_records::read_problems;
use discern_report::{SOLUTIONS_HEAD, solution_line, solving_text, totals_text};
use discern_search::{Limits, MoveTime, StopFlag};
use indicatif::ProgressBar;

use crate::engine_args::{EngineArgs, seconds};
use crate::progress::styled;
use crate::signals::on_signals;

/// Solve endgames: the exact score, or win, draw or loss.
///
/// Ctrl-C ends the solve and prints what is proven so far; a second one ends
/// the program at once.
#[derive(ClapArgs)]
#[command(
    after_help = "A file has one position a line: 64 squares from a1, b1 … to h8 (X black, O white,
- empty), a blank and the side to move. What follows a semicolon are known scores,
which are compared with the solution; % begins a comment.

Where the time is up first, the bounds proven so far are printed: -2…+64 is a score of
at least -2.

Examples:
  discern solve endgames.obf                       exact scores
  discern solve endgames.obf --wdl --threads 2     win, draw or loss, two threads
  discern solve endgames.obf --all-moves           the score of every legal move
  discern solve endgames.obf --time 10             ten seconds for each position
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
    /// Solve every legal move, not only the best one
    #[arg(long)]
    all_moves: bool,
    /// Time for each position in seconds; then the bounds proven so far are printed
    #[arg(long, value_name = "SECONDS", value_parser = seconds)]
    time: Option<Duration>,
    /// Report progress on standard error this often also where it is no terminal [default: 10]
    #[arg(long, value_name = "SECONDS", value_parser = seconds, num_args = 0..=1,
          require_equals = true, default_missing_value = "10")]
    progress: Option<Duration>,
    #[command(flatten)]
    engine: EngineArgs,
    /// Print one JSON object a line
    #[arg(long)]
    json: bool,
}

impl Args {
    fn limits(&self) -> Limits {
        let on_terminal = std::io::stderr().is_terminal().then_some(Duration::from_millis(500));
        Limits {
            lines: if self.all_moves { 64 } else { 1 },
            time: self.time.map(MoveTime::fixed),
            insist: true,
            tick: self.progress.or(on_terminal),
            ..if self.wdl { Limits::SOLVE_OUTCOME } else { Limits::SOLVE }
        }
    }
}

pub fn run(args: Args) -> Result<()> {
    let problems = read_problems(&args.positions)?;
    let mut engine = args.engine.engine()?;
    let limits = args.limits();
    let stop = StopFlag::new();
    let flag = stop.clone();
    // First signal: print what is known; second: end at once.
    on_signals(move |before, signal| match before {
        0 => flag.stop(),
        _ => std::process::exit(128 + signal),
    })?;
    let mut stdout = std::io::stdout().lock();
    if !args.json {
        writeln!(stdout, "{SOLUTIONS_HEAD}")?;
    }
    let mut totals = SolutionTotals::default();
    for (index, problem) in problems.iter().enumerate() {
        engine.forget();
        let live = styled(ProgressBar::new_spinner(), "{spinner} {wide_msg}");
        let report = engine.search(&problem.position.board, &limits, &stop, &mut |report| {
            let text = format!("{index}: {}", solving_text(report));
            match args.progress {
                Some(_) if report.proof.is_some() => eprintln!("{text}"),
                _ => live.set_message(text),
            }
        });
        live.finish_and_clear();
        let solution = Solution::new(index, problem, &report, args.all_moves);
        if args.json {
            writeln!(stdout, "{}", serde_json::to_string(&solution)?)?;
        } else {
            writeln!(stdout, "{}", solution_line(&solution))?;
        }
        totals.add(&solution);
        stdout.flush()?;
        if stop.is_stopped() && report.interrupted {
            bail!("interrupted: {} of {} positions solved", totals.solved, problems.len());
        }
    }
    if !args.json {
        write!(stdout, "{}", totals_text(&totals))?;
    }
    Ok(())
}
