use std::collections::HashSet;
use std::fs;
use std::path::{Path, PathBuf};

use discern_board::{Dice, Game, Position};
use discern_players::{Defaults, Fingerprint, Job, JobError, PlayerSpec, Randomness, Shard, Site};
use discern_records::{Correction, Evaluation, GameId, GameRecord, Players, Solved, Source};
use discern_search::{Engine, Limits, StopFlag};
use serde::{Deserialize, Serialize};

use crate::generate::{GeneratePlan, check_players};
use crate::input;
use crate::outcome::{EarlyOutcome, Solver};
use crate::play::play_out;
use crate::suspect::{Detective, Mistake};

/// Searches an archive for obvious errors and plays the better moves out.
///
/// An error is a move that turns a sure win into less, or a sure draw into a
/// loss. Sure means proven, from `proven_empties` on, or estimated beyond
/// `certain_millilogits` by a search and again by a deeper one, before and
/// after the move.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CorrectPlan {
    /// The content of the archive, which the run's folder has a copy of.
    pub archive: Fingerprint,
    /// Games in it.
    pub games: u64,
    /// Who searches, and plays the better games out.
    pub player: PlayerSpec,
    /// How many plies deeper a suspicion is checked.
    pub deeper: u32,
    /// Estimates beyond this are sure.
    pub certain_millilogits: u32,
    /// Outcomes are proven from this many empty squares on.
    pub proven_empties: u32,
    /// The position of each new game that is solved.
    pub early_outcome: EarlyOutcome,
    /// The number of parts.
    pub shards: u32,
}

impl CorrectPlan {
    /// What a player is given that does not say otherwise.
    pub const DEFAULTS: Defaults = Defaults { randomness: None, ..GeneratePlan::DEFAULTS };

    /// A plan for this archive, which is copied into the run's folder, in
    /// shards of about 100 games.
    pub fn for_archive(
        path: &Path,
        player: PlayerSpec,
        folder: &Path,
    ) -> Result<CorrectPlan, JobError> {
        let plan = CorrectPlan::of(path, player)?;
        fs::create_dir_all(folder).map_err(|e| JobError::Io(folder.to_owned(), e))?;
        plan.copy_archive(path, folder)?;
        Ok(plan)
    }

    /// A plan for this archive, in shards of about 100 games. The run's folder
    /// needs a copy of it ([`CorrectPlan::copy_archive`]).
    pub fn of(path: &Path, player: PlayerSpec) -> Result<CorrectPlan, JobError> {
        let (archive, games) = input::measure(path)?;
        Ok(CorrectPlan {
            archive,
            games,
            player,
            deeper: 2,
            certain_millilogits: 2000,
            proven_empties: 20,
            early_outcome: EarlyOutcome::default(),
            shards: input::usual_shards(games),
        })
    }

    /// Puts the archive into the run's folder, unless it is there.
    pub fn copy_archive(&self, path: &Path, folder: &Path) -> Result<(), JobError> {
        input::copy(&self.archive, path, folder)
    }

    /// The copy of the archive in a run's folder.
    pub fn archive_in(&self, folder: &Path) -> PathBuf {
        input::path_in(folder, &self.archive)
    }

    fn range(&self, shard: u32) -> std::ops::Range<usize> {
        Shard { index: shard, count: self.shards }.range(self.games as usize)
    }
}

/// What a thread needs to correct games.
pub struct Corrector {
    engine: Box<dyn Engine>,
    limits: Limits,
    solver: Solver,
    archive: PathBuf,
    /// Errors the archive has corrections of.
    known: HashSet<(GameId, usize)>,
}

impl Job for CorrectPlan {
    const FORMAT: &'static str = "discern correct plan 2";

    type Worker = Corrector;

