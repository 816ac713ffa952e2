use std::sync::Arc;
use std::time::Duration;

use async_stream::stream;
use axum::extract::State;
use axum::response::Response;
use discern_board::{Board, Color, Game, Move, Outcome, Ply, Position};
use discern_search::{Certainty, Engine, Limits, Line, StopFlag};
use serde::{Deserialize, Serialize};
use tokio::sync::mpsc;

use super::analyze::limits;
use super::request::{self, Asked};
use super::stream::{Waiting, event, events};
use crate::line::{is_exact, probability};
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
}

/// A move of the game and what it cost.
#[derive(Debug, Clone, Serialize)]
struct Reviewed {
    ply: usize,
    position: String,
    mover: String,
    played: String,
    best: String,
    probability_best: f64,
    probability_played: f64,
    loss: f64,
    grade: Grade,
    phase: Phase,
    depth: u32,
    exact: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    score_best: Option<i32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    score_played: Option<i32>,
    black_probability: f64,
    /// The expected play after the best move.
    pv: String,
    progress: Share,
}

#[derive(Debug, Clone, Copy, Serialize)]
struct Share {
    done: usize,
    total: usize,
}

/// A move by the probability it lost.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
enum Grade {
    Best,
    Good,
    Inaccuracy,
    Mistake,
    Blunder,
}

impl Grade {
    fn of(loss: f64, best: bool) -> Grade {
        match loss {
            _ if best => Grade::Best,
            loss if loss < 0.02 => Grade::Good,
            loss if loss < 0.06 => Grade::Inaccuracy,
            loss if loss < 0.15 => Grade::Mistake,
            _ => Grade::Blunder,
        }
    }
}

/// Part of a game.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
enum Phase {
    Opening,
    Midgame,
    Endgame,
}

