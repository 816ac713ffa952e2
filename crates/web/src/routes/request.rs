//! The parts that several requests have in common.

use std::time::Duration;

use axum::extract::{FromRequestParts, Path, Query};
use axum::http::request::Parts;
use discern_board::{Game, Position};
use serde::de::DeserializeOwned;

use crate::refusal::{Reason, Refusal};
use crate::settings::Bounds;
use crate::studio::Studio;

/// The query of a request; a query that does not fit is refused with one
/// sentence.
pub struct Asked<T>(pub T);

impl<T: DeserializeOwned, S: Send + Sync> FromRequestParts<S> for Asked<T> {
    type Rejection = Refusal;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Asked<T>, Refusal> {
        match Query::from_request_parts(parts, state).await {
            Ok(Query(asked)) => Ok(Asked(asked)),
            Err(rejection) => Err(Refusal::bad(rejection.body_text())),
        }
    }
}

/// The part of an address that names something; one that is no text is refused
/// with one sentence.
pub struct Called(pub String);

impl<S: Send + Sync> FromRequestParts<S> for Called {
    type Rejection = Refusal;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Called, Refusal> {
        match Path::from_request_parts(parts, state).await {
            Ok(Path(name)) => Ok(Called(name)),
            Err(rejection) => Err(Refusal::bad(rejection.body_text())),
        }
    }
}

/// The name a page has given itself.
pub fn client(name: &str) -> Result<&str, Refusal> {
    let fits = (1..=64).contains(&name.len())
        && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_'));
    fits.then_some(name)
        .ok_or_else(|| Refusal::bad("a client's name has 1 to 64 letters, digits, - or _"))
}

/// A position, as people write it.
pub fn position(text: &str) -> Result<Position, Refusal> {
    text.parse().map_err(|error| {
        Refusal::bad(format_args!("not a position: {error}")).because(Reason::Position)
    })
}

/// A game: where it began, if not at the usual start, and its moves.
pub fn game(start: Option<&str>, moves: &str) -> Result<Game, Refusal> {
    let start = start.map_or(Ok(Position::START), position)?;
    Game::from_transcript(start, moves)
        .map_err(|error| Refusal::bad(format_args!("not a game: {error}")).because(Reason::Game))
}

/// A number of threads for one search; all that nobody else uses if the request
/// does not say.
pub fn threads(asked: Option<usize>, studio: &Studio) -> Result<usize, Refusal> {
    match asked {
        Some(0) => Err(Refusal::bad("a search needs at least one thread")),
        Some(threads) => Ok(threads.min(studio.bounds().threads)),
        None => Ok(studio.seats().unused()),
    }
}

/// A time for one search, never more than is allowed.
pub fn time(seconds: f64, bounds: &Bounds) -> Result<Duration, Refusal> {
    if !(seconds > 0.0 && seconds.is_finite()) {
        return Err(Refusal::bad("a search needs a positive number of seconds"));
    }
    Ok(Duration::from_secs_f64(seconds.clamp(0.001, bounds.search.as_secs_f64())))
}
