use std::io::Write;
use std::sync::Arc;

use anyhow::Result;
use clap::Args as ClapArgs;
use discern_board::Game;
use discern_book::{BookFile, BookMove, opening_of};
use discern_players::WeightStore;
use discern_records::parse_game;
use discern_report::{Shown, book_text};
use serde::Serialize;

/// Show what a book says of a position.
#[derive(ClapArgs)]
#[command(after_help = "Examples:
  discern book show --book my.book                 the start
  discern book show f5d6c3 --book my.book --depth 4
  discern book show f5d6 --json")]
pub struct Args {
    /// Moves played so far (f5d6c3…) or a position
    #[arg(value_name = "POSITION_OR_MOVES", default_value = "", allow_hyphen_values = true)]
    position: String,
    /// The book [default: the one shipped with the program]
    #[arg(long, value_name = "FILE")]
    book: Option<String>,
    /// Plies of the tree
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..=60))]
    depth: u32,
    /// Leave out moves that give away more than this, in percent, below the first ply
    #[arg(long, value_name = "PERCENT", default_value_t = 5.0)]
    loss: f64,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

#[derive(Serialize)]
struct Answer {
    moves: Vec<ShownMove>,
    opening: Option<&'static str>,
    positions: u64,
}

#[derive(Serialize)]
struct ShownMove {
    #[serde(rename = "move")]
    mv: String,
    probability: f64,
    depth: u32,
    solved: bool,
    games: u64,
    examined: bool,
    outcome: Option<String>,
    opening: Option<&'static str>,
}

/// A book by its path, or the shipped one.
pub fn open_book(path: Option<&str>) -> Result<Arc<BookFile>> {
    Ok(WeightStore::new().open_book(path.unwrap_or("shipped"))?)
}

pub fn run(args: Args) -> Result<()> {
    let game = parse_game(&args.position)?;
    let book = open_book(args.book.as_deref())?;
    let found = book.find(&game.position().board)?;
    let mut stdout = std::io::stdout().lock();
    if args.json {
        let moves = found.iter().flat_map(|found| &found.moves);
        let answer = Answer {
            moves: moves.map(|mv| shown(&book, &game, mv)).collect::<Result<_>>()?,
            opening: opening_of(&game).map(|opening| opening.name),
            positions: book.len(),
        };
        writeln!(stdout, "{}", serde_json::to_string(&answer)?)?;
        return Ok(());
    }
    let shown = Shown { book: &book, depth: args.depth, loss: args.loss / 100.0 };
    stdout.write_all(book_text(&shown, &game)?.as_bytes())?;
    Ok(())
}

fn shown(book: &BookFile, game: &Game, mv: &BookMove) -> Result<ShownMove> {
    let explored = book.explore(game, mv)?;
    Ok(ShownMove {
        mv: mv.square.to_string(),
        probability: mv.worths.even.probability(),
        depth: mv.grade.depth(game.position().board.empties()),
        solved: mv.grade.is_proven(),
        games: explored.games.total(),
        examined: mv.examined,
        outcome: mv.worths.even.outcome().map(|outcome| outcome.to_string()),
        opening: explored.opening,
    })
}
