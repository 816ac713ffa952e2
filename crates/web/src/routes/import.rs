use std::io::Cursor;
use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

use axum::Json;
use axum::body::{Body, Bytes};
use axum::extract::State;
use axum::http::StatusCode;
use discern_board::{Game, Position};
use discern_records::{FileFault, Format, GameFile, GameRecord, pasted};
use serde::Serialize;

use super::body;
use crate::background::in_background;
use crate::fault::FaultJson;
use crate::refusal::{Reason, Refusal, quoted};
use crate::studio::Studio;

/// Faults that are told; further ones are left out.
const TOLD_FAULTS: usize = 20;

/// The longest text that is taken for something pasted.
const PASTED: usize = 256 << 10;

/// How long an upload may be read; the games until then are told.
const PATIENCE: Duration = Duration::from_secs(5);

/// How much of an upload decides on its format.
const START: usize = 8 << 10;

#[derive(Serialize)]
pub struct Answer {
    format: String,
    games: Vec<Imported>,
    faults: Vec<FaultJson>,
    truncated: bool,
}

impl Answer {
    /// What was pasted: a position if there are no moves.
    fn of(games: &[GameRecord]) -> Answer {
        let position = games.iter().all(|record| record.game.plies().is_empty());
        Answer {
            format: if position { "position" } else { "transcript" }.into(),
            games: games.iter().map(Imported::new).collect(),
            faults: Vec::new(),
            truncated: false,
        }
    }
}

#[derive(Serialize)]
struct Imported {
    black: String,
    white: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    event: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    date: Option<String>,
    start: String,
    moves: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    result: Option<i32>,
    ending: String,
}

impl Imported {
    fn new(record: &GameRecord) -> Imported {
        let known = |text: &str| (!text.is_empty()).then(|| quoted(text));
        Imported {
            black: quoted(&record.players.black.name),
            white: quoted(&record.players.white.name),
            event: known(&record.event),
            date: known(&record.date),
            start: record.game.start().to_string(),
            moves: record.game.transcript(),
            result: record.score_black.map(|score| score.discs()),
            ending: record.ending.to_string(),
        }
    }
}

/// Reads games from an upload.
pub async fn import(
    State(studio): State<Arc<Studio>>,
    body: Body,
) -> Result<Json<Answer>, Refusal> {
    let busy = |_| {
        let sentence = "too many uploads at once, please try again in a moment";
        Refusal::later(StatusCode::SERVICE_UNAVAILABLE, Duration::from_secs(1), sentence)
    };
    let upload = studio.uploads().clone().try_acquire_owned().map_err(busy)?;
    let bytes = body::read(body, studio.bounds().import_bytes, studio.bounds()).await?;
    let reader = studio.readers().clone().acquire_owned().await.expect("never closed");
    let (most, deadline) = (studio.bounds().import_games, Instant::now() + PATIENCE);
    // Goes with this request, which ends when its client does.
    let here = Arc::new(());
    let client = Arc::downgrade(&here);
    let reading = in_background(move || {
        let _places = (upload, reader);
        let is_wanted = || client.strong_count() > 0 && Instant::now() < deadline;
        read(bytes, most, is_wanted)
    });
    let answer = reading
        .await
        .map_err(|_| Refusal::bad("this could not be read").because(Reason::Broken))??;
    Ok(Json(answer))
}

/// Reads until it has enough or is no longer wanted.
fn read(bytes: Bytes, most: usize, is_wanted: impl Fn() -> bool) -> Result<Answer, Refusal> {
    if let Some(answer) = by_hand(&bytes) {
        return Ok(answer);
    }
    let text = std::str::from_utf8(&bytes).ok().filter(|text| text.len() <= PASTED);
    let start = &bytes[..bytes.len().min(START)];
    let Some(format) = Format::detect(Path::new(""), start) else {
        let sentence = "neither moves nor a position, GGF, SGF, OBF or WTHOR";
        let games =
            text.and_then(pasted).ok_or_else(|| Refusal::bad(sentence).because(Reason::Unknown))?;
        return Ok(Answer::of(&games));
    };
    // Text with one game over several lines, or with headers, is like a
    // transcript that cannot be read.
    if let (Format::Transcript, Some(text)) = (format, text)
        && text.lines().count() > 1
        && let Some(games) = pasted(text).filter(|games| games.len() == 1)
    {
        return Ok(Answer::of(&games));
    }
    let games = GameFile::from_reader(Cursor::new(bytes), "", Some(format))
        .map_err(|FileFault { fault, .. }| unreadable(format, FaultJson::new(&fault)))?;
    collect(games, most, is_wanted)
}

/// What people paste: a position, or games in no particular format.
fn by_hand(bytes: &[u8]) -> Option<Answer> {
    let text = std::str::from_utf8(bytes).ok()?.trim();
    if text.is_empty() || text.len() > PASTED {
        return None;
    }
    let games = match (text.parse::<Position>(), text.parse::<Game>()) {
        (Ok(position), _) => vec![GameRecord::new(Game::new(position))],
        (_, Ok(game)) => vec![GameRecord::new(game)],
        _ => return None,
    };
    Some(Answer::of(&games))
}

fn collect(file: GameFile, most: usize, is_wanted: impl Fn() -> bool) -> Result<Answer, Refusal> {
    let format = file.format();
    let (mut games, mut faults, mut truncated) = (Vec::new(), Vec::new(), false);
    for record in file {
        if !is_wanted() {
            truncated = true;
            break;
        }
        match record {
            Ok(_) if games.len() == most => {
                truncated = true;
                break;
            }
            Ok(record) => games.push(Imported::new(&record)),
            Err(FileFault { fault, .. }) if faults.len() < TOLD_FAULTS => {
                faults.push(FaultJson::new(&fault));
            }
            Err(_) => {}
        }
    }
    if !games.is_empty() {
        return Ok(Answer { format: format.to_string(), games, faults, truncated });
    }
    Err(match faults.into_iter().next() {
        Some(fault) => unreadable(format, fault),
        None => Refusal::bad("there is no game in it").because(Reason::Empty),
    })
}

fn unreadable(format: Format, fault: FaultJson) -> Refusal {
    let sentence = format!("cannot be read as {format}: {}", fault.sentence);
    Refusal::bad(sentence).with_fault(fault)
}
