use std::sync::Arc;

use anyhow::Result;
use clap::Args as ClapArgs;
use discern_book::{BookAnswer, BookFile};
use discern_players::WeightStore;
use discern_records::parse_game;
use discern_report::{BookPart, book_text};

use crate::output::{print, show};

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

/// A book by its path, or the shipped one.
pub fn open_book(path: Option<&str>) -> Result<Arc<BookFile>> {
    Ok(WeightStore::new().open_book(path.unwrap_or("shipped"))?)
}

pub fn run(args: Args) -> Result<()> {
    let game = parse_game(&args.position)?;
    let book = open_book(args.book.as_deref())?;
    if args.json {
        return show(true, &BookAnswer::of(&book, &game)?, |_| Ok(()));
    }
    let shown = BookPart { book: &book, depth: args.depth, loss: args.loss / 100.0 };
    print(&book_text(&shown, &game)?)
}
