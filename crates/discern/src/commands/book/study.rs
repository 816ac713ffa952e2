use std::io::Write;
use std::path::PathBuf;

use anyhow::{Result, bail};
use clap::Args as ClapArgs;
use discern_board::{Board, Dice, Square};
use discern_book::study::{Tally, after, disagreements};
use discern_book::{Judge, Lessons, Who, Workshop, Worth};
use discern_players::EngineJudge;
use discern_records::GameFile;
use discern_report::{Align, TextTable};
use discern_search::Limits;
use serde::Serialize;

use super::judge_args::{JudgeArgs, Stop};
use super::learn::lesson;
use super::progress::Progress;

/// Test the paper's claim: do comparable values choose better book moves?
///
/// Games are entered into a book, each position with its best other move. Then
/// every value is multiplied by a factor of its phase, as weights leave it that
/// were only compared within a phase. Where the two books choose differently,
/// both choices are solved or searched deeper.
#[derive(ClapArgs)]
#[command(after_help = "Example:
  discern book study data/othello.games --count 100 --depth 6 --deeper 10")]
pub struct Args {
    /// Games to make a book of
    #[arg(value_name = "GAMES")]
    games: PathBuf,
    /// How many of them
    #[arg(long, value_name = "N", default_value_t = 100)]
    count: usize,
    /// Every how-manieth game is taken
    #[arg(long, value_name = "N", default_value_t = 1)]
    every: usize,
    /// Plies by which the arbiter looks deeper
    #[arg(long, value_name = "N", default_value_t = 10)]
    deeper: u32,
    /// Disagreements to judge at most, for each kind of factors
    #[arg(long, value_name = "N", default_value_t = 200)]
    most: usize,
    /// Empty squares from which the arbiter solves
    #[arg(long, value_name = "N", default_value_t = 22)]
    arbiter_solves: u32,
    /// Seed of the choice among disagreements and of random factors
    #[arg(long, value_name = "N", default_value_t = 1995)]
    seed: u64,
    #[command(flatten)]
    judge: JudgeArgs,
    /// Print JSON, one object for each kind of factors
    #[arg(long)]
    json: bool,
}

/// How the scale depends on the phase.
#[derive(Clone, Copy)]
enum Factors {
    /// From a half at the start to two at the end.
    Rising,
    /// From two to a half.
    Falling,
    /// For each phase a number between a half and two.
    Random,
}

