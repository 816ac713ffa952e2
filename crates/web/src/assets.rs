use std::borrow::Cow;
use std::path::Path;

use axum::body::Body;
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::{IntoResponse, Response};

use crate::refusal::Refusal;

/// The files of the page, by name.
const FILES: &[(&str, &[u8])] = include!(concat!(env!("OUT_DIR"), "/assets.rs"));

/// The code of the worker, which needs the names of all files before it.
const WORKER: &str = "worker.js";

/// One of the embedded files. Names are looked up in the list of files, so
/// that nothing in a request is ever a path.
pub fn asset(name: &str, request: &HeaderMap) -> Response {
    let Some(&(name, embedded)) = FILES.iter().find(|(known, _)| *known == name) else {
        return Refusal::missing("there is no such page").into_response();
    };
    let Some(kind) = kind(name) else {
        return Refusal::missing("this file is of no kind that a page has").into_response();
    };
    answer(contents(name, embedded), kind, request)
}

/// The worker that keeps the page, told what to keep. Its text changes with
/// every file, so that browsers notice a new version of the program.
pub fn service_worker(request: &HeaderMap) -> Response {
    let mut hash = blake3::Hasher::new();
    for (name, embedded) in FILES {
        hash.update(name.as_bytes()).update(&contents(name, embedded));
    }
    let version = &hash.finalize().to_hex()[..16];
    let names: Vec<&str> = FILES.iter().map(|(name, _)| *name).collect();
    let names = serde_json::to_string(&names).expect("names are text");
    let &(name, embedded) =
        FILES.iter().find(|(name, _)| *name == WORKER).expect("a file of the page");
    let code = String::from_utf8_lossy(&contents(name, embedded)).into_owned();
    let code = format!("const VERSION = '{version}';\nconst NAMES = {names};\n{code}");
    answer(code.into_bytes().into(), "text/javascript; charset=utf-8", request)
}

fn answer(bytes: Cow<'static, [u8]>, kind: &'static str, request: &HeaderMap) -> Response {
    let tag = format!("W/\"{}\"", &blake3::hash(&bytes).to_hex()[..32]);
    let known = request.get_all(header::IF_NONE_MATCH).iter().any(|value| {
        value.to_str().is_ok_and(|tags| tags.split(',').any(|known| known.trim() == tag))
    });
    // Always asked for again, mostly answered with 304: a new version of the
    // program shows at once.
    let headers = [
        (header::ETAG, tag),
        (header::CACHE_CONTROL, "no-cache".into()),
        (header::CONTENT_TYPE, kind.into()),
    ];
    match known {
        true => (StatusCode::NOT_MODIFIED, headers).into_response(),
        false => (headers, Body::from(bytes.into_owned())).into_response(),
    }
}

/// The bytes of a file. Debug builds read them from the source tree, if it is
/// there, so that the page can be edited while the server runs.
fn contents(name: &str, embedded: &'static [u8]) -> Cow<'static, [u8]> {
    if cfg!(debug_assertions) {
        let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("assets").join(name);
        if let Ok(bytes) = std::fs::read(source) {
            return bytes.into();
        }
    }
    embedded.into()
}

/// What the browser is to take a file for.
fn kind(name: &str) -> Option<&'static str> {
    Some(match name.rsplit_once('.')?.1 {
        "css" => "text/css; charset=utf-8",
        "html" => "text/html; charset=utf-8",
        "js" => "text/javascript; charset=utf-8",
        "json" => "application/json",
        "svg" => "image/svg+xml",
        "webmanifest" => "application/manifest+json",
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_file_of_the_page_is_embedded_whole_and_of_a_known_kind() {
        assert!(FILES.iter().any(|(name, _)| *name == "index.html"));
        for (name, embedded) in FILES {
            assert!(kind(name).is_some(), "{name}");
            assert_eq!(contents(name, embedded), *embedded, "{name}");
        }
    }
}