    fn check(&self) -> Result<(), JobError> {
        check_players(self.players())?;
        if self.player.limits.depth.is_none() {
            return Err(JobError::Plan("the corrector needs a depth (depth=N)".into()));
        }
        input::check_shards(self.shards, self.games)?;
        if self.certain_millilogits == 0 {
            return Err(JobError::Plan("sure from even odds on".into()));
        }
        if self.proven_empties.max(self.early_outcome.empties) > 26 {
            return Err(JobError::Plan("solving more than 26 empty squares takes too long".into()));
        }
        Ok(())
    }

    fn players(&self) -> &[PlayerSpec] {
        std::slice::from_ref(&self.player)
    }

    fn shards(&self) -> u32 {
        self.shards
    }

    fn units(&self, shard: u32) -> u64 {
        self.range(shard).len() as u64
    }

    fn games(&self, _: u32) -> Option<u64> {
        None
    }

    fn worker(&self, site: &Site) -> Result<Corrector, JobError> {
        let archive = input::checked(&self.archive, site.folder)?;
        let mut known = HashSet::new();
        input::all(&archive, |record| {
            known.extend(record.correction.map(|error| (error.parent, error.ply)));
        })?;
        Ok(Corrector {
            engine: self.player.as_engine()?.engine(site.store)?,
            limits: self.player.search_limits()?,
            solver: Solver::new()?,
            archive,
            known,
        })
    }

    fn shard(
        &self,
        worker: &mut Corrector,
        site: &Site,
        shard: u32,
        progress: &mut dyn FnMut(u64),
    ) -> Result<Vec<GameRecord>, JobError> {
        let mut corrected = Vec::new();
        let archive = worker.archive.clone();
        input::for_each(&archive, self.range(shard), site, |record| {
            self.correct(worker, site, &record, shard, &mut corrected);
            progress(1);
        })?;
        Ok(corrected)
    }
}

impl CorrectPlan {
    /// Adds a better game for every error of this one.
    fn correct(
        &self,
        worker: &mut Corrector,
        site: &Site,
        record: &GameRecord,
        shard: u32,
        corrected: &mut Vec<GameRecord>,
    ) {
        let parent = GameId::of(&record.game);
        worker.engine.forget();
        worker.solver.forget();
        let mut detective = Detective {
            engine: worker.engine.as_mut(),
            limits: worker.limits,
            proven_empties: self.proven_empties,
            certain: self.certain_millilogits as i32,
            deeper: self.deeper,
        };
        for mistake in detective.mistakes(&record.game, record.opening) {
            if worker.known.contains(&(parent, mistake.ply)) {
                continue;
            }
            let mut better = self.play_better(worker, record, &mistake);
            better.correction = Some(Correction {
                parent,
                ply: mistake.ply,
                played: mistake.played,
                better: mistake.better,
                depth: mistake.depth,
            });
            let (plan, game) = (site.plan.clone(), corrected.len() as u64);
            better.source = Some(Source { plan, shard: shard.into(), game });
            corrected.push(better);
        }
    }

    /// The game up to the mistake, the better move, and best play from there.
    fn play_better(
        &self,
        worker: &mut Corrector,
        record: &GameRecord,
        mistake: &Mistake,
    ) -> GameRecord {
        let mut game = Game::new(record.game.start());
        let moves = record.game.moves().take(mistake.ply).chain([mistake.better_move]);
        moves.for_each(|mv| game.play(mv).expect("the moves of a game and a legal one"));
        worker.engine.forget();
        let stop = StopFlag::new();
        let mut search = |position: &Position, lines| {
            let limits = Limits { lines, ..worker.limits };
            worker.engine.search(&position.board, &limits, &stop, &mut |_| {})
        };
        play_out(&mut game, &mut search, &[Randomness::NONE; 2], &mut Dice::new(&[]));
        let mut better = GameRecord::new(game);
        let player = self.player.recorded();
        better.players = Players { black: player.clone(), white: player };
        better.opening = mistake.ply;
        if let Evaluation::Proven(verdict) = mistake.better {
            better.solved.push(Solved { ply: mistake.ply, verdict });
        }
        self.early_outcome.add_to(&mut better, &mut worker.solver);
        better
    }
}