impl Factors {
    const ALL: [(&'static str, Factors); 3] =
        [("rising", Factors::Rising), ("falling", Factors::Falling), ("random", Factors::Random)];

    fn of(self, discs: u32, seed: u64) -> f64 {
        let exponent = match self {
            Factors::Rising => (f64::from(discs) - 34.0) / 30.0,
            Factors::Falling => (34.0 - f64::from(discs)) / 30.0,
            Factors::Random => Dice::new(&[seed, discs.into()]).below(2001) as f64 / 1000.0 - 1.0,
        };
        exponent.exp2()
    }
}

#[derive(Serialize)]
struct Row {
    factors: &'static str,
    positions: usize,
    disagreements: usize,
    judged: u32,
    comparable_right: u32,
    scaled_right: u32,
    equal: u32,
    share: Option<f64>,
    low: Option<f64>,
    high: Option<f64>,
}

pub fn run(args: Args) -> Result<()> {
    let mut lessons = Vec::new();
    for record in GameFile::open(&args.games, None)?.step_by(args.every.max(1)).take(args.count) {
        lessons.push(lesson(&record?, Who::Engine));
    }
    if lessons.is_empty() {
        bail!("{}: there is no game in it", args.games.display());
    }
    let folder = std::env::temp_dir().join(format!("discern-study-{}", std::process::id()));
    std::fs::create_dir_all(&folder)?;
    let rows = args.study(&folder, lessons);
    std::fs::remove_dir_all(&folder)?;
    let rows = rows?;
    let mut stdout = std::io::stdout().lock();
    if args.json {
        for row in &rows {
            writeln!(stdout, "{}", serde_json::to_string(row)?)?;
        }
        return Ok(());
    }
    let mut table = TextTable::new([
        ("factors", Align::Left),
        ("positions", Align::Right),
        ("disagreements", Align::Right),
        ("comparable right", Align::Right),
        ("scaled right", Align::Right),
        ("equal", Align::Right),
        ("share of comparable", Align::Right),
    ]);
    for row in &rows {
        let share = match (row.share, row.low, row.high) {
            (Some(share), Some(low), Some(high)) => {
                format!("{:.1} % [{:.1}, {:.1}]", 100.0 * share, 100.0 * low, 100.0 * high)
            }
            _ => "–".to_owned(),
        };
        table.row([
            row.factors.to_owned(),
            row.positions.to_string(),
            row.disagreements.to_string(),
            row.comparable_right.to_string(),
            row.scaled_right.to_string(),
            row.equal.to_string(),
            share,
        ]);
    }
    write!(stdout, "{table}")?;
    Ok(())
}

impl Args {
    fn study(
        &self,
        folder: &std::path::Path,
        lessons: Vec<discern_book::Lesson>,
    ) -> Result<Vec<Row>> {
        let stop = Stop::after(None)?;
        let is_due = || stop.is_due();
        let mut crew = self.judge.crew(&is_due)?;
        let mut workshop = Workshop::open(folder.join("study.book"))?;
        let settings = Lessons { least_empties: self.judge.solve, only_count: false };
        let mut progress = Progress::new();
        settings.learn(&mut workshop, &mut crew, lessons, |growing| progress.tell(growing))?;
        progress.clear();
        if is_due() {
            bail!("stopped");
        }
        let graph = workshop.graph();
        let deep = self.judge.limits();
        let limits = Limits {
            depth: deep.depth.map(|depth| depth + self.deeper),
            outcome_empties: self.arbiter_solves,
            score_empties: 0,
            ..deep
        };
        let mut arbiter = self.judge.judge(limits)?;
        let mut rows = Vec::new();
        for (name, factors) in Factors::ALL {
            let mut found = disagreements(graph, &|discs| factors.of(discs, self.seed));
            let all = found.len();
            let mut dice = Dice::new(&[self.seed]);
            let mut tally = Tally::default();
            for judged in 0..all.min(self.most) {
                if is_due() {
                    break;
                }
                let pick = judged + dice.below((all - judged) as u64) as usize;
                found.swap(judged, pick);
                let one = found[judged];
                let truth = |arbiter: &mut EngineJudge, square| truth(arbiter, &one.board, square);
                let comparable = truth(&mut arbiter, one.comparable);
                let scaled = truth(&mut arbiter, one.scaled);
                tally.add(comparable, scaled, 0);
                eprint!("\r{name}: {} of {} judged", judged + 1, all.min(self.most));
            }
            eprintln!();
            let share = tally.share();
            rows.push(Row {
                factors: name,
                positions: graph.len(),
                disagreements: all,
                judged: tally.comparable + tally.scaled + tally.equal,
                comparable_right: tally.comparable,
                scaled_right: tally.scaled,
                equal: tally.equal,
                share: share.map(|[share, ..]| share),
                low: share.map(|[_, low, _]| low),
                high: share.map(|[.., high]| high),
            });
        }
        Ok(rows)
    }
}

/// What a move is worth to the side that makes it, looked at more closely.
fn truth(arbiter: &mut EngineJudge, board: &Board, square: Square) -> Worth {
    let Some((next, same_side)) = after(board, square) else { return Worth::DRAW };
    if next.is_over() {
        return Worth::proven(-next.final_score());
    }
    let best = arbiter.judge(&next, discern_board::Bitboard::EMPTY);
    let worth = best.map_or(Worth::DRAW, |best| best.worth);
    if same_side { worth } else { -worth }
}
