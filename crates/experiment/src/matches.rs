//! Step 4: the rows of Table 1. The one place that plays games.

mod shared;

use std::path::{Path, PathBuf};

use discern_arena::stats::{Pair, Tally};
use discern_arena::tournament::{
    Conclusion, Fixture, Results, Resumed, Schedule, Tournament, TournamentPlan,
};
use discern_board::{Color, Game, Outcome};
use discern_players::{EngineSpec, Halt, Openings, Plan, PlayerSpec, Rules, WeightStore};
use discern_records::archive::ArchiveReader;
use discern_records::{Clock, Ending, Evaluation, Limits};
use discern_search::Timing;

use crate::Allowance;
use crate::error::{Doing, ExperimentError};
use crate::event::{Event, MatchProgress};
use crate::folder::Folder;
use crate::models::title;
use crate::paper::{MINUTES, Row};

type Result<T> = std::result::Result<T, ExperimentError>;

/// Empty squares from which on endings are solved (Section 4: "about 22").
const OUTCOME_EMPTIES: u32 = 22;

/// Pairs of games in a shard, where other machines play.
const PAIRS_OF_A_SHARD: usize = 10;

/// What all games need.
pub struct Hall<'a> {
    /// The weights of all players.
    pub store: &'a WeightStore,
    pub openings: Vec<Game>,
    pub concurrency: usize,
    /// Leave the games to other machines.
    pub plans_only: bool,
    pub halt: &'a Halt,
}

/// Two players who meet from every opening.
pub struct Contest {
    /// What people call it: `LOG–QUAD 30–38`.
    pub name: String,
    /// What its archive is called, without the ending.
    pub file: String,
    pub players: [Contestant; 2],
}

/// A model as a player.
#[derive(Clone)]
pub struct Contestant {
    /// What people call it.
    pub title: String,
    /// The model by name, and the weights that hold it by theirs.
    pub model: String,
    pub weights: String,
    /// What it has for a game or a move.
    pub allowed: Allowance,
}

impl Contest {
    /// A row of Table 1.
    pub fn of_row(number: usize, row: &Row, weights: &str, thirty: Allowance) -> Contest {
        let ([first, second], [a, b]) = (row.players, row.minutes);
        let player = |place: usize| Contestant {
            title: title(row.players[place]),
            model: row.players[place].to_owned(),
            weights: weights.to_owned(),
            allowed: thirty.times(row.minutes[place] / MINUTES),
        };
        Contest {
            name: row.name(),
            file: format!("row-{}-{first}-{second}-{a}-{b}", number + 1),
            players: [player(0), player(1)],
        }
    }
}

/// What the games of a row came to.
pub struct Played {
    /// The result of each opening, from the first player's side.
    pub pairs: Vec<Pair>,
    /// What each player had for a game.
    pub allowed: [Allowance; 2],
    /// Mean nodes a game, each player.
    pub nodes: [f64; 2],
    /// Mean depth of the searches that proved nothing, each player.
    pub depth: [f64; 2],
    /// Games lost on time, each player.
    pub time_losses: [u64; 2],
    /// The archive of the games.
    pub archive: PathBuf,
}

/// Plays what is missing of these contests.
pub fn play(
    hall: &Hall,
    contests: &[Contest],
    folder: &mut Folder,
    watch: &mut dyn FnMut(Event),
) -> Result<Vec<Played>> {
    let plans: Vec<_> = contests.iter().map(|contest| Plan::new(hall.plan(contest))).collect();
    shared::take(hall, contests, &plans, folder)?;
    let of = plans.iter().map(|plan| plan.work.number_of_games()).sum();
    let mut progress = MatchProgress { of, ..MatchProgress::default() };
    let mut played = Vec::new();
    for (contest, plan) in contests.iter().zip(&plans) {
        let path = folder.work(&format!("{}.games", contest.file));
        // The folder's own guard says whether another program began.
        let Resumed { mut archive, plan, mut results } =
            Resumed::open(&path, plan, true).to_file(&path)?;
        (progress.row, progress.tally) = (contest.name.clone(), Tally::default());
        for (fixture, result) in results.games(&plan.work) {
            count(&mut progress, &fixture, result.discs_black);
        }
        watch(Event::Match(&progress));
        let mut tournament = Tournament {
            plan: &plan,
            store: hall.store,
            concurrency: hall.concurrency,
            restart: false,
            sprt: None,
            archive: Some(&mut archive),
            halt: hall.halt,
        };
        let mut failed = Ok(());
        let end = tournament.run(&mut results, |finished| {
            let score = finished.record.score_black.map_or(0, |score| score.discs());
            count(&mut progress, &finished.fixture, score);
            progress.fresh += 1;
            watch(Event::Match(&progress));
            let ticked = folder.tick();
            if failed.is_ok() {
                failed = ticked;
            }
        });
        folder.save_time()?;
        failed?;
        match end.to_file(&path)? {
            Conclusion::Complete => {}
            Conclusion::PlayerDied { player, failure } => {
                let player = plan.work.players[player].name.clone();
                return Err(ExperimentError::Player { player, failure });
            }
            _ => return Err(ExperimentError::Stopped),
        }
        drop(archive);
        played.push(sum_up(contest, &plan.work, &results, path)?);
    }
    Ok(played)
}

