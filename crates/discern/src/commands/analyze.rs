mod explained;

use std::io::Write;

use anyhow::{Result, bail};
use clap::Args as ClapArgs;
use discern_book::BookMove;
use discern_eval::Explanation;
use discern_report::{Align, TextTable};
use discern_search::{Certainty, Limits, Line, Report, StopFlag};
use serde::Serialize;

use crate::engine_args::{BookArgs, EngineArgs, ThinkArgs};
use crate::positions::parse_game;
use explained::{Explain, Named, Taken, parts, print_moves, print_position, values};

/// Print the winning probability of every move.
#[derive(ClapArgs)]
#[command(after_help = "Examples:
  discern analyze f5d6c3                    after three moves, one second
  discern analyze f5d6c3 --depth 12 --best 3
  discern analyze f5d6c3 --explain          what each feature adds in each model
  discern analyze f5d6c3 --explain=moves    also why one move is better than another
  discern analyze '---------------------------OX------XO--------------------------- X'")]
pub struct Args {
    /// Moves played so far (f5d6c3…) or a position: 64 squares and the side to move
    #[arg(value_name = "POSITION_OR_MOVES", allow_hyphen_values = true)]
    position: String,
    #[command(flatten)]
    engine: EngineArgs,
    #[command(flatten)]
    book: BookArgs,
    #[command(flatten)]
    think: ThinkArgs,
    /// How many of the best moves to tell [default: all]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    best: Option<u32>,
    /// Report what each feature adds to the value in each model of the weights
    #[arg(long, value_enum, value_name = "WHAT", num_args = 0..=1, require_equals = true,
          default_missing_value = "position")]
    explain: Option<Explain>,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

#[derive(Serialize)]
struct Analysis {
    mover: String,
    discs: u32,
    moves: Vec<MoveValue>,
    features: Named<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    explanation: Option<Named<Taken>>,
    nodes: u64,
    seconds: f64,
}

#[derive(Serialize)]
struct MoveValue {
    #[serde(rename = "move")]
    mv: String,
    probability: f64,
    value: f64,
    depth: u32,
    exact: bool,
    /// The value is the book's.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    book: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    outcome: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    score: Option<i32>,
    pv: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    explanation: Option<Named<Taken>>,
}

pub fn run(args: Args) -> Result<()> {
    let game = parse_game(&args.position)?;
    let position = game.position();
    let board = position.board;
    if board.is_over() {
        bail!("neither side can move: the game is over ({} for black)", game_score(&game));
    }
    let book = args.book.open()?;
    let lines = args.best.map_or(64, |best| best as usize);
    let limits = Limits { lines, ..args.think.limits() };
    let mut engine = args.engine.engine()?;
    let report = engine.search(&board, &limits, &StopFlag::new(), &mut |_| {});
    let weights = args.engine.weights()?;
    let explanation = weights.explain(&board);
    let of_move = |line: &Line| match args.explain {
        Some(Explain::Moves) => weights.explain_move(&board, line.mv),
        _ => None,
    };
    let of_moves: Vec<(String, Option<Explanation>)> =
        report.lines.iter().map(|line| (line.mv.to_string(), of_move(line))).collect();
    let moves = report.lines.iter().zip(&of_moves).map(|(line, (_, explanation))| {
        MoveValue::new(line, board.empties(), explanation.as_ref().map(parts))
    });
    let mut moves: Vec<MoveValue> = moves.collect();
    if let Some(book) = book {
        for mv in book.find(&board)?.iter().flat_map(|found| &found.moves) {
            let name = mv.square.to_string();
            let known = moves.iter_mut().filter(|value| value.mv == name);
            known.for_each(|value| value.take_from_book(mv, board.empties()));
        }
        moves.sort_by(|a, b| b.value.total_cmp(&a.value));
    }
    let analysis = Analysis {
        mover: position.mover.to_string(),
        discs: board.discs(),
        moves,
        features: values(&explanation),
        explanation: args.explain.map(|_| parts(&explanation)),
        nodes: report.nodes,
        seconds: report.time.as_secs_f64(),
    };
    let mut stdout = std::io::stdout().lock();
    if args.json {
        writeln!(stdout, "{}", serde_json::to_string(&analysis)?)?;
    } else {
        writeln!(stdout, "{}", board.draw(position.mover))?;
        print(&mut stdout, &analysis, &report)?;
        if args.explain.is_some() {
            print_position(&mut stdout, &analysis, &explanation)?;
            print_moves(&mut stdout, &analysis, &of_moves, args.engine.model())?;
        }
    }
    Ok(())
}

fn game_score(game: &discern_board::Game) -> String {
    game.score_black().map_or_else(String::new, |score| score.to_string())
}

impl MoveValue {
    fn new(line: &Line, empties: u32, explanation: Option<Named<Taken>>) -> MoveValue {
        MoveValue {
            mv: line.mv.to_string(),
            probability: line.probability(),
            value: line.value.log_odds(),
            depth: match line.certainty {
                Certainty::Depth(depth) => depth,
                _ => empties,
            },
            exact: line.is_proven(),
            book: false,
            outcome: line.outcome().map(|outcome| outcome.to_string()),
            score: line.score().map(|score| score.discs()),
            pv: line.pv.iter().map(ToString::to_string).collect(),
            explanation,
        }
    }
}

impl MoveValue {
    /// The book's value in place of the one just searched: it goes deeper.
    fn take_from_book(&mut self, mv: &BookMove, empties: u32) {
        let worth = mv.worths.even;
        self.probability = worth.probability();
        self.value = worth.value().log_odds();
        self.depth = mv.grade.depth(empties);
        self.exact = mv.grade.is_proven();
        self.book = true;
        self.outcome = worth.outcome().map(|outcome| outcome.to_string());
        self.score = None;
    }
}

fn print(out: &mut impl Write, analysis: &Analysis, report: &Report) -> Result<()> {
    let Analysis { mover, discs, .. } = analysis;
    writeln!(out, "{mover} to move, {discs} discs; probabilities are {mover}'s\n")?;
    let mut table = TextTable::new([
        ("move", Align::Left),
        ("wins", Align::Right),
        ("log-odds", Align::Right),
        ("depth", Align::Right),
        ("expected play", Align::Left),
    ]);
    for mv in &analysis.moves {
        let value = match (&mv.outcome, mv.score) {
            (_, Some(score)) => format!("{score:+} discs"),
            (Some(outcome), None) => outcome.clone(),
            (None, None) => format!("{:+.2}", mv.value),
        };
        let depth = match (mv.exact, mv.book) {
            (true, false) => "proven".into(),
            (true, true) => "book, proven".into(),
            (false, true) => format!("book, {}", mv.depth),
            (false, false) => mv.depth.to_string(),
        };
        let wins = format!("{:.1}%", 100.0 * mv.probability);
        table.row([&mv.mv, &wins, &value, &depth, &mv.pv]);
    }
    write!(out, "{table}")?;
    let speed = report.nodes_per_second() / 1e6;
    let nodes = report.nodes as f64 / 1e6;
    writeln!(out, "\n{nodes:.1} million nodes in {:.2} s, {speed:.1} million/s", analysis.seconds)?;
    Ok(())
}
