use std::sync::Arc;
use std::time::Duration;

use axum::Json;
use axum::body::Body;
use axum::extract::State;
use axum::http::{HeaderMap, StatusCode, header};
use discern_board::{Board, Dice};
use discern_players::{Level, Randomness};
use discern_search::{Clock, Limits, MoveTime};
use serde::{Deserialize, Serialize};

use super::{body, request};
use crate::background::in_background;
use crate::line::LineJson;
use crate::refusal::{Reason, Refusal};
use crate::seats::Ended;
use crate::studio::Studio;

/// The largest request.
const LARGEST: usize = 4 << 10;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Asked {
    client: String,
    position: String,
    model: Option<String>,
    /// A named strength in the place of model and limit; a clock may be added.
    level: Option<String>,
    /// What the variety of a level depends on.
    seed: Option<u64>,
    threads: Option<usize>,
    limit: Option<Limit>,
}

/// How to find the move.
struct Way {
    model: String,
    limits: Limits,
    /// Which of the lines to play; the first if not given.
    strays: Option<(Randomness, Dice)>,
}

impl Asked {
    fn way(&self, studio: &Studio, board: &Board) -> Result<Way, Refusal> {
        let time = self.limit.as_ref().map(|limit| limit.limits(studio, board.empties()));
        let Some(name) = &self.level else {
            let model = studio.models().named(self.model.as_deref())?;
            let limits = time.ok_or_else(|| Refusal::bad("a move needs a level or a limit"))??;
            return Ok(Way { model, limits, strays: None });
        };
        let level = Level::named(name).ok_or_else(|| {
            Refusal::bad(format_args!("there is no level '{name}', only {}", Level::names()))
        })?;
        let player = level.player();
        let known = player.as_engine().and_then(|engine| Ok((engine, player.search_limits()?)));
        let (engine, limits) = known.map_err(Refusal::bad)?;
        // Weights without the level's model lend another one.
        let model = studio.models().named(Some(&engine.model));
        let model = model.or_else(|_| studio.models().named(None))?;
        let longest = Some(MoveTime::fixed(studio.bounds().search));
        let time = time.transpose()?.map_or(longest, |clock| clock.time);
        let mut limits = Limits { time, ..limits };
        let mut dice = Dice::new(&[self.seed.unwrap_or(0), u64::from(board.empties())]);
        let strays =
            player.randomness.filter(|randomness| randomness.strays(board.empties(), &mut dice));
        if let Some(randomness) = strays {
            limits.lines = randomness.moves as usize;
        }
        Ok(Way { model, limits, strays: strays.map(|randomness| (randomness, dice)) })
    }
}

/// How long to think.
#[derive(Deserialize)]
#[serde(rename_all = "lowercase", deny_unknown_fields)]
enum Limit {
    Depth(u32),
    Seconds(f64),
    Clock(ClockAsked),
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct ClockAsked {
    left: f64,
    #[serde(default)]
    increment: f64,
}

#[derive(Serialize)]
pub struct Answer {
    #[serde(flatten)]
    line: LineJson,
    seconds: f64,
    nodes: u64,
}

impl Limit {
    fn limits(&self, studio: &Studio, empties: u32) -> Result<Limits, Refusal> {
        let longest = studio.bounds().search;
        match self {
            Limit::Depth(depth @ 1..=60) => {
                Ok(Limits { time: Some(MoveTime::fixed(longest)), ..Limits::depth(*depth) })
            }
            Limit::Depth(_) => Err(Refusal::bad("a depth is from 1 to 60 plies")),
            Limit::Seconds(seconds) => {
                let time = request::time(*seconds, studio.bounds())?;
                Ok(Limits::within(MoveTime::fixed(time)))
            }
            Limit::Clock(ClockAsked { left, increment }) => {
                let [left, increment] = [*left, *increment].map(|seconds| {
                    Duration::try_from_secs_f64(seconds).ok().filter(|time| time.as_secs() < 86_400)
                });
                let (Some(left), Some(increment)) = (left, increment) else {
                    return Err(Refusal::bad("a clock has from 0 seconds to a day"));
                };
                let MoveTime { target, maximum } = Clock { left, increment }.move_time(empties);
                let time = MoveTime { target: target.min(longest), maximum: maximum.min(longest) };
                Ok(Limits::within(time))
            }
        }
    }
}

/// How long a move waits for its turn: within a second it is thought about or refused, and a page
/// asks again.
const PATIENCE: Duration = Duration::from_millis(800);

/// Finds a move to play.
pub async fn play(
    State(studio): State<Arc<Studio>>,
    headers: HeaderMap,
    body: Body,
) -> Result<Json<Answer>, Refusal> {
    let kind = headers.get(header::CONTENT_TYPE).and_then(|kind| kind.to_str().ok());
    let kind = kind.and_then(|kind| kind.split(';').next()).map(str::trim);
    if !kind.is_some_and(|kind| kind.eq_ignore_ascii_case("application/json")) {
        let sentence = "a move is asked for with Content-Type: application/json";
        return Err(Refusal::new(StatusCode::UNSUPPORTED_MEDIA_TYPE, sentence));
    }
    let body = body::read(body, LARGEST, studio.bounds()).await?;
    let asked: Asked = serde_json::from_slice(&body).map_err(Refusal::bad)?;
    let client = request::client(&asked.client)?.to_owned();
    let board = request::position(&asked.position)?.board;
    if board.is_over() {
        let sentence = "neither side can move: the game is over";
        return Err(Refusal::bad(sentence).because(Reason::Over));
    }
    let Way { model, limits, strays } = asked.way(&studio, &board)?;
    // A depth with one thread gives the same move every time.
    let threads = match limits.depth {
        Some(_) => asked.threads.unwrap_or(1).min(studio.bounds().threads),
        None => request::threads(asked.threads, &studio)?,
    };
    let mut turn = studio.seats().enter_for_move(&client, threads)?;
    let seat = tokio::time::timeout(PATIENCE, turn.seat()).await.unwrap_or(Err(Ended::Busy));
    let seat = seat.map_err(ended)?;
    let search = in_background(move || {
        studio.search(&seat, &client, &model, threads, |engine, stop| {
            engine.search(&board, &limits, stop, &mut |_| {})
        })
    });
    let broken = |_| Refusal::new(StatusCode::INTERNAL_SERVER_ERROR, "the search broke down");
    let report = search.await.map_err(broken)?.map_err(|_| ended(Ended::Busy))?;
    if let Some(why) = turn.ended() {
        return Err(ended(why));
    }
    let chosen = strays.map_or(0, |(randomness, mut dice)| randomness.choose(&report, &mut dice));
    let line = report.lines.get(chosen).expect("the game is not over");
    Ok(Json(Answer {
        line: LineJson::new(line, board.empties()),
        seconds: report.time.as_secs_f64(),
        nodes: report.nodes,
    }))
}

/// Why there is no move.
fn ended(why: Ended) -> Refusal {
    let later = |sentence| {
        Refusal::later(StatusCode::SERVICE_UNAVAILABLE, Duration::from_secs(1), sentence)
    };
    match why {
        Ended::Replaced => {
            Refusal::new(StatusCode::CONFLICT, "the same client has asked for something else")
        }
        Ended::Busy => later("all places for analyses are taken, please try again in a moment"),
        Ended::Stopped => later("the server is closing").because(Reason::Closing),
    }
}
