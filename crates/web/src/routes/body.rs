use std::error::Error;

use axum::body::{Body, Bytes, to_bytes};
use axum::http::StatusCode;

use crate::refusal::Refusal;
use crate::settings::Bounds;

/// Reads a body of at most `limit` bytes that does not dawdle.
pub async fn read(body: Body, limit: usize, bounds: &Bounds) -> Result<Bytes, Refusal> {
    match tokio::time::timeout(bounds.reading, to_bytes(body, limit)).await {
        Ok(Ok(bytes)) => Ok(bytes),
        Ok(Err(error)) if is_too_large(&error) => {
            let sentence = format!("at most {limit} bytes are read");
            Err(Refusal::new(StatusCode::PAYLOAD_TOO_LARGE, sentence))
        }
        Ok(Err(_)) => Err(Refusal::bad("the body could not be read")),
        Err(_) => Err(Refusal::new(StatusCode::REQUEST_TIMEOUT, "the body came too slowly")),
    }
}

fn is_too_large(error: &axum::Error) -> bool {
    let mut cause: Option<&dyn Error> = Some(error);
    while let Some(error) = cause {
        if error.is::<http_body_util::LengthLimitError>() {
            return true;
        }
        cause = error.source();
    }
    false
}