fn count(progress: &mut MatchProgress, fixture: &Fixture, discs_black: i32) {
    let discs = if fixture.leg == 0 { discs_black } else { -discs_black };
    progress.tally.add(match discs.signum() {
        1 => Outcome::Win,
        0 => Outcome::Draw,
        _ => Outcome::Loss,
    });
    progress.done += 1;
}

impl Row {
    /// `LOG–QUAD 30–38`
    pub(crate) fn name(&self) -> String {
        let ([first, second], [a, b]) = (self.players.map(title), self.minutes);
        format!("{first}–{second} {a}–{b}")
    }
}

impl Hall<'_> {
    /// The players solve win, draw or loss from 22 empty squares on, as soon as
    /// their clocks allow, and never the score, which a tournament does not ask
    /// for: as in the paper.
    fn plan(&self, contest: &Contest) -> TournamentPlan {
        let player = |contestant: &Contestant| {
            let limits = match contestant.allowed {
                Allowance::Seconds(seconds) => {
                    let main_ms = (1000.0 * seconds).round() as u64;
                    let clock = Clock { main_ms, increment_ms: 0, grace_ms: 0 };
                    Limits { clock: Some(clock), ..Limits::default() }
                }
                Allowance::NodesPerMove(nodes) => Limits::nodes(nodes),
            };
            let engine = EngineSpec {
                model: contestant.model.clone(),
                weights: Some(contestant.weights.clone()),
                hash_mebibytes: Some(16),
                outcome_empties: Some(OUTCOME_EMPTIES),
                score_empties: Some(0),
                timing: Timing::Processor,
                ..EngineSpec::default()
            };
            PlayerSpec::engine(&contestant.title, engine, limits)
        };
        TournamentPlan {
            players: contest.players.iter().map(player).collect(),
            schedule: Schedule::RoundRobin,
            pairs: self.openings.len() as u64,
            openings: Openings::Games(self.openings.clone()),
            rules: Rules::default(),
            seed: 1,
            shards: self.openings.len().div_ceil(PAIRS_OF_A_SHARD) as u32,
        }
    }
}

fn sum_up(
    contest: &Contest,
    plan: &TournamentPlan,
    results: &Results,
    archive: PathBuf,
) -> Result<Played> {
    let pairs: Option<Vec<Pair>> =
        (0..plan.pairs).map(|pair| results.pair(plan, 0, pair)).collect();
    let (mut nodes, mut time_losses) = ([0u64; 2], [0; 2]);
    for (fixture, result) in results.games(plan) {
        for color in Color::BOTH {
            nodes[fixture.player(color)] += result.effort[color as usize].nodes;
        }
        if result.ending == Ending::Timeout {
            let loser = if result.discs_black < 0 { Color::Black } else { Color::White };
            time_losses[fixture.player(loser)] += 1;
        }
    }
    Ok(Played {
        pairs: pairs.expect("a complete match has all pairs"),
        allowed: contest.players.each_ref().map(|player| player.allowed),
        nodes: nodes.map(|nodes| nodes as f64 / results.len() as f64),
        depth: midgame_depth(plan, &archive).to_file(&archive)?,
        time_losses,
        archive,
    })
}

/// How deep each player searched where nothing was proven, on average.
fn midgame_depth(
    plan: &TournamentPlan,
    archive: &Path,
) -> std::result::Result<[f64; 2], discern_records::Fault> {
    let (mut depths, mut moves) = ([0u64; 2], [0u64; 2]);
    for record in ArchiveReader::open(archive)? {
        let record = record?;
        for (ply, note) in record.game.plies().iter().zip(&record.notes) {
            let name = &record.players[ply.before.mover].name;
            let player = plan.players.iter().position(|player| *player.name == **name);
            let estimate = matches!(note.evaluation, Some(Evaluation::LogOdds(_)));
            if let (Some(player), Some(depth), true) = (player, note.depth, estimate) {
                depths[player] += u64::from(depth);
                moves[player] += 1;
            }
        }
    }
    Ok([0, 1].map(|player| depths[player] as f64 / moves[player].max(1) as f64))
}
