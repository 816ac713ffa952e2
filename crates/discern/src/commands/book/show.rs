use std::fmt::Write as _;
use std::io::Write;
use std::sync::Arc;

use anyhow::Result;
use clap::Args as ClapArgs;
use discern_board::{Game, Move};
use discern_book::{BookFile, BookMove, Found, Games, Results, Step, opening_of, step};
use discern_players::WeightStore;
use discern_report::{Align, TextTable};
use serde::Serialize;

use crate::positions::parse_game;

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
struct Shown {
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
        let shown = Shown {
            moves: moves.map(|mv| shown(&book, &game, mv)).collect::<Result<_>>()?,
            opening: opening_of(&game).map(|opening| opening.name),
            positions: book.len(),
        };
        writeln!(stdout, "{}", serde_json::to_string(&shown)?)?;
        return Ok(());
    }
    let mut text = String::new();
    let mover = game.position().mover;
    writeln!(text, "{}", game.position().board.draw(mover))?;
    if let Some(opening) = opening_of(&game) {
        writeln!(text, "{}", opening.name)?;
    }
    match &found {
        None => writeln!(text, "this position is not in the book ({} positions)", book.len())?,
        Some(found) => args.print(&mut text, &book, &game, found)?,
    }
    stdout.write_all(text.as_bytes())?;
    Ok(())
}

fn after(game: &Game, mv: &BookMove) -> Result<Game> {
    let mut next = game.clone();
    next.play(mv.square.into())?;
    if next.position().board.must_pass() {
        next.play(Move::Pass)?;
    }
    Ok(next)
}

/// Games that came through a move, for the side that makes it.
fn games(book: &BookFile, game: &Game, mv: &BookMove) -> Result<Games> {
    let Step::Position { board, same_side } = step(&game.position().board, mv.square) else {
        return Ok(Games::default());
    };
    let games = book.find(&board)?.map_or(Games::default(), |found| found.games);
    Ok(if same_side { games } else { games.turned() })
}

/// The name of an opening that this move reaches.
fn new_name(game: &Game, next: &Game) -> Option<&'static str> {
    let name = |game| opening_of(game).map(|opening| opening.name);
    name(next).filter(|&new| Some(new) != name(game))
}

fn shown(book: &BookFile, game: &Game, mv: &BookMove) -> Result<ShownMove> {
    Ok(ShownMove {
        mv: mv.square.to_string(),
        probability: mv.worths.even.probability(),
        depth: mv.grade.depth(game.position().board.empties()),
        solved: mv.grade.is_proven(),
        games: games(book, game, mv)?.total(),
        examined: mv.examined,
        outcome: mv.worths.even.outcome().map(|outcome| outcome.to_string()),
        opening: new_name(game, &after(game, mv)?),
    })
}

impl Args {
    fn print(&self, text: &mut String, book: &BookFile, game: &Game, found: &Found) -> Result<()> {
        let mover = game.position().mover;
        let value = found.worths.map_or("unknown".to_owned(), |worths| worths.even.to_string());
        writeln!(text, "{mover} to move; {mover} wins {value} ({})\n", found.grade)?;
        let mut table = TextTable::new([
            ("move", Align::Left),
            ("wins", Align::Right),
            ("reliability", Align::Left),
            ("human games", Align::Right),
            ("engine games", Align::Right),
            ("", Align::Left),
        ]);
        self.rows(&mut table, book, game, found, 0)?;
        write!(text, "{table}")?;
        writeln!(text, "\nwins are those of the side that moves; + examined, - best of the rest")?;
        Ok(())
    }

    fn rows(
        &self,
        table: &mut TextTable,
        book: &BookFile,
        game: &Game,
        found: &Found,
        ply: u32,
    ) -> Result<()> {
        let best = found.moves.first().map_or(0.0, |mv| mv.worths.even.probability());
        for mv in &found.moves {
            let lost = best - mv.worths.even.probability();
            if ply > 0 && 100.0 * lost > self.loss {
                continue;
            }
            let next = after(game, mv)?;
            let games = games(book, game, mv)?;
            let sign = if mv.examined { '+' } else { '-' };
            table.row([
                format!("{}{sign} {}", "  ".repeat(ply as usize), mv.square),
                mv.worths.even.to_string(),
                mv.grade.to_string(),
                results(&games.human),
                results(&games.engine),
                new_name(game, &next).unwrap_or_default().to_owned(),
            ]);
            if ply + 1 < self.depth
                && let Some(found) = book.find(&next.position().board)?
            {
                self.rows(table, book, &next, &found, ply + 1)?;
            }
        }
        Ok(())
    }
}

/// `12–1–7` or nothing.
fn results(results: &Results) -> String {
    match results.total() {
        0 => String::new(),
        _ => format!("{}–{}–{}", results.wins, results.draws, results.losses),
    }
}
