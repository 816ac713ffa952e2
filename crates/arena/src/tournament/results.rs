use std::collections::BTreeMap;
use std::ops::AddAssign;
use std::path::Path;
use std::time::Duration;

use discern_board::{Color, Move};
use discern_players::{Job, JobError, Plan};
use discern_records::archive::{ArchiveReader, ArchiveWriter};
use discern_records::{Ending, Fault, GameRecord, Place, Source, WriteError};

use super::{Fixture, TournamentPlan};
use crate::stats::Pair;

/// What one game of a tournament came to.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct GameResult {
    /// Disc difference for Black; ±64 if awarded.
    pub discs_black: i32,
    /// How it ended.
    pub ending: Ending,
    /// What Black and White used.
    pub effort: [Effort; 2],
}

/// What a player used, in one game or in many.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Effort {
    /// Moves he chose, passes not counted.
    pub moves: u64,
    /// Time he thought.
    pub time: Duration,
    /// Nodes searched, as far as known.
    pub nodes: u64,
    /// The time of the moves whose nodes are known.
    pub counted_time: Duration,
    /// Sum of the depths of moves with known depth.
    pub depths: u64,
    /// How many moves these were.
    pub moves_with_depth: u64,
    /// The largest share of a clock used in a game, 1 = all of it.
    pub clock_share: f64,
}

impl AddAssign for Effort {
    fn add_assign(&mut self, other: Effort) {
        // Archives may claim anything.
        self.moves += other.moves;
        self.time = self.time.saturating_add(other.time);
        self.nodes = self.nodes.saturating_add(other.nodes);
        self.counted_time = self.counted_time.saturating_add(other.counted_time);
        self.depths += other.depths;
        self.moves_with_depth += other.moves_with_depth;
        self.clock_share = self.clock_share.max(other.clock_share);
    }
}

impl Effort {
    /// Nodes per second, where both are known.
    pub fn nodes_per_second(&self) -> Option<f64> {
        let seconds = self.counted_time.as_secs_f64();
        (self.nodes > 0 && seconds > 0.0).then(|| self.nodes as f64 / seconds)
    }

    /// Mean depth, where it is known.
    pub fn mean_depth(&self) -> Option<f64> {
        (self.moves_with_depth > 0).then(|| self.depths as f64 / self.moves_with_depth as f64)
    }

    /// Mean thinking time of a move.
    pub fn time_per_move(&self) -> Option<Duration> {
        u32::try_from(self.moves).ok().filter(|&moves| moves > 0).map(|moves| self.time / moves)
    }

    fn of(record: &GameRecord, color: Color) -> Effort {
        let mut effort = Effort::default();
        let plies = record.game.plies().iter().zip(&record.notes).skip(record.opening);
        for (ply, note) in plies.filter(|(ply, _)| ply.before.mover == color) {
            if ply.mv == Move::Pass {
                continue;
            }
            let time = Duration::from_millis(note.time_ms.unwrap_or(0));
            effort.moves += 1;
            effort.time += time;
            if let Some(nodes) = note.nodes {
                effort.nodes = effort.nodes.saturating_add(nodes);
                effort.counted_time += time;
            }
            if let Some(depth) = note.depth {
                effort.depths += u64::from(depth);
                effort.moves_with_depth += 1;
            }
        }
        if let Some(clock) = record.players[color].limits.clock {
            let gained = clock.increment_ms.saturating_mul(effort.moves);
            let allowed = clock.main_ms.saturating_add(gained);
            effort.clock_share = effort.time.as_secs_f64() * 1000.0 / allowed.max(1) as f64;
        }
        effort
    }
}

