use std::sync::Arc;
use std::time::Duration;

use async_stream::stream;
use axum::extract::State;
use axum::response::Response;
use discern_board::{Color, Game, Position};
use discern_search::{Certainty, Limits, Line, MoveTime, Report};
use serde::{Deserialize, Serialize};
use tokio::sync::watch;

use super::request::{self, Asked};
use super::stream::{Waiting, event, events};
use crate::background::in_background;
use crate::line::LineJson;
use crate::refusal::Refusal;
use crate::seats::Ended;
use crate::steady::Steady;
use crate::studio::Studio;

/// Between two events of a stream.
const PACE: Duration = Duration::from_millis(100);

/// Solve the score from this many empty squares on, if time allows.
const SCORE_EMPTIES: u32 = 22;
/// Solve the outcome from this many empty squares on, if time allows.
const OUTCOME_EMPTIES: u32 = 24;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Query {
    client: String,
    position: String,
    model: Option<String>,
    threads: Option<usize>,
    lines: Option<usize>,
    seconds: Option<f64>,
}

/// How far a search is.
#[derive(Debug, Clone, Default, Serialize)]
struct Progress {
    depth: u32,
    nodes: u64,
    nodes_per_second: f64,
    seconds: f64,
    mover: String,
    /// What the search is out to prove.
    #[serde(skip_serializing_if = "Option::is_none")]
    proving: Option<&'static str>,
    /// How sure a search is that leaves out what is improbable.
    #[serde(skip_serializing_if = "Option::is_none")]
    confidence: Option<f64>,
    lines: Vec<LineJson>,
}

#[derive(Serialize)]
struct Done {
    #[serde(flatten)]
    progress: Progress,
    reason: Reason,
    #[serde(skip_serializing_if = "Option::is_none")]
    final_score: Option<i32>,
}

#[derive(Clone, Copy, Serialize)]
#[serde(rename_all = "lowercase")]
enum Reason {
    Solved,
    Limit,
    Over,
    #[serde(untagged)]
    Ended(Ended),
}

impl Progress {
    fn new(report: &Report, position: &Position, limits: &Limits, steady: &mut Steady) -> Progress {
        let empties = position.board.empties();
        let mut lines: Vec<LineJson> = report
            .lines
            .iter()
            .map(|line| LineJson::shown(line, steady.estimate(line), empties))
            .collect();
        // What is shown decides, so that the list is in the order of its odds.
        lines.sort_by(|a, b| b.worth.probability.total_cmp(&a.worth.probability));
        let proving = limits.solves(empties);
        Progress {
            proving: proving.map(|certainty| match certainty {
                Certainty::Score => "score",
                _ => "outcome",
            }),
            confidence: report.confidence,
            depth: lines.first().map_or(0, |line| line.worth.depth),
            nodes: report.nodes,
            nodes_per_second: report.nodes_per_second(),
            seconds: report.time.as_secs_f64(),
            mover: position.mover.to_string(),
            lines,
        }
    }

    fn nothing(mover: Color) -> Progress {
        Progress { mover: mover.to_string(), ..Progress::default() }
    }
}

/// Until `time` is up: a stream is not a move to be made, so the last
/// iteration may begin late.
pub fn limits(time: Duration, lines: usize) -> Limits {
    Limits {
        outcome_empties: OUTCOME_EMPTIES,
        score_empties: SCORE_EMPTIES,
        lines,
        ..Limits::within(MoveTime { target: time * 4, maximum: time })
    }
}

/// Analyses a position as a stream that deepens.
pub async fn analyze(
    State(studio): State<Arc<Studio>>,
    Asked(query): Asked<Query>,
) -> Result<Response, Refusal> {
    let client = request::client(&query.client)?.to_owned();
    let position = request::position(&query.position)?;
    let model = studio.models().named(query.model.as_deref())?;
    let threads = request::threads(query.threads, &studio)?;
    let time = request::time(query.seconds.unwrap_or(30.0), studio.bounds())?;
    let limits = limits(time, query.lines.unwrap_or(64).clamp(1, 64));
    let nothing = Progress::nothing(position.mover);
    if position.board.is_over() {
        let final_score = Game::new(position).score_black().map(|score| score.discs());
        let done = Done { progress: nothing, reason: Reason::Over, final_score };
        return Ok(events(stream! { yield event("done", &done) }));
    }
    let mut turn = studio.seats().enter(&client, threads)?;
    Ok(events(stream! {
        if !turn.is_free() {
            yield event("waiting", &Waiting { ahead: turn.ahead() });
        }
        let seat = match turn.seat().await {
            Ok(seat) => seat,
            Err(ended) => {
                let reason = Reason::Ended(ended);
                yield event("done", &Done { progress: nothing, reason, final_score: None });
                return;
            }
        };
        let (sender, mut receiver) = watch::channel(nothing.clone());
        let search = in_background(move || {
            studio.search(&seat, &client, &model, threads, |engine, stop| {
                let mut steady = Steady::default();
                let report = engine.search(&position.board, &limits, stop, &mut |report| {
                    sender.send_replace(Progress::new(report, &position, &limits, &mut steady));
                });
                let solved = report.lines.iter().all(Line::is_proven);
                (Progress::new(&report, &position, &limits, &mut steady), solved)
            })
        });
        while receiver.changed().await.is_ok() {
            let progress = receiver.borrow_and_update().clone();
            yield event("progress", &progress);
            tokio::time::sleep(PACE).await;
        }
        let done = match search.await {
            Ok(Ok((progress, solved))) => {
                let otherwise = if solved { Reason::Solved } else { Reason::Limit };
                let reason = turn.ended().map_or(otherwise, Reason::Ended);
                Done { progress, reason, final_score: None }
            }
            // No memory for a table, or a fault of ours: the page may ask again.
            _ => Done { progress: nothing, reason: Reason::Ended(Ended::Busy), final_score: None },
        };
        yield event("done", &done);
    }))
}
