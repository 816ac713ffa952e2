use discern_board::{Game, Move};
use serde::Serialize;

use crate::entry::Games;
use crate::error::BookError;
use crate::file::BookFile;
use crate::graph::BookMove;
use crate::names::opening_of;
use crate::steps::{Step, step};

/// What lies behind a move of the book.
#[derive(Debug, Clone)]
pub struct Explored {
    /// The game after the move, and after a pass that must follow.
    pub next: Game,
    /// Games that came through it, for the side that makes the move.
    pub games: Games,
    /// The name of an opening that the move reaches.
    pub opening: Option<&'static str>,
}

impl BookFile {
    /// Looks behind a legal move of the last position of `game`.
    ///
    /// # Errors
    /// If the book is damaged there.
    pub fn explore(&self, game: &Game, mv: &BookMove) -> Result<Explored, BookError> {
        let games = match step(&game.position().board, mv.square) {
            Step::Position { board, same_side } => {
                let games = self.find(&board)?.map_or(Games::default(), |found| found.games);
                if same_side { games } else { games.turned() }
            }
            Step::Over(_) => Games::default(),
        };
        let mut next = game.clone();
        // A damaged book may hold any move; then nothing lies behind it.
        let played = next.play(mv.square.into()).is_ok();
        let name = |game: &Game| opening_of(game).map(|opening| opening.name);
        let opening = name(&next).filter(|&new| played && Some(new) != name(game));
        if next.position().board.must_pass() {
            let _ = next.play(Move::Pass);
        }
        Ok(Explored { next, games, opening })
    }
}

/// What a book says of a position, as programs read it.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct BookAnswer {
    /// Its moves, the best one first.
    pub moves: Vec<AnsweredMove>,
    /// The name of the opening.
    pub opening: Option<&'static str>,
    /// Positions of the book.
    pub positions: u64,
}

/// A move of a book.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct AnsweredMove {
    /// The move.
    #[serde(rename = "move")]
    pub mv: String,
    /// The probability that it wins.
    pub probability: f64,
    /// Plies that were looked ahead.
    pub depth: u32,
    /// Is the value proven?
    pub solved: bool,
    /// Games that came through it.
    pub games: u64,
    /// Is the position behind it in the book?
    pub examined: bool,
    /// The proven outcome.
    pub outcome: Option<String>,
    /// The name of an opening that it reaches.
    pub opening: Option<&'static str>,
}

impl BookAnswer {
    /// What a book says of the last position of `game`.
    ///
    /// # Errors
    /// If the book is damaged there.
    pub fn of(book: &BookFile, game: &Game) -> Result<BookAnswer, BookError> {
        let board = game.position().board;
        let answer = |mv: &BookMove| {
            let explored = book.explore(game, mv)?;
            Ok(AnsweredMove {
                mv: mv.square.to_string(),
                probability: mv.worths.even.probability(),
                depth: mv.grade.depth(board.empties()),
                solved: mv.grade.is_proven(),
                games: explored.games.total(),
                examined: mv.examined,
                outcome: mv.worths.even.outcome().map(|outcome| outcome.to_string()),
                opening: explored.opening,
            })
        };
        let found = book.find(&board)?;
        let moves = found.iter().flat_map(|found| &found.moves).map(answer);
        Ok(BookAnswer {
            moves: moves.collect::<Result<_, BookError>>()?,
            opening: opening_of(game).map(|opening| opening.name),
            positions: book.len(),
        })
    }
}
