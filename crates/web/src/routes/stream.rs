//! Server-sent events.

use std::convert::Infallible;
use std::time::Duration;

use axum::response::sse::{Event, KeepAlive, Sse};
use axum::response::{IntoResponse, Response};
use futures_core::Stream;
use serde::Serialize;

/// How often a silent stream shows that it lives.
const KEEP_ALIVE: Duration = Duration::from_secs(10);

/// One event. Its data are always values that JSON can hold.
pub fn event(name: &str, data: &impl Serialize) -> Result<Event, Infallible> {
    Ok(Event::default().event(name).json_data(data).expect("our own types are JSON"))
}

/// The answer that sends these events.
pub fn events(stream: impl Stream<Item = Result<Event, Infallible>> + Send + 'static) -> Response {
    Sse::new(stream).keep_alive(KeepAlive::new().interval(KEEP_ALIVE)).into_response()
}

/// While others have their turn.
#[derive(Debug, Serialize)]
pub struct Waiting {
    /// Others that wait.
    pub ahead: usize,
}
