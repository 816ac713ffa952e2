//! Requests without a socket, for fuzz targets.

use std::net::IpAddr;
use std::sync::Arc;

use axum::body::{Body, to_bytes};
use axum::extract::Request;
use axum::http::header;
use tower::ServiceExt;

use crate::front_door::Peer;
use crate::routes;
use crate::studio::Studio;

/// The status and body of the answer to a request from our own page: a POST if
/// there is a body, else a GET. `None` if that is no address.
pub async fn answer(
    studio: Arc<Studio>,
    address: &str,
    body: Option<Vec<u8>>,
) -> Option<(u16, Vec<u8>)> {
    let request = Request::builder()
        .method(if body.is_some() { "POST" } else { "GET" })
        .uri(address)
        .header(header::HOST, "127.0.0.1")
        .header(header::CONTENT_TYPE, "application/json")
        .header("sec-fetch-site", "same-origin")
        .extension(Peer(IpAddr::from([127, 0, 0, 1])))
        .body(body.map_or(Body::empty(), Body::from))
        .ok()?;
    let answer = routes::app(studio).oneshot(request).await.expect("answers never fail");
    let status = answer.status().as_u16();
    let body = to_bytes(answer.into_body(), usize::MAX).await.expect("a whole body");
    Some((status, body.to_vec()))
}
