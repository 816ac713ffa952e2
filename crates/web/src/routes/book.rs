use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use discern_board::{Board, Game};
use discern_book::{BookFile, BookMove, Games, Results, Step, opening_of, step};
use serde::{Deserialize, Serialize};

use super::request::Asked;
use crate::refusal::Refusal;
use crate::studio::Studio;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Query {
    /// Where the game began; the usual start if left out.
    start: Option<String>,
    moves: String,
}

#[derive(Serialize)]
pub struct Answer {
    mover: String,
    opening: Option<&'static str>,
    positions: u64,
    found: bool,
    probability: Option<f64>,
    depth: u32,
    solved: bool,
    games: GamesJson,
    moves: Vec<MoveJson>,
}

#[derive(Serialize)]
struct MoveJson {
    #[serde(rename = "move")]
    mv: String,
    probability: f64,
    outcome: Option<String>,
    depth: u32,
    solved: bool,
    examined: bool,
    opening: Option<&'static str>,
    games: GamesJson,
}

/// Games for the side that moves.
#[derive(Serialize)]
struct GamesJson {
    human: [u32; 3],
    engine: [u32; 3],
}

impl From<Games> for GamesJson {
    fn from(games: Games) -> GamesJson {
        let list = |results: Results| [results.wins, results.draws, results.losses];
        GamesJson { human: list(games.human), engine: list(games.engine) }
    }
}

/// What the book says of a position, and what players call the opening.
pub async fn book(
    State(studio): State<Arc<Studio>>,
    Asked(query): Asked<Query>,
) -> Result<Json<Answer>, Refusal> {
    let game = super::request::game(query.start.as_deref(), &query.moves)?;
    let opening = opening_of(&game).map(|opening| opening.name);
    let board = game.position().board;
    let damaged = |error| {
        (studio.settings().log)(&format!("the book: {error}"));
        Refusal::missing(format_args!("the book cannot be read: {error}"))
    };
    // Without a book there still is the name of the opening.
    let book = studio.settings().book.as_deref();
    let found = book.map(|book| book.find(&board)).transpose().map_err(damaged)?.flatten();
    let moves = found.iter().flat_map(|found| &found.moves).zip(book.into_iter().cycle());
    let moves: Result<Vec<MoveJson>, _> =
        moves.map(|(mv, book)| move_json(book, &game, &board, mv)).collect();
    Ok(Json(Answer {
        mover: game.position().mover.to_string(),
        opening,
        positions: book.map_or(0, BookFile::len),
        found: found.is_some(),
        probability: found.as_ref().and_then(|f| Some(f.worths?.even.probability())),
        depth: found.as_ref().map_or(0, |found| found.grade.depth(board.empties())),
        solved: found.as_ref().is_some_and(|found| found.grade.is_proven()),
        games: found.as_ref().map_or(Games::default(), |found| found.games).into(),
        moves: moves.map_err(damaged)?,
    }))
}

fn move_json(
    book: &BookFile,
    game: &Game,
    board: &Board,
    mv: &BookMove,
) -> Result<MoveJson, discern_book::BookError> {
    let games = match step(board, mv.square) {
        Step::Position { board, same_side } => {
            let games = book.find(&board)?.map_or(Games::default(), |found| found.games);
            if same_side { games } else { games.turned() }
        }
        Step::Over(_) => Games::default(),
    };
    let mut next = game.clone();
    let played = next.play(mv.square.into()).is_ok();
    let name = |game: &Game| opening_of(game).map(|opening| opening.name);
    Ok(MoveJson {
        mv: mv.square.to_string(),
        probability: mv.worths.even.probability(),
        outcome: mv.worths.even.outcome().map(|outcome| outcome.to_string()),
        depth: mv.grade.depth(board.empties()),
        solved: mv.grade.is_proven(),
        examined: mv.examined,
        opening: name(&next).filter(|&new| played && Some(new) != name(game)),
        games: games.into(),
    })
}