impl Phase {
    fn of(board: &Board) -> Phase {
        match board.discs() {
            ..=20 => Phase::Opening,
            21..=44 => Phase::Midgame,
            _ => Phase::Endgame,
        }
    }
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

#[derive(Default, Serialize)]
struct Summary {
    black: Side,
    white: Side,
}

/// How a side did in each part of the game.
#[derive(Default, Serialize)]
struct Side {
    opening: Part,
    midgame: Part,
    endgame: Part,
    total: Part,
}

#[derive(Default, Serialize)]
struct Part {
    moves: u32,
    mean_loss: f64,
    inaccuracies: u32,
    mistakes: u32,
    blunders: u32,
}

impl Part {
    fn add(&mut self, reviewed: &Reviewed) {
        let sum = self.mean_loss * f64::from(self.moves) + reviewed.loss;
        self.moves += 1;
        self.mean_loss = sum / f64::from(self.moves);
        match reviewed.grade {
            Grade::Best | Grade::Good => {}
            Grade::Inaccuracy => self.inaccuracies += 1,
            Grade::Mistake => self.mistakes += 1,
            Grade::Blunder => self.blunders += 1,
        }
    }
}

impl Summary {
    fn add(&mut self, reviewed: &Reviewed) {
        let black = reviewed.mover == Color::Black.to_string();
        let side = if black { &mut self.black } else { &mut self.white };
        let part = match reviewed.phase {
            Phase::Opening => &mut side.opening,
            Phase::Midgame => &mut side.midgame,
            Phase::Endgame => &mut side.endgame,
        };
        part.add(reviewed);
        side.total.add(reviewed);
    }
}

/// Analyses a whole game as a stream of its moves, the last move first: what
/// is learned of later positions helps with the earlier ones.
pub async fn review(
    State(studio): State<Arc<Studio>>,
    Asked(query): Asked<Query>,
) -> Result<Response, Refusal> {
    let client = request::client(&query.client)?.to_owned();
    let start = query.start.as_deref().map_or(Ok(Position::START), request::position)?;
    let game = Game::from_transcript(start, &query.moves)
        .map_err(|error| Refusal::bad(format_args!("not a game: {error}")))?;
    let model = studio.models().named(query.model.as_deref())?;
    let threads = request::threads(query.threads, studio.bounds())?;
    let time = request::time(query.seconds.unwrap_or(0.5), studio.bounds())?;
    let plies: Vec<(usize, Ply)> =
        game.plies().iter().copied().enumerate().filter(|(_, ply)| ply.mv != Move::Pass).collect();
    let final_score = game.score_black().map(|score| score.discs());
    // All moves together stay within what one request may take.
    let share = studio.bounds().search * 2 / plies.len().max(1) as u32;
    let time = time.min(share);
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
        let total = plies.len();
        let (sender, mut receiver) = mpsc::channel(total.max(1));
        let work = tokio::task::spawn_blocking(move || {
            studio.search(&seat, &client, model, threads, |engine, stop| {
                for (done, &(number, ply)) in plies.iter().rev().enumerate() {
                    let Some(mut reviewed) = examine(engine, &ply, time, stop) else { return };
                    reviewed.ply = number;
                    reviewed.progress = Share { done: done + 1, total };
                    let _ = sender.try_send(reviewed);
                }
            })
        });
        while let Some(reviewed) = receiver.recv().await {
            summary.add(&reviewed);
            yield event("move", &reviewed);
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

/// The value of a move for the side that makes it.
#[derive(Clone, Copy)]
struct Worth {
    probability: f64,
    score: Option<i32>,
    exact: bool,
}

impl Worth {
    fn of(line: &Line) -> Worth {
        Worth {
            probability: probability(line),
            score: line.score().map(|score| score.discs()),
            exact: is_exact(line),
        }
    }

    /// From the other side.
    fn reversed(self) -> Worth {
        Worth {
            probability: 1.0 - self.probability,
            score: self.score.map(|score| -score),
            exact: self.exact,
        }
    }

    fn of_end(board: &Board) -> Worth {
        let score = board.final_score();
        let probability = match score.outcome() {
            Outcome::Win => 1.0,
            Outcome::Draw => 0.5,
            Outcome::Loss => 0.0,
        };
        Worth { probability, score: Some(score.discs()), exact: true }
    }
}

/// Compares a move with the best one, both seen equally deep; `None` when
/// stopped.
fn examine(
    engine: &mut dyn Engine,
    ply: &Ply,
    time: Duration,
    stop: &StopFlag,
) -> Option<Reviewed> {
    let Position { board, mover } = ply.before;
    let report = engine.search(&board, &limits(time, 1), stop, &mut |_| {});
    let line = report.best().filter(|_| !stop.is_stopped())?;
    let mut best = Worth::of(line);
    let mut best_move = line.mv;
    let after = board.play(ply.mv)?;
    let played = if after.is_over() {
        Worth::of_end(&after).reversed()
    } else if line.mv == ply.mv {
        best
    } else {
        let depth = match line.certainty {
            Certainty::Depth(depth) => Some(depth.saturating_sub(1).max(1)),
            _ => None,
        };
        let limits = Limits { depth, ..limits(time, 1) };
        let reply = engine.search(&after, &limits, stop, &mut |_| {});
        Worth::of(reply.best().filter(|_| !stop.is_stopped())?).reversed()
    };
    if line.mv == ply.mv || played.probability > best.probability {
        // Or seen more clearly than the move the search preferred.
        best = played;
        best_move = ply.mv;
    }
    let loss = best.probability - played.probability;
    let equal = best_move == ply.mv || loss == 0.0 && best.score == played.score;
    let black = |probability: f64| match mover {
        Color::Black => probability,
        Color::White => 1.0 - probability,
    };
    Some(Reviewed {
        ply: 0,
        position: ply.before.to_string(),
        mover: mover.to_string(),
        played: ply.mv.to_string(),
        best: best_move.to_string(),
        probability_best: best.probability,
        probability_played: played.probability,
        loss,
        grade: Grade::of(loss, equal),
        phase: Phase::of(&board),
        depth: match line.certainty {
            Certainty::Depth(depth) => depth,
            _ => board.empties(),
        },
        exact: best.exact && played.exact,
        score_best: best.score,
        score_played: played.score,
        black_probability: black(played.probability),
        pv: line.pv.iter().map(Move::to_string).collect(),
        progress: Share { done: 0, total: 0 },
    })
}
