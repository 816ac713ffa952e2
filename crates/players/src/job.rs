use std::path::{Path, PathBuf};

use discern_records::{GameRecord, Name, Source};
use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::error::JobError;
use crate::halt::Halt;
use crate::merge::Duplicates;
use crate::shard::Cut;
use crate::spec::PlayerSpec;
use crate::store::WeightStore;

/// Where a shard is worked on, and for which plan. Nothing in it changes the
/// games.
pub struct Site<'a> {
    /// Names the plan.
    pub plan: Name,
    /// Has the files the plan refers to.
    pub folder: &'a Path,
    /// Has the weights.
    pub store: &'a WeightStore,
    /// Starts a program again that has died.
    pub restart: bool,
    /// Ends the work.
    pub halt: &'a Halt,
}

impl Site<'_> {
    /// Where a game of a shard comes from.
    pub fn source(&self, shard: u32, game: usize) -> Option<Source> {
        Some(Source { plan: self.plan.clone(), shard: shard.into(), game: game as u64 })
    }

    /// Asked between two pieces of work.
    ///
    /// # Errors
    /// If the work is to be dropped.
    pub fn check_halt(&self) -> Result<(), JobError> {
        if self.halt.is_aborting() { Err(JobError::Halted) } else { Ok(()) }
    }
}

/// Work that a plan describes completely, cut into shards.
pub trait Job: Serialize + DeserializeOwned + Clone + Sync {
    /// Format and version of the plan.
    const FORMAT: &'static str;

    /// What `units` counts, for people.
    const UNITS: &'static str = "games";

    /// Does a unit give one game? Otherwise nobody knows beforehand how many
    /// games a shard has.
    const UNITS_ARE_GAMES: bool = true;

    /// What becomes of a game that is there twice when shards are merged.
    const DUPLICATES: Duplicates = Duplicates::Keep;

    /// What a thread needs to work: engines, and inputs from the folder.
    type Worker: Send;

    /// Does the plan make sense?
    fn check(&self) -> Result<(), JobError>;

    /// Who plays.
    fn players(&self) -> &[PlayerSpec];

    /// Does a shard come out the same every time? Not by the clock, and not
    /// with programs of which we know nothing.
    fn is_repeatable(&self) -> bool {
        self.players().iter().all(PlayerSpec::is_repeatable)
    }

    /// How many processors a shard keeps busy: those of the player with most.
    fn threads(&self) -> usize {
        self.players().iter().map(PlayerSpec::threads).max().unwrap_or(1)
    }

    /// How the work is cut.
    fn cut(&self) -> Cut;

    /// Units that each thing of the cut has, as `progress` reports them.
    fn units_each(&self) -> u64 {
        1
    }

    /// The archive in the run's folder behind whose games those of the shards
    /// are put, if there is one.
    fn archive(&self, _folder: &Path) -> Option<PathBuf> {
        None
    }

    /// Prepares a thread.
    fn worker(&self, site: &Site) -> Result<Self::Worker, JobError>;

    /// The games of a shard: a pure function of the plan and the number, if
    /// the plan is repeatable. `progress` hears how many units were finished
    /// since it last did.
    fn shard(
        &self,
        worker: &mut Self::Worker,
        site: &Site,
        shard: u32,
        progress: &mut dyn FnMut(u64),
    ) -> Result<Vec<GameRecord>, JobError>;
}
