//! What an opening book says, and what growing it is about.

use std::fmt::Write;
use std::time::{Duration, Instant};

use discern_board::{Board, Game, Move, Position};
use discern_book::study::StudyRow;
use discern_book::{
    BookError, BookFile, Found, Growing, Grown, Paths, Results, best_line, opening_of,
};

use crate::{Align, TextTable};

/// Which part of a book is shown.
pub struct BookPart<'a> {
    /// The book.
    pub book: &'a BookFile,
    /// Plies of the tree.
    pub depth: u32,
    /// Below the first ply, moves that give away more are left out.
    pub loss: f64,
}

/// The board after a game, and the book's moves as a tree.
///
/// # Errors
/// If the book is damaged there.
pub fn book_text(shown: &BookPart, game: &Game) -> Result<String, BookError> {
    let position = game.position();
    let mover = position.mover;
    let mut text = format!("{}\n", position.board.draw(mover));
    if let Some(opening) = opening_of(game) {
        let _ = writeln!(text, "{}", opening.name);
    }
    let Some(found) = shown.book.find(&position.board)? else {
        let positions = shown.book.len();
        return Ok(text + &format!("this position is not in the book ({positions} positions)\n"));
    };
    let value = found.worths.map_or("unknown".to_owned(), |worths| worths.even.to_string());
    let _ = writeln!(text, "{mover} to move; {mover} wins {value} ({})\n", found.grade);
    let mut table = TextTable::new([
        ("move", Align::Left),
        ("wins", Align::Right),
        ("reliability", Align::Left),
        ("human games", Align::Right),
        ("engine games", Align::Right),
        ("", Align::Left),
    ]);
    rows(&mut table, shown, game, &found, 0)?;
    let _ = writeln!(
        text,
        "{table}\nwins are those of the side that moves; + examined, - best of the rest"
    );
    Ok(text)
}

fn rows(
    table: &mut TextTable,
    shown: &BookPart,
    game: &Game,
    found: &Found,
    ply: u32,
) -> Result<(), BookError> {
    let best = found.moves.first().map_or(0.0, |mv| mv.worths.even.probability());
    for mv in &found.moves {
        if ply > 0 && best - mv.worths.even.probability() > shown.loss {
            continue;
        }
        let explored = shown.book.explore(game, mv)?;
        let sign = if mv.examined { '+' } else { '-' };
        table.row([
            format!("{}{sign} {}", "  ".repeat(ply as usize), mv.square),
            mv.worths.even.to_string(),
            mv.grade.to_string(),
            results(&explored.games.human),
            results(&explored.games.engine),
            explored.opening.unwrap_or_default().to_owned(),
        ]);
        if ply + 1 < shown.depth
            && let Some(found) = shown.book.find(&explored.next.position().board)?
        {
            rows(table, shown, &explored.next, &found, ply + 1)?;
        }
    }
    Ok(())
}

/// `12–1–7` or nothing.
fn results(results: &Results) -> String {
    match results.total() {
        0 => String::new(),
        _ => format!("{}–{}–{}", results.wins, results.draws, results.losses),
    }
}

/// Follows a book that grows.
#[derive(Debug)]
pub struct GrowingWatch {
    start: Instant,
    searches: u64,
    looked: Option<Instant>,
    now: String,
}

impl Default for GrowingWatch {
    fn default() -> GrowingWatch {
        GrowingWatch { start: Instant::now(), searches: 0, looked: None, now: String::new() }
    }
}

impl GrowingWatch {
    /// Hears how far it is and says so in a line. Where it grows is looked at
    /// twice a second.
    pub fn hear(&mut self, growing: &Growing) -> String {
        self.searches += u64::from(growing.done > 0);
        let due = self.looked.is_none_or(|last| last.elapsed() >= Duration::from_millis(500));
        if growing.done == 0 && due {
            self.looked = Some(Instant::now());
            self.now = growing_text(growing);
        }
        let Growing { graph, done, total, .. } = growing;
        let rate = self.searches as f64 / self.start.elapsed().as_secs_f64().max(0.1);
        format!("{} positions, {rate:.1} searches/s, {done}/{total} | {}", graph.len(), self.now)
    }

    /// How it ended.
    pub fn end(&self, grown: Grown, positions: usize) -> String {
        let why = match grown {
            Grown::Full => "the book is full",
            Grown::Complete => "there is nothing left to examine",
            Grown::Stopped => "stopped; the same command continues",
        };
        let (searches, seconds) = (self.searches, self.start.elapsed().as_secs_f64());
        format!("{positions} positions, {searches} searches in {seconds:.0} s: {why}")
    }
}

/// A book that grows: what it thinks of the start, its best line, and where it
/// grows.
fn growing_text(growing: &Growing) -> String {
    let graph = growing.graph;
    let value = graph.get(&Board::START).and_then(|node| node.worths());
    let value = value.map_or("?".to_owned(), |worths| worths.even.to_string());
    let best = named(&best_line(graph, &Position::START));
    let now = growing.tasks.first().and_then(|task| {
        let paths = Paths::new(graph, &[Board::START], 0, true);
        let (_, moves) = paths.line(&task.board)?;
        Some(format!("; now {} ({:.1} % off)", named(&moves), task.cost as f64 / 1e3))
    });
    format!("black wins {value}, best {best}{}", now.unwrap_or_default())
}

/// The end of a line and what players call it.
fn named(moves: &[Move]) -> String {
    let mut game = Game::default();
    for &mv in moves {
        let _ = game.play(mv);
    }
    let text = game.transcript();
    let name = opening_of(&game).map(|opening| format!(" ({})", opening.name));
    let plies = text.len() / 2;
    let shown = match text.len() {
        0..=24 => text,
        length => format!("…{}", &text[length - 20..]),
    };
    format!("{shown}{} [{plies}]", name.unwrap_or_default())
}

/// The table of `discern book study`.
pub fn book_study_text(rows: &[StudyRow]) -> String {
    let mut table = TextTable::new([
        ("factors", Align::Left),
        ("positions", Align::Right),
        ("disagreements", Align::Right),
        ("comparable right", Align::Right),
        ("scaled right", Align::Right),
        ("equal", Align::Right),
        ("share of comparable", Align::Right),
    ]);
    for row in rows {
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
    table.to_string()
}
