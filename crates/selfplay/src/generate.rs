use std::collections::HashSet;

use discern_board::{Board, Dice, Game, Position};
use discern_players::{
    Cut, Defaults, Duplicates, Job, JobError, Openings, PlayerSpec, Randomness, Site, WeightStore,
};
use discern_records::{GameRecord, Limits as RecordedLimits, MoveNote, Players as RecordedPlayers};
use discern_search::{Engine, Limits};
use serde::{Deserialize, Serialize};

use crate::outcome::{EarlyOutcome, Solver};
use crate::play::play_out;

/// How often a game that came out like another one is played again, each time
/// with more randomness.
const ATTEMPTS: u32 = 40;

/// Games of two players from every opening. They may be equal: then one plays
/// against itself.
///
/// The games depend on everything but the number of shards, and a game does
/// not depend on which other openings are played.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct GeneratePlan {
    /// The two players; how they stray is theirs.
    pub players: [PlayerSpec; 2],
    /// Where their games begin.
    pub openings: Openings,
    /// Games from each opening; the players change colours every time.
    pub rounds: u32,
    /// The position of each game that is solved.
    pub early_outcome: EarlyOutcome,
    /// Games keep what the searches thought of each position: labels that say
    /// more than the result of the game.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub evaluations: bool,
    /// Other seeds give other games.
    pub seed: u64,
    /// The number of parts. An opening's games are all in one part, where
    /// equal ones are noticed: games from different openings cannot be equal.
    pub shards: u32,
}

impl GeneratePlan {
    /// What players are given that do not say otherwise: a quick search, a
    /// table that stays in the cache of a core, and the usual endgame.
    pub const DEFAULTS: Defaults = Defaults {
        limits: RecordedLimits { depth: Some(6), nodes: None, move_ms: None, clock: None },
        hash_mebibytes: 4,
        endgame: Some([16, 12]),
        randomness: Some(Randomness::USUAL),
    };

    /// Six games from every opening of seven moves, in shards of about 200
    /// games.
    ///
    /// # Errors
    /// If a player's model or weights are not there.
    pub fn between(
        players: [PlayerSpec; 2],
        store: &WeightStore,
    ) -> Result<GeneratePlan, JobError> {
        let mut plan = GeneratePlan {
            players,
            openings: Openings::Distinct { plies: 7, count: None },
            rounds: 6,
            early_outcome: EarlyOutcome::default(),
            evaluations: false,
            seed: 1,
            shards: 1,
        };
        store.complete(&mut plan.players, &GeneratePlan::DEFAULTS)?;
        Ok(plan.in_shards_of(200))
    }

    /// The same plan in parts of about this many games.
    pub fn in_shards_of(self, games: u64) -> GeneratePlan {
        let openings = self.openings.len().max(1) as u64;
        let all = openings * u64::from(self.rounds);
        let shards = all.div_ceil(games.max(1)).clamp(1, openings) as u32;
        GeneratePlan { shards, ..self }
    }
}

/// What a thread needs to play.
pub struct Players {
    engines: [Box<dyn Engine>; 2],
    limits: [Limits; 2],
    solver: Solver,
    openings: Vec<Game>,
}

impl Job for GeneratePlan {
    const FORMAT: &'static str = "discern generate plan 2";
    const DUPLICATES: Duplicates = Duplicates::Refuse;

    type Worker = Players;

    fn check(&self) -> Result<(), JobError> {
        check_players(&self.players)?;
        if self.openings.is_empty() || self.rounds == 0 {
            let most = Openings::MAX_PLIES;
            let what = format!("no games to play; openings have at most {most} moves");
            return Err(JobError::Plan(what));
        }
        self.early_outcome.check()?;
        self.cut().check("openings")
    }

    fn players(&self) -> &[PlayerSpec] {
        &self.players
    }

    fn cut(&self) -> Cut {
        Cut { things: self.openings.len(), shards: self.shards }
    }

    fn units_each(&self) -> u64 {
        self.rounds.into()
    }

    fn worker(&self, site: &Site) -> Result<Players, JobError> {
        let [first, second] = &self.players;
        let engine = |player: &PlayerSpec| player.as_engine()?.engine(site.store);
        Ok(Players {
            engines: [engine(first)?, engine(second)?],
            limits: [first.search_limits()?, second.search_limits()?],
            solver: Solver::new(site.halt.stop_flag())?,
            openings: self.openings.list(self.seed),
        })
    }

    fn shard(
        &self,
        worker: &mut Players,
        site: &Site,
        shard: u32,
        progress: &mut dyn FnMut(u64),
    ) -> Result<Vec<GameRecord>, JobError> {
        let mut records = Vec::new();
        for index in self.cut().range(shard) {
            let opening = worker.openings[index].clone();
            let mut seen = HashSet::new();
            for round in 0..self.rounds {
                // Even with an odd number of rounds, both players have Black
                // equally often in the end.
                let black = (index + round as usize) % 2;
                let (game, notes) =
                    self.new_game(worker, site, &opening, round, black, &mut seen)?;
                let mut record = GameRecord::new(game);
                if self.evaluations {
                    record.notes = vec![MoveNote::default(); opening.plies().len()];
                    record.notes.extend(notes);
                }
                record.players = RecordedPlayers {
                    black: self.players[black].recorded(),
                    white: self.players[1 - black].recorded(),
                };
                record.opening = opening.plies().len();
                record.source = site.source(shard, records.len());
                worker.solver.forget();
                self.early_outcome.add_to(&mut record, &mut worker.solver);
                // An interrupted solver has proven nothing.
                site.check_halt()?;
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
        site: &Site,
        opening: &Game,
        round: u32,
        black: usize,
        seen: &mut HashSet<Vec<Board>>,
    ) -> Result<(Game, Vec<MoveNote>), JobError> {
        let stop = site.halt.stop_flag();
        for attempt in 0..ATTEMPTS {
            worker.engines.iter_mut().for_each(|engine| engine.forget());
            let mut search = |position: &Position, lines| {
                let player = black ^ position.mover as usize;
                let limits = Limits { lines, ..worker.limits[player] };
                worker.engines[player].search(&position.board, &limits, stop, &mut |_| {})
            };
            let board = opening.position().board.canonical();
            let numbers =
                [self.seed, board.mover().0, board.opponent().0, round.into(), attempt.into()];
            let mut dice = Dice::new(&numbers);
            let mut game = opening.clone();
            // Black's randomness first, as searches ask by colour.
            let randomness = [black, 1 - black].map(|player| {
                self.players[player].randomness.unwrap_or(Randomness::NONE).more(attempt)
            });
            let notes = play_out(&mut game, &mut search, &randomness, &mut dice);
            if stop.is_stopped() {
                return Err(JobError::Halted);
            }
            // Positions, not moves: from a symmetric opening two games may be
            // mirror images although their moves are not.
            let line = game.boards().skip(opening.plies().len()).map(Board::canonical).collect();
            if seen.insert(line) {
                return Ok((game, notes));
            }
        }
        Err(JobError::Plan(format!(
            "opening {opening}: game {} came out like another one {ATTEMPTS} times; \
             plan fewer rounds or more randomness",
            round + 1
        )))
    }
}

/// Our own engines without a clock: the same games on every machine.
pub(crate) fn check_players(players: &[PlayerSpec]) -> Result<(), JobError> {
    for player in players {
        player.as_engine()?;
        player.check()?;
        if !player.is_repeatable() {
            let what = "games must repeat: give depth or nodes instead of a time, and one thread";
            return Err(JobError::Plan(format!("{}: {what}", player.name)));
        }
    }
    Ok(())
}
