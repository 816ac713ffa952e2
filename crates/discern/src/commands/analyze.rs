use anyhow::{Result, bail};
use clap::Args as ClapArgs;
use discern_players::{Analysis, Explained};
use discern_records::parse_game;
use discern_report::{print_analysis, print_explained};
use discern_search::{Limits, StopFlag};

use crate::engine_args::{BookArgs, EngineArgs, ThinkArgs};
use crate::output::show;
use crate::values::one_of;

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
    /// Show only this many of the best moves [default: all]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    best: Option<u32>,
    /// Report what each feature adds to the value in each model of the weights
    #[arg(long, value_parser = one_of(EXPLAINED), value_name = "WHAT", num_args = 0..=1,
          require_equals = true, default_missing_value = "position")]
    explain: Option<bool>,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

/// What to take apart: the position alone, or the moves, too?
const EXPLAINED: [(&str, &str, bool); 2] = [
    ("position", "The position, in all models of the weights side by side", false),
    ("moves", "Also the positions after the moves, in the model that was searched with", true),
];

pub fn run(args: Args) -> Result<()> {
    let game = parse_game(&args.position)?;
    let position = game.position();
    let board = position.board;
    if board.is_over() {
        let score = game.score_black().map_or_else(String::new, |score| score.to_string());
        bail!("neither side can move: the game is over ({score} for black)");
    }
    let book = args.book.open()?;
    let lines = args.best.map_or(64, |best| best as usize);
    let limits = Limits { lines, ..args.think.limits() };
    let mut engine = args.engine.engine()?;
    let report = engine.search(&board, &limits, &StopFlag::new(), &mut |_| {});
    let weights = args.engine.named().weights()?;
    let explained = Explained::new(&weights, &board, &report, args.explain == Some(true));
    let mut analysis = Analysis::new(&position, &report, &explained, book.as_ref())?;
    if args.explain.is_some() {
        analysis = analysis.explained(&explained.position);
    }
    show(args.json, &analysis, |out| {
        writeln!(out, "{}", board.draw(position.mover))?;
        print_analysis(out, &analysis)?;
        if args.explain.is_some() {
            print_explained(out, position.mover, &explained, args.engine.named().model())?;
        }
        Ok(())
    })
}
