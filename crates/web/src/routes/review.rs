use std::sync::Arc;

use async_stream::stream;
use axum::extract::State;
use axum::response::Response;
use discern_board::Move;
use discern_review::{Counts, EngineSearch, ReviewedMove, Summary};
use serde::{Deserialize, Serialize};
use tokio::sync::mpsc;

use super::analyze::limits;
use super::request::{self, Asked};
use super::stream::{Waiting, event, events};
use crate::background::in_background;
use crate::refusal::Refusal;
use crate::seats::Ended;
use crate::studio::Studio;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Query {
    client: String,
    start: Option<String>,
    moves: String,
    model: Option<String>,
    threads: Option<usize>,
    seconds: Option<f64>,
    counts: Option<String>,
}

/// A move of the game, and how far the review is.
#[derive(Serialize)]
struct Judged {
    #[serde(flatten)]
    reviewed: ReviewedMove,
    progress: Share,
}

#[derive(Serialize)]
struct Share {
    done: usize,
    total: usize,
}

#[derive(Serialize)]
struct Done {
    reason: Reason,
    summary: Summary,
    #[serde(skip_serializing_if = "Option::is_none")]
    final_score: Option<i32>,
}

#[derive(Serialize)]
#[serde(rename_all = "lowercase")]
enum Reason {
    Complete,
    #[serde(untagged)]
    Ended(Ended),
}

/// Analyses a whole game as a stream of its moves, the last move first: what
/// is learned of later positions helps with the earlier ones.
pub async fn review(
    State(studio): State<Arc<Studio>>,
    Asked(query): Asked<Query>,
) -> Result<Response, Refusal> {
    let client = request::client(&query.client)?.to_owned();
    let game = request::game(query.start.as_deref(), &query.moves)?;
    let model = studio.models().named(query.model.as_deref())?;
    let threads = request::threads(query.threads, &studio)?;
    let time = request::time(query.seconds.unwrap_or(0.5), studio.bounds())?;
    let counts: Counts = query.counts.as_deref().unwrap_or("both").parse().map_err(Refusal::bad)?;
    let total = game.moves().filter(|&mv| mv != Move::Pass).count();
    let final_score = game.score_black().map(|score| score.discs());
    // All moves together stay within what one request may take.
    let share = studio.bounds().search * 2 / total.max(1) as u32;
    let limits = limits(time.min(share), 1);
    let mut turn = studio.seats().enter(&client, threads)?;
    Ok(events(stream! {
        if !turn.is_free() {
            yield event("waiting", &Waiting { ahead: turn.ahead() });
        }
        let mut summary = Summary::default();
        let seat = match turn.seat().await {
            Ok(seat) => seat,
            Err(ended) => {
                yield event("done", &Done { reason: Reason::Ended(ended), summary, final_score });
                return;
            }
        };
        // Room for a whole game: the search never waits for the reader.
        let (sender, mut receiver) = mpsc::channel(total.max(1));
        let work = in_background(move || {
            studio.search(&seat, &client, &model, threads, |engine, stop| {
                let mut search = EngineSearch { engine, limits, stop };
                for reviewed in discern_review::review(&game, &mut search, counts) {
                    let _ = sender.try_send(reviewed);
                }
            })
        });
        let mut done = 0;
        while let Some(reviewed) = receiver.recv().await {
            summary.add(&reviewed);
            done += 1;
            yield event("move", &Judged { reviewed, progress: Share { done, total } });
        }
        let reason = match (turn.ended(), work.await) {
            (Some(ended), _) => Reason::Ended(ended),
            (None, Ok(Ok(()))) => Reason::Complete,
            // No memory for a table, or a fault of ours: the page may ask again.
            (None, _) => Reason::Ended(Ended::Busy),
        };
        yield event("done", &Done { reason, summary, final_score });
    }))
}
