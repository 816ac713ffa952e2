//! Step 4: the seven rows of Table 1.

use std::path::PathBuf;
use std::sync::Arc;

use anyhow::{Context, Result, bail};
use discern_arena::Rules;
use discern_arena::player::{EnginePlayer, Player};
use discern_arena::stats::Pair;
use discern_arena::tournament::{
    Conclusion, Contestant, Halt, Plan, Results, Schedule, Tournament,
};
use discern_board::{Color, Game};
use discern_eval::Weights;
use discern_records::archive::{ArchiveReader, ArchiveWriter};
use discern_records::{Clock, Ending, Evaluation, Limits};
use discern_search::Model;

use super::engine::engine;
use super::folder::Folder;
use super::paper::{MINUTES, Row, TABLE};
use super::progress::Progress;
use crate::commands::tournament::listen_for_signals;

/// What the games of a row need.
pub struct Hall<'a> {
    pub weights: Arc<Weights>,
    /// Names the weights.
    pub weights_hash: String,
    pub openings: Vec<Game>,
    /// Seconds a side has for the paper's 30 minutes.
    pub seconds: f64,
    pub concurrency: usize,
    pub folder: &'a mut Folder,
}

/// What the games of a row came to.
pub struct Played {
    /// The result of each opening, from the first player's side.
    pub pairs: Vec<Pair>,
    /// Seconds for a game, each player.
    pub seconds: [f64; 2],
    /// Mean nodes a game, each player.
    pub nodes: [f64; 2],
    /// Mean depth of the searches that proved nothing, each player.
    pub depth: [f64; 2],
    /// Games lost on time, each player.
    pub time_losses: [usize; 2],
    /// The archive of the games.
    pub archive: PathBuf,
}

/// Plays what is missing of the seven rows.
pub fn play(hall: Hall) -> Result<Vec<Played>> {
    let plans: Vec<Plan> = TABLE.iter().map(|row| plan(&hall, row)).collect();
    let halt = Arc::new(Halt::new());
    listen_for_signals(halt.clone())?;
    let mut progress = Progress::new(plans.iter().map(Plan::games).sum());
    let mut played = Vec::new();
    for (number, (row, plan)) in TABLE.iter().zip(&plans).enumerate() {
        let path = hall.folder.work(&archive_name(number, row));
        // First the lock: nobody else is adding games while they are read.
        let mut archive =
            ArchiveWriter::open_or_create(&path).with_context(|| path.display().to_string())?;
        let mut results = Results::load(&path, plan).with_context(|| path.display().to_string())?;
        progress.row(row, plan, &results);
        let mut tournament = Tournament {
            plan,
            concurrency: hall.concurrency,
            restart: false,
            sprt: None,
            archive: Some(&mut archive),
            halt: &halt,
        };
        let mut failed = None;
        let folder = &mut *hall.folder;
        let end = tournament.run(&mut results, |finished| {
            progress.tell(finished);
            if let Err(error) = folder.tick() {
                failed.get_or_insert(error);
            }
        });
        hall.folder.save_time()?;
        if let Some(error) = failed {
            return Err(error);
        }
        match end? {
            Conclusion::Complete => {}
            Conclusion::PlayerDied { player, failure } => {
                bail!("{}: {failure}", plan.contestants[player].name)
            }
            _ => {
                progress.end();
                bail!("stopped in the middle of Table 1; the same command goes on")
            }
        }
        drop(archive);
        played.push(sum_up(plan, &results, path)?);
    }
    progress.end();
    Ok(played)
}

fn archive_name(number: usize, row: &Row) -> String {
    let [first, second] = row.players.map(Model::name);
    let [a, b] = row.minutes;
    format!("row-{}-{first}-{second}-{a}-{b}.games", number + 1)
}

fn plan(hall: &Hall, row: &Row) -> Plan {
    let contestant = |place: usize| {
        let model = row.players[place];
        let seconds = hall.seconds * row.minutes[place] / MINUTES;
        let main_ms = (1000.0 * seconds).round() as u64;
        let clock = Clock { main_ms, increment_ms: 0, grace_ms: 0 };
        let weights = hall.weights.clone();
        Contestant {
            name: model.title().to_owned(),
            description: format!("{} of {}, processor time", model.title(), hall.weights_hash),
            limits: Limits { clock: Some(clock), ..Limits::default() },
            build: Arc::new(move || -> Result<Box<dyn Player>, _> {
                Ok(Box::new(player(model, &weights)?))
            }),
        }
    };
    Plan {
        contestants: vec![contestant(0), contestant(1)],
        schedule: Schedule::RoundRobin,
        pairs: hall.openings.len() as u64,
        openings: hall.openings.clone(),
        rules: Rules::default(),
    }
}

/// The engine at the board: it solves win, draw or loss from 22 empty squares
/// on, and the score from 20, as soon as its clock allows.
fn player(model: Model, weights: &Weights) -> Result<EnginePlayer> {
    Ok(EnginePlayer::new(engine(model, weights)?, None).on_processor_time())
}

fn sum_up(plan: &Plan, results: &Results, archive: PathBuf) -> Result<Played> {
    let pairs: Option<Vec<Pair>> =
        (0..plan.pairs).map(|pair| results.pair(plan, 0, pair)).collect();
    let pairs = pairs.context("a complete match has all pairs")?;
    let (mut nodes, mut time_losses) = ([0u64; 2], [0usize; 2]);
    for (fixture, result) in results.games(plan) {
        for color in Color::BOTH {
            nodes[fixture.player(color)] += result.effort[color as usize].nodes;
        }
        if result.ending == Ending::Timeout {
            let loser = if result.discs_black < 0 { Color::Black } else { Color::White };
            time_losses[fixture.player(loser)] += 1;
        }
    }
    let seconds = [0, 1].map(|place: usize| {
        plan.contestants[place].limits.clock.map_or(0.0, |clock| clock.main_ms as f64 / 1000.0)
    });
    Ok(Played {
        pairs,
        seconds,
        nodes: nodes.map(|nodes| nodes as f64 / results.len() as f64),
        depth: midgame_depth(plan, &archive)?,
        time_losses,
        archive,
    })
}

/// How deep each player searched where nothing was proven, on average.
fn midgame_depth(plan: &Plan, archive: &PathBuf) -> Result<[f64; 2]> {
    let (mut depths, mut moves) = ([0u64; 2], [0u64; 2]);
    for record in ArchiveReader::open(archive)? {
        let record = record?;
        for (ply, note) in record.game.plies().iter().zip(&record.notes) {
            let name = &record.players[ply.before.mover].name;
            let player = plan.contestants.iter().position(|player| *player.name == **name);
            let estimate = matches!(note.evaluation, Some(Evaluation::LogOdds(_)));
            if let (Some(player), Some(depth), true) = (player, note.depth, estimate) {
                depths[player] += u64::from(depth);
                moves[player] += 1;
            }
        }
    }
    Ok([0, 1].map(|player| depths[player] as f64 / moves[player].max(1) as f64))
}
