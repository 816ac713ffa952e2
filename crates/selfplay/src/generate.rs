use std::collections::HashSet;
use std::path::Path;

use discern_board::{Board, Game, Position};
use discern_records::{GameRecord, Name, Players as RecordedPlayers, Source};
use discern_search::{Engine, Limits, StopFlag};
use serde::{Deserialize, Serialize};

use crate::dice::Dice;
use crate::error::JobError;
use crate::fingerprint::fingerprint;
use crate::folder::PlanFile;
use crate::job::Job;
use crate::openings::{Opening, Openings};
use crate::outcome::{EarlyOutcome, Solver};
use crate::play::play_out;
use crate::player::PlayerPlan;
use crate::randomness::Randomness;
use crate::shard::Shard;

/// How often a game that came out like another one is played again, each time
/// with more randomness.
const ATTEMPTS: u32 = 40;

/// Games of two programs from every opening.
///
/// The games depend on everything but the number of shards, and a game does
/// not depend on which other openings are played.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct GeneratePlan {
    /// The two programs.
    pub players: [PlayerPlan; 2],
    /// Where their games begin.
    pub openings: Openings,
    /// Games from each opening; the programs change colours every time.
    pub rounds: u32,
    /// How they stray.
    pub randomness: Randomness,
    /// The position of each game that is solved.
    pub early_outcome: EarlyOutcome,
    /// Other seeds give other games.
    pub seed: u64,
    /// The number of parts. An opening's games are all in one part, where
    /// equal ones are noticed: games from different openings cannot be equal.
    pub shards: u32,
}

impl GeneratePlan {
    /// Six games from every opening, in shards of about 200 games.
    pub fn between(players: [PlayerPlan; 2]) -> GeneratePlan {
        GeneratePlan {
            players,
            openings: Openings::default(),
            rounds: 6,
            randomness: Randomness::default(),
            early_outcome: EarlyOutcome::default(),
            seed: 1,
            shards: 1,
        }
        .in_shards_of(200)
    }

    /// The same plan in parts of about this many games.
    pub fn in_shards_of(self, games: u64) -> GeneratePlan {
        let openings = u64::from(self.openings.len()).max(1);
        let all = openings * u64::from(self.rounds);
        let shards = all.div_ceil(games.max(1)).clamp(1, openings) as u32;
        GeneratePlan { shards, ..self }
    }

    fn openings_of(&self, shard: u32) -> std::ops::Range<usize> {
        Shard { index: shard, count: self.shards }.range(self.openings.len() as usize)
    }
}

/// What a thread needs to play.
pub struct Players {
    engines: [Box<dyn Engine>; 2],
    solver: Solver,
    openings: Vec<Opening>,
    plan: Name,
}

impl Job for GeneratePlan {
    const FORMAT: &'static str = "discern generate plan 1";

    type Worker = Players;

    fn check(&self) -> Result<(), JobError> {
        let wrong = |what: String| Err(JobError::Plan(what));
        self.players.iter().try_for_each(PlayerPlan::check)?;
        if self.players[0] == self.players[1] {
            return wrong("the two players are the same: the paper wants two programs".into());
        }
        if self.openings.plies > Openings::MAX_PLIES {
            return wrong(format!("openings of more than {} moves", Openings::MAX_PLIES));
        }
        if self.openings.is_empty() || self.rounds == 0 {
            return wrong("no games to play".into());
        }
        if self.shards == 0 || self.shards > self.openings.len() {
            let most = self.openings.len();
            return wrong(format!("{} shards for {most} openings", self.shards));
        }
        if self.randomness.chance_permille > 1000 || self.randomness.moves == 0 {
            return wrong("a chance above 1 or no moves to choose from".into());
        }
        if self.early_outcome.empties > 26 {
            return wrong("solving more than 26 empty squares takes too long".into());
        }
        Ok(())
    }

    fn shards(&self) -> u32 {
        self.shards
    }

    fn units(&self, shard: u32) -> u64 {
        self.openings_of(shard).len() as u64 * u64::from(self.rounds)
    }

    fn games(&self, shard: u32) -> Option<u64> {
        Some(self.units(shard))
    }

    fn worker(&self, folder: &Path) -> Result<Players, JobError> {
        let [first, second] = &self.players;
        Ok(Players {
            engines: [first.engine(folder)?, second.engine(folder)?],
            solver: Solver::new()?,
            openings: self.openings.list(self.seed),
            plan: fingerprint(&PlanFile::new(self)).into(),
        })
    }

    fn shard(
        &self,
        worker: &mut Players,
        shard: u32,
        progress: &mut dyn FnMut(u64),
    ) -> Result<Vec<GameRecord>, JobError> {
        let mut records = Vec::new();
        for index in self.openings_of(shard) {
            let opening = worker.openings[index].clone();
            let mut seen = HashSet::new();
            for round in 0..self.rounds {
                // Even with an odd number of rounds, both programs have Black
                // equally often in the end.
                let black = (index + round as usize) % 2;
                let game = self.new_game(worker, &opening, round, black, &mut seen)?;
                let mut record = GameRecord::new(game);
                record.players = RecordedPlayers {
                    black: self.players[black].recorded(),
                    white: self.players[1 - black].recorded(),
                };
                record.opening = opening.moves.len();
                let game = records.len() as u64;
                let plan = worker.plan.clone();
                record.source = Some(Source { plan, shard: shard.into(), game });
                worker.solver.forget();
                self.early_outcome.add_to(&mut record, &mut worker.solver);
                records.push(record);
                progress(1);
            }
        }
        Ok(records)
    }
}

impl GeneratePlan {
    /// Plays until the game differs from all others of the opening.
    fn new_game(
        &self,
        worker: &mut Players,
        opening: &Opening,
        round: u32,
        black: usize,
        seen: &mut HashSet<Vec<Board>>,
    ) -> Result<Game, JobError> {
        let stop = StopFlag::new();
        for attempt in 0..ATTEMPTS {
            worker.engines.iter_mut().for_each(|engine| engine.forget());
            let mut search = |position: &Position, lines| {
                let player = black ^ position.mover as usize;
                let limits = Limits { lines, ..self.players[player].limits() };
                worker.engines[player].search(&position.board, &limits, &stop, &mut |_| {})
            };
            let board = opening.board;
            let numbers =
                [self.seed, board.mover.0, board.opponent.0, round.into(), attempt.into()];
            let mut dice = Dice::new(&numbers);
            let mut game = opening.game();
            play_out(&mut game, &mut search, &self.randomness.more(attempt), &mut dice);
            // Positions, not moves: from a symmetric opening two games may be
            // mirror images although their moves are not.
            let line = game.boards().skip(opening.moves.len()).map(Board::canonical).collect();
            if seen.insert(line) {
                return Ok(game);
            }
        }
        let moves = opening.game();
        Err(JobError::Plan(format!(
            "opening {moves}: game {} came out like another one {ATTEMPTS} times; \
             plan fewer rounds or more randomness",
            round + 1
        )))
    }
}
