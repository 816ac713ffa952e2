use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use discern_board::Game;
use discern_book::{BookError, BookFile, BookMove, Games, Results, opening_of};
use serde::{Deserialize, Serialize};

use super::request::Asked;
use crate::refusal::{Reason, Refusal};
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
        let sentence = format_args!("the book cannot be read: {error}");
        Refusal::missing(sentence).because(Reason::Book)
    };
    // Without a book there still is the name of the opening.
    let book = studio.settings().book.as_deref();
    let found = book.map(|book| book.find(&board)).transpose().map_err(damaged)?.flatten();
    let moves = found.iter().flat_map(|found| &found.moves).zip(book.into_iter().cycle());
    let moves: Result<Vec<MoveJson>, _> =
        moves.map(|(mv, book)| move_json(book, &game, mv)).collect();
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

fn move_json(book: &BookFile, game: &Game, mv: &BookMove) -> Result<MoveJson, BookError> {
    let explored = book.explore(game, mv)?;
    Ok(MoveJson {
        mv: mv.square.to_string(),
        probability: mv.worths.even.probability(),
        outcome: mv.worths.even.outcome().map(|outcome| outcome.to_string()),
        depth: mv.grade.depth(game.position().board.empties()),
        solved: mv.grade.is_proven(),
        examined: mv.examined,
        opening: explored.opening,
        games: explored.games.into(),
    })
}
