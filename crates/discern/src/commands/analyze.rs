mod explained;

use std::io::Write;

use anyhow::{Result, bail};
use clap::Args as ClapArgs;
use discern_search::{Certainty, Limits, Line, Report, StopFlag};
use serde::Serialize;

use crate::engine_args::{EngineArgs, ThinkArgs};
use crate::positions::parse_game;
use explained::{ByFeature, Explain, Explained, print_moves, print_position};

/// Tell the winning probability of every move.
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
    think: ThinkArgs,
    /// How many of the best moves to tell [default: all]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    best: Option<u32>,
    /// Tell what each of the 13 features adds to the value in LOG, FISHER and QUAD
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
    features: ByFeature,
    #[serde(skip_serializing_if = "Option::is_none")]
    explanation: Option<Explained>,
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
    #[serde(skip_serializing_if = "Option::is_none")]
    outcome: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    score: Option<i32>,
    pv: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    explanation: Option<Explained>,
}

pub fn run(args: Args) -> Result<()> {
    let game = parse_game(&args.position)?;
    let position = game.position();
    let board = position.board;
    if board.is_over() {
        bail!("neither side can move: the game is over ({} for black)", game_score(&game));
    }
    let lines = args.best.map_or(64, |best| best as usize);
    let limits = Limits { lines, ..args.think.limits() };
    let mut engine = args.engine.engine()?;
    let report = engine.search(&board, &limits, &StopFlag::new(), &mut |_| {});
    let weights = args.engine.weights()?;
    let explanation = weights.explain(&board);
    let moves = report.lines.iter().map(|line| {
        let explained = match args.explain {
            Some(Explain::Moves) => weights.explain_move(&board, line.mv).map(Explained::from),
            _ => None,
        };
        MoveValue::new(line, board.empties(), explained)
    });
    let analysis = Analysis {
        mover: position.mover.to_string(),
        discs: board.discs(),
        moves: moves.collect(),
        features: ByFeature::values(&explanation),
        explanation: args.explain.map(|_| Explained::from(explanation)),
        nodes: report.nodes,
        seconds: report.time.as_secs_f64(),
    };
    let mut stdout = std::io::stdout().lock();
    if args.json {
        writeln!(stdout, "{}", serde_json::to_string(&analysis)?)?;
    } else {
        writeln!(stdout, "{}", board.draw(position.mover))?;
        print(&mut stdout, &analysis, &report)?;
        if let Some(explanation) = &analysis.explanation {
            print_position(&mut stdout, &analysis, explanation)?;
        }
        if args.explain == Some(Explain::Moves) {
            print_moves(&mut stdout, &analysis, args.engine.model())?;
        }
    }
    Ok(())
}

fn game_score(game: &discern_board::Game) -> String {
    game.score_black().map_or_else(String::new, |score| score.to_string())
}

impl MoveValue {
    fn new(line: &Line, empties: u32, explanation: Option<Explained>) -> MoveValue {
        // A proven draw is worth half a win.
        let probability = match line.certainty {
            Certainty::Depth(_) => line.value.probability(),
            _ => line.value.proven_score().map_or(0.5, |_| line.value.probability()),
        };
        MoveValue {
            mv: line.mv.to_string(),
            probability,
            value: line.value.log_odds(),
            depth: match line.certainty {
                Certainty::Depth(depth) => depth,
                _ => empties,
            },
            exact: !matches!(line.certainty, Certainty::Depth(_)),
            outcome: line.outcome().map(|outcome| outcome.to_string()),
            score: line.score().map(|score| score.discs()),
            pv: line.pv.iter().map(ToString::to_string).collect(),
            explanation,
        }
    }
}

fn print(out: &mut impl Write, analysis: &Analysis, report: &Report) -> Result<()> {
    let Analysis { mover, discs, .. } = analysis;
    writeln!(out, "{mover} to move, {discs} discs; probabilities are {mover}'s\n")?;
    writeln!(out, "move   wins   log-odds  depth   expected play")?;
    for mv in &analysis.moves {
        let value = match (&mv.outcome, mv.score) {
            (_, Some(score)) => format!("{score:+} discs"),
            (Some(outcome), None) => outcome.clone(),
            (None, None) => format!("{:+.2}", mv.value),
        };
        let depth = if mv.exact { "proven".into() } else { mv.depth.to_string() };
        writeln!(
            out,
            "{:<5} {:>5.1}%  {value:>9}  {depth:>6}  {}",
            mv.mv,
            100.0 * mv.probability,
            mv.pv
        )?;
    }
    let speed = report.nodes_per_second() / 1e6;
    let nodes = report.nodes as f64 / 1e6;
    writeln!(out, "\n{nodes:.1} million nodes in {:.2} s, {speed:.1} million/s", analysis.seconds)?;
    Ok(())
}
