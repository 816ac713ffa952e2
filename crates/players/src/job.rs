use std::path::Path;

use discern_records::{GameRecord, Name};
use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::error::JobError;
use crate::halt::Halt;
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

/// Work that a plan describes completely, cut into shards.
pub trait Job: Serialize + DeserializeOwned + Clone + Sync {
    /// Format and version of the plan.
    const FORMAT: &'static str;

    /// What `units` counts, for people.
    const UNITS: &'static str = "games";

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

    /// How many shards there are.
    fn shards(&self) -> u32;

    /// How much a shard has to do, in the units that `progress` reports.
    fn units(&self, shard: u32) -> u64;

    /// How many games a shard gives, if that is known beforehand.
    fn games(&self, shard: u32) -> Option<u64>;

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
