use std::fmt;
use std::time::Duration;

use axum::Json;
use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use discern_files::printable;
use serde::Serialize;

use crate::fault::FaultJson;

/// Why a request gets no answer: one sentence for people.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Refusal {
    status: StatusCode,
    sentence: String,
    reason: Reason,
    /// Boxed: few refusals have one, and every fallible function returns room for it.
    fault: Option<Box<FaultJson>>,
    retry_after: Option<Duration>,
}

/// The kind of a refusal: a page says it in the language of its reader.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(serde::Deserialize))]
#[serde(rename_all = "lowercase")]
pub enum Reason {
    /// The request is not understood.
    Request,
    /// There is no such thing.
    Missing,
    /// Not for this page.
    Foreign,
    /// Too many requests of one client.
    Pace,
    /// Others are served first.
    Busy,
    /// The server ends.
    Closing,
    /// The client wanted something else meanwhile.
    Replaced,
    /// A fault of ours.
    Broken,
    /// The upload came too slowly.
    Slow,
    /// The upload is too large.
    Large,
    /// There are no weights to explain.
    Weights,
    /// The opening book cannot be read.
    Book,
    /// There is no library.
    Library,
    /// Nobody of this name played.
    Nobody,
    /// Not a position.
    Position,
    /// Not a game.
    Game,
    /// The game is over.
    Over,
    /// An upload in no known format.
    Unknown,
    /// An upload without a game.
    Empty,
    /// An upload that cannot be read; `fault` says where and why.
    Unreadable,
    /// A run that cannot be read.
    Run,
}

impl Reason {
    /// What a status means if nothing else is said.
    fn of(status: StatusCode) -> Reason {
        match status {
            StatusCode::NOT_FOUND => Reason::Missing,
            StatusCode::FORBIDDEN => Reason::Foreign,
            StatusCode::TOO_MANY_REQUESTS => Reason::Pace,
            StatusCode::SERVICE_UNAVAILABLE => Reason::Busy,
            StatusCode::CONFLICT => Reason::Replaced,
            StatusCode::INTERNAL_SERVER_ERROR => Reason::Broken,
            StatusCode::REQUEST_TIMEOUT => Reason::Slow,
            StatusCode::PAYLOAD_TOO_LARGE => Reason::Large,
            _ => Reason::Request,
        }
    }
}

/// The longest part of a request that a sentence repeats.
const LONGEST_QUOTE: usize = 200;

#[derive(Serialize)]
struct Body<'a> {
    error: &'a str,
    reason: Reason,
    #[serde(skip_serializing_if = "Option::is_none")]
    fault: Option<&'a FaultJson>,
}

impl Refusal {
    /// A refusal with this status.
    pub fn new(status: StatusCode, sentence: impl fmt::Display) -> Refusal {
        let sentence = quoted(&sentence.to_string());
        Refusal { status, sentence, reason: Reason::of(status), fault: None, retry_after: None }
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

    /// The same for this reason.
    pub fn because(self, reason: Reason) -> Refusal {
        Refusal { reason, ..self }
    }

    /// The same with what is wrong in an upload.
    pub fn with_fault(self, fault: FaultJson) -> Refusal {
        Refusal { fault: Some(Box::new(fault)), ..self.because(Reason::Unreadable) }
    }

    /// The sentence.
    pub fn sentence(&self) -> &str {
        &self.sentence
    }
}

impl Refusal {
    fn body(&self) -> Body<'_> {
        Body { error: &self.sentence, reason: self.reason, fault: self.fault.as_deref() }
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
        let mut response = (self.status, Json(self.body())).into_response();
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
    fn the_contract_lists_every_reason() {
        let contract = include_str!("../assets/openapi.json");
        let contract: serde_json::Value = serde_json::from_str(contract).unwrap();
        let listed = contract["components"]["schemas"]["Reason"]["enum"].clone();
        let listed: Vec<Reason> = serde_json::from_value(listed).unwrap();
        let numbers: Vec<usize> = listed.iter().map(|&reason| reason as usize).collect();
        assert_eq!(numbers, (0..=Reason::Run as usize).collect::<Vec<_>>());
    }

    #[test]
    fn quotes_are_short_and_printable() {
        assert_eq!(quoted("a\nb\u{1b}[31m"), "a\\nb\\u{1b}[31m");
        assert_eq!(quoted(&"x".repeat(5000)).chars().count(), LONGEST_QUOTE + 1);
    }
}
