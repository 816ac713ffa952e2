use std::sync::Arc;
use std::time::Duration;

use async_stream::stream;
use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use axum::response::Response;
use tokio::time::Instant;

use super::request::Called;
use super::stream::{event, events};
use crate::background::in_background;
use crate::refusal::{Reason, Refusal};
use crate::runs::{Listing, Run, Shown};
use crate::studio::Studio;

/// How often a running tournament is looked at.
const LOOK: Duration = Duration::from_secs(1);

/// A stream ends after this time; browsers come back by themselves.
const LONGEST: Duration = Duration::from_secs(3600);

/// Runs `work`, which reads files, where it does not hold up others.
async fn reading<T: Send + 'static>(
    work: impl FnOnce() -> T + Send + 'static,
) -> Result<T, Refusal> {
    let broken = |_| Refusal::new(StatusCode::INTERNAL_SERVER_ERROR, "reading a run broke down");
    in_background(work).await.map_err(broken)
}

/// The list of runs.
pub async fn list(State(studio): State<Arc<Studio>>) -> Result<Json<Listing>, Refusal> {
    reading(move || studio.runs().list()).await.map(Json)
}

/// One run.
pub async fn show(
    State(studio): State<Arc<Studio>>,
    Called(id): Called,
) -> Result<Json<Shown>, Refusal> {
    let run = find(studio, id).await?;
    let unreadable = |sentence| Refusal::missing(sentence).because(Reason::Run);
    reading(move || run.show()).await?.map(Json).map_err(unreadable)
}

/// A tournament while it runs: its table whenever it has grown.
pub async fn live(
    State(studio): State<Arc<Studio>>,
    Called(id): Called,
) -> Result<Response, Refusal> {
    let run = find(studio.clone(), id).await?;
    if !run.grows() {
        return Err(Refusal::missing("this run is complete"));
    }
    let place = studio.spectators().try_acquire_owned().map_err(|_| {
        let sentence = "too many watch tournaments already, please try again in a moment";
        Refusal::later(StatusCode::SERVICE_UNAVAILABLE, Duration::from_secs(30), sentence)
    })?;
    Ok(events(stream! {
        let _place = place;
        let begun = Instant::now();
        let mut shown = None;
        while begun.elapsed() < LONGEST && !studio.is_closing() {
            let look = run.clone();
            let size = reading(move || look.size()).await.ok().flatten();
            if size.is_some() && size != shown {
                shown = size;
                let look = run.clone();
                // A file between two writes is read at the next look.
                if let Ok(Ok(table)) = reading(move || look.show()).await {
                    yield event("table", &table);
                }
            }
            tokio::time::sleep(LOOK).await;
        }
    }))
}

async fn find(studio: Arc<Studio>, id: String) -> Result<Run, Refusal> {
    reading(move || studio.runs().find(&id))
        .await?
        .ok_or_else(|| Refusal::missing("there is no such run"))
}