/// Why a stored tournament cannot be resumed.
#[derive(Debug, thiserror::Error)]
pub enum ResumeError {
    /// Another plan, or another build.
    #[error(transparent)]
    Plan(#[from] JobError),
    /// The archive cannot be opened to add games.
    #[error(transparent)]
    Open(#[from] WriteError),
    /// An archive of other games.
    #[error("the archive has {} but no plan: it is no tournament", games(*.0))]
    NoPlan(u64),
    /// The archive is damaged.
    #[error(transparent)]
    Fault(#[from] Fault),
    /// A game of another tournament, or of none.
    #[error("game {game} belongs to {found}, not to this tournament ({expected})")]
    Foreign {
        /// Its number in the file, from 1.
        game: u64,
        /// Its plan.
        found: String,
        /// Ours.
        expected: String,
    },
    /// A game number that the plan does not have.
    #[error("game {game} has number {number}, but the tournament has only {games} games")]
    Number {
        /// Its number in the file, from 1.
        game: u64,
        /// Its number in the plan.
        number: u64,
        /// Games in the plan.
        games: u64,
    },
    /// The same game of the plan twice.
    #[error("game {game}: game number {number} of the tournament is there twice")]
    Twice {
        /// Its number in the file, from 1.
        game: u64,
        /// Its number in the plan.
        number: u64,
    },
}

impl ResumeError {
    /// Whether the archive belongs to something else.
    pub fn is_another(&self) -> bool {
        matches!(
            self,
            ResumeError::Plan(JobError::Differs(_))
                | ResumeError::NoPlan(_)
                | ResumeError::Foreign { .. }
        )
    }
}

/// `1 game`, `2 games`.
fn games(count: u64) -> String {
    if count == 1 { "1 game".into() } else { format!("{count} games") }
}

/// A tournament in an archive: begun anew, or found there.
pub struct Resumed {
    /// Where finished games go; nobody else adds any while it lives.
    pub archive: ArchiveWriter,
    /// The plan that the archive has.
    pub plan: Plan<TournamentPlan>,
    /// The games found.
    pub results: Results,
}

impl Resumed {
    /// Opens or makes the archive of a tournament.
    ///
    /// # Errors
    /// If it has another plan (the error says which settings differ), was
    /// begun by another build that is not welcome, or is damaged.
    pub fn open(
        path: &Path,
        plan: &Plan<TournamentPlan>,
        other_build: bool,
    ) -> Result<Resumed, ResumeError> {
        // First the lock: nobody else is adding games while they are read.
        let mut archive = ArchiveWriter::open_or_create(path)?;
        let plan = match archive.plans() {
            [] if archive.games() > 0 => return Err(ResumeError::NoPlan(archive.games())),
            [] => {
                archive.add_plan(&plan.text())?;
                archive.commit()?;
                plan.clone()
            }
            [found, ..] => plan.resume(Plan::parse(found)?, other_build)?,
        };
        let results = Results::load(path, &plan)?;
        Ok(Resumed { archive, plan, results })
    }

    /// The plan of the tournament in an archive, if it is one.
    pub fn plan_of(path: &Path) -> Result<Option<Plan<TournamentPlan>>, ResumeError> {
        let reader = ArchiveReader::open(path)?;
        let format = reader.plan().and_then(discern_players::format_of);
        match reader.plan().filter(|_| format.as_deref() == Some(TournamentPlan::FORMAT)) {
            Some(text) => Ok(Some(Plan::parse(text)?)),
            None => Ok(None),
        }
    }
}

/// The finished games of a tournament by number.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Results {
    games: BTreeMap<u64, GameResult>,
}

impl Results {
    /// The games of a plan found in an archive.
    pub fn load(path: &Path, plan: &Plan<TournamentPlan>) -> Result<Results, ResumeError> {
        let (mut results, name) = (Results::default(), plan.name());
        let games = plan.work.number_of_games();
        for (game, record) in (1..).zip(ArchiveReader::open(path)?) {
            let record = record?;
            let source = record.source.clone();
            let number = match source {
                Some(Source { plan, game, .. }) if *plan == *name => game,
                other => {
                    let found = other.map_or("no tournament".to_owned(), |s| s.plan.to_string());
                    return Err(ResumeError::Foreign { game, found, expected: name });
                }
            };
            if number >= games {
                return Err(ResumeError::Number { game, number, games });
            }
            let Some(result) = GameResult::of(&record) else {
                let error = std::io::Error::other("a game without a result");
                return Err(Fault::new(Place::game(game), error).into());
            };
            if results.games.insert(number, result).is_some() {
                return Err(ResumeError::Twice { game, number });
            }
        }
        Ok(results)
    }

    /// Adds a finished game; games without a result are not finished.
    pub fn add(&mut self, number: u64, record: &GameRecord) {
        self.games.extend(GameResult::of(record).map(|result| (number, result)));
    }

    /// How many games are finished.
    pub fn len(&self) -> u64 {
        self.games.len() as u64
    }

    /// No game is finished.
    pub fn is_empty(&self) -> bool {
        self.games.is_empty()
    }

    /// Is this game finished?
    pub fn contains(&self, number: u64) -> bool {
        self.games.contains_key(&number)
    }

    /// The finished games, each with its place in the plan.
    pub fn games<'a>(
        &'a self,
        plan: &'a TournamentPlan,
    ) -> impl Iterator<Item = (Fixture, GameResult)> + 'a {
        self.games.iter().map(|(&number, &result)| (plan.fixture(number), result))
    }

    /// No pair from this one on has a finished game, in any pairing.
    pub(super) fn pairs_begun(&self, plan: &TournamentPlan) -> u64 {
        self.games.last_key_value().map_or(0, |(&last, _)| plan.fixture(last).pair + 1)
    }

    /// A pair from its first player's side, once both its games are finished.
    pub fn pair(&self, plan: &TournamentPlan, pairing: usize, pair: u64) -> Option<Pair> {
        let number = 2 * (pair * plan.number_of_pairings() + pairing as u64);
        let [first, second] = [number, number + 1].map(|number| self.games.get(&number));
        Some(Pair::new([first?.discs_black, -second?.discs_black]))
    }
}

impl GameResult {
    /// What a record comes to; `None` without a result.
    pub fn of(record: &GameRecord) -> Option<GameResult> {
        let discs_black = record.score_black?.discs();
        let effort = Color::BOTH.map(|color| Effort::of(record, color));
        Some(GameResult { discs_black, ending: record.ending, effort })
    }
}
