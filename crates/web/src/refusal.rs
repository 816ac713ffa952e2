use std::fmt;
use std::time::Duration;

use axum::Json;
use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use discern_files::printable;
use serde::Serialize;

/// Why a request gets no answer: one sentence for people.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Refusal {
    status: StatusCode,
    sentence: String,
    retry_after: Option<Duration>,
}

/// The longest part of a request that a sentence repeats.
const LONGEST_QUOTE: usize = 200;

#[derive(Serialize)]
struct Body<'a> {
    error: &'a str,
}

impl Refusal {
    /// A refusal with this status.
    pub fn new(status: StatusCode, sentence: impl fmt::Display) -> Refusal {
        Refusal { status, sentence: quoted(&sentence.to_string()), retry_after: None }
    }

    /// The request is not understood.
    pub fn bad(sentence: impl fmt::Display) -> Refusal {
        Refusal::new(StatusCode::BAD_REQUEST, sentence)
    }

    /// There is no such thing.
    pub fn missing(sentence: impl fmt::Display) -> Refusal {
        Refusal::new(StatusCode::NOT_FOUND, sentence)
    }

    /// Not now, but after this time.
    pub fn later(status: StatusCode, after: Duration, sentence: impl fmt::Display) -> Refusal {
        Refusal { retry_after: Some(after), ..Refusal::new(status, sentence) }
    }

    /// The sentence.
    pub fn sentence(&self) -> &str {
        &self.sentence
    }
}

/// What came from outside, fit for a log line: control characters escaped,
/// cut where it gets long.
pub fn quoted(text: &str) -> String {
    match text.char_indices().nth(LONGEST_QUOTE) {
        Some((end, _)) => format!("{}…", printable(&text[..end])),
        None => printable(text).into_owned(),
    }
}

impl IntoResponse for Refusal {
    fn into_response(self) -> Response {
        let mut response = (self.status, Json(Body { error: &self.sentence })).into_response();
        if let Some(after) = self.retry_after {
            let seconds = HeaderValue::from(after.as_secs().max(1));
            response.headers_mut().insert(header::RETRY_AFTER, seconds);
        }
        if self.status == StatusCode::METHOD_NOT_ALLOWED {
            response
                .headers_mut()
                .insert(header::ALLOW, HeaderValue::from_static("GET, HEAD, POST"));
        }
        // For the log line of the front door.
        response.extensions_mut().insert(self);
        response
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quotes_are_short_and_printable() {
        assert_eq!(quoted("a\nb\u{1b}[31m"), "a\\nb\\u{1b}[31m");
        assert_eq!(quoted(&"x".repeat(5000)).chars().count(), LONGEST_QUOTE + 1);
    }
}
