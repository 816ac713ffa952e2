//! What the server answers: one file for each address.

mod analyze;
mod body;
mod book;
mod experiments;
mod explain;
mod import;
mod info;
mod library;
mod play;
mod request;
mod review;
mod stream;

use std::sync::Arc;

use axum::Router;
use axum::http::{HeaderMap, StatusCode, header};
use axum::middleware::from_fn_with_state;
use axum::response::{IntoResponse, Response};
use axum::routing::{get, post};
use tower_http::compression::CompressionLayer;

use self::request::Called;
use crate::assets::{asset, service_worker};
use crate::front_door::front_door;
use crate::refusal::Refusal;
use crate::studio::Studio;

/// All routes behind the front door.
pub fn app(studio: Arc<Studio>) -> Router {
    let page = Router::new()
        .route("/", get(|headers: HeaderMap| async move { asset("index.html", &headers) }))
        .route(
            "/openapi.json",
            get(|headers: HeaderMap| async move { asset("openapi.json", &headers) }),
        )
        .route("/assets/{*file}", get(file))
        .route("/service-worker.js", get(worker))
        .route("/report.css", get(report_style))
        // What the report draws of a run is large text.
        .route("/api/experiments/{id}", get(experiments::show))
        .layer(CompressionLayer::new());
    let api = Router::new()
        .route("/api/info", get(info::info))
        .route("/api/analyze", get(analyze::analyze))
        .route("/api/review", get(review::review))
        .route("/api/explain", get(explain::explain))
        .route("/api/book", get(book::book))
        .route("/api/library", get(library::find))
        .route("/api/library/names", get(library::names))
        .route("/api/library/player", get(library::player))
        .route("/api/move", post(play::play))
        .route("/api/import", post(import::import))
        .route("/api/experiments", get(experiments::list))
        .route("/api/experiments/{id}/live", get(experiments::live));
    page.merge(api)
        .fallback(|| async { Refusal::missing("there is no such page") })
        .method_not_allowed_fallback(|| async {
            Refusal::new(StatusCode::METHOD_NOT_ALLOWED, "this address is not asked for like that")
        })
        .layer(from_fn_with_state(studio.clone(), front_door))
        .with_state(studio)
}

/// The style sheet of what the report draws.
async fn report_style() -> impl IntoResponse {
    ([(header::CONTENT_TYPE, "text/css; charset=utf-8")], discern_report::style_sheet())
}

/// What keeps the page for times without a server. At the root, because a
/// worker is in charge of the addresses below its own.
async fn worker(headers: HeaderMap) -> Response {
    service_worker(&headers)
}

async fn file(Called(file): Called, headers: HeaderMap) -> Response {
    asset(&file, &headers)
}
