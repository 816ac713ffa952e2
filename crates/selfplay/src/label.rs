use std::path::{Path, PathBuf};

use discern_board::Game;
use discern_players::player::evaluation;
use discern_players::{Defaults, Fingerprint, Job, JobError, PlayerSpec, Shard, Site};
use discern_records::{GameRecord, MoveNote, Source};
use discern_search::{Engine, Limits, StopFlag};
use serde::{Deserialize, Serialize};

use crate::correct::CorrectPlan;
use crate::generate::check_players;
use crate::input;
use crate::play::rounded;

/// Searches every position of an archive and keeps what the search thinks of
/// it: labels that say more than the result of the game. What others thought
/// of the positions before is replaced.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LabelPlan {
    /// The content of the archive, which the run's folder has a copy of.
    pub archive: Fingerprint,
    /// Games in it.
    pub games: u64,
    /// Who searches.
    pub player: PlayerSpec,
    /// The number of parts; the labels do not depend on it.
    pub shards: u32,
}

impl LabelPlan {
    /// What a player is given that does not say otherwise.
    pub const DEFAULTS: Defaults = CorrectPlan::DEFAULTS;

    /// A plan for this archive, in shards of about 100 games. The run's folder
    /// needs a copy of it ([`LabelPlan::copy_archive`]).
    ///
    /// # Errors
    /// If the archive cannot be read.
    pub fn of(path: &Path, player: PlayerSpec) -> Result<LabelPlan, JobError> {
        let (archive, games) = input::measure(path)?;
        Ok(LabelPlan { archive, games, player, shards: input::usual_shards(games) })
    }

    /// Puts the archive into the run's folder, unless it is there.
    ///
    /// # Errors
    /// If it cannot be read or written.
    pub fn copy_archive(&self, path: &Path, folder: &Path) -> Result<(), JobError> {
        input::copy(&self.archive, path, folder)
    }

    fn range(&self, shard: u32) -> std::ops::Range<usize> {
        Shard { index: shard, count: self.shards }.range(self.games as usize)
    }
}

/// What a thread needs to label games.
pub struct Labeller {
    engine: Box<dyn Engine>,
    limits: Limits,
    archive: PathBuf,
}

impl Job for LabelPlan {
    const FORMAT: &'static str = "discern label plan 1";

    type Worker = Labeller;

    fn check(&self) -> Result<(), JobError> {
        check_players(self.players())?;
        input::check_shards(self.shards, self.games)
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

    fn games(&self, shard: u32) -> Option<u64> {
        Some(self.units(shard))
    }

    fn worker(&self, site: &Site) -> Result<Labeller, JobError> {
        Ok(Labeller {
            engine: self.player.as_engine()?.engine(site.store)?,
            limits: self.player.search_limits()?,
            archive: input::checked(&self.archive, site.folder)?,
        })
    }

    fn shard(
        &self,
        worker: &mut Labeller,
        site: &Site,
        shard: u32,
        progress: &mut dyn FnMut(u64),
    ) -> Result<Vec<GameRecord>, JobError> {
        let mut labelled = Vec::new();
        let archive = worker.archive.clone();
        input::for_each(&archive, self.range(shard), site, |mut record| {
            record.notes = worker.labels(&record.game);
            let (plan, game) = (site.plan.clone(), labelled.len() as u64);
            record.source = Some(Source { plan, shard: shard.into(), game });
            labelled.push(record);
            progress(1);
        })?;
        Ok(labelled)
    }
}

impl Labeller {
    /// What the search thinks of the position before each move: nothing where
    /// a move is forced.
    fn labels(&mut self, game: &Game) -> Vec<MoveNote> {
        self.engine.forget();
        let mut notes = vec![MoveNote::default(); game.plies().len()];
        // From the end to the start: what was searched already helps with what
        // comes before.
        for (note, ply) in notes.iter_mut().zip(game.plies()).rev() {
            let board = &ply.before.board;
            if board.moves().count() > 1 {
                let stop = StopFlag::new();
                let report = self.engine.search(board, &self.limits, &stop, &mut |_| {});
                note.evaluation = report.best().map(|best| rounded(evaluation(best)));
            }
        }
        notes
    }
}
