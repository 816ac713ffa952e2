use std::fmt::Write;

use axum::body::Body;
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::{IntoResponse, Response};
use rust_embed::Embed;

use crate::refusal::Refusal;

/// The files of the page. Debug builds read them from the source tree, so
/// that the page can be edited while the server runs.
#[derive(Embed)]
#[folder = "assets/"]
struct Assets;

/// One of the embedded files. Names are looked up in the list of files, so
/// that nothing in a request is ever a path.
pub fn asset(name: &str, request: &HeaderMap) -> Response {
    let Some(name) = Assets::iter().find(|known| known == name) else {
        return Refusal::missing("there is no such page").into_response();
    };
    let Some(file) = Assets::get(&name) else {
        return Refusal::missing("this file is gone").into_response();
    };
    let mut tag = String::from("W/\"");
    for byte in &file.metadata.sha256_hash()[..16] {
        write!(tag, "{byte:02x}").expect("strings grow");
    }
    tag.push('"');
    let known = request.get_all(header::IF_NONE_MATCH).iter().any(|value| {
        value.to_str().is_ok_and(|tags| tags.split(',').any(|known| known.trim() == tag))
    });
    let kind = match file.metadata.mimetype() {
        text if text.starts_with("text/") => format!("{text}; charset=utf-8"),
        other => other.to_owned(),
    };
    // Always asked for again, mostly answered with 304: a new version of the
    // program shows at once.
    let headers = [
        (header::ETAG, tag),
        (header::CACHE_CONTROL, "no-cache".into()),
        (header::CONTENT_TYPE, kind),
    ];
    match known {
        true => (StatusCode::NOT_MODIFIED, headers).into_response(),
        false => (headers, Body::from(file.data)).into_response(),
    }
}
