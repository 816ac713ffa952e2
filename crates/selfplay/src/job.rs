use std::path::Path;

use discern_records::GameRecord;
use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::error::JobError;

/// The program that makes the games. Another version may search differently,
/// so that its shards would not fit.
pub const PROGRAM: &str = concat!("discern ", env!("CARGO_PKG_VERSION"));

/// Work that a plan describes completely, cut into shards.
pub trait Job: Serialize + DeserializeOwned + Clone + Sync {
    /// Format and version of the plan.
    const FORMAT: &'static str;

    /// What a thread needs to work: engines, and inputs from the folder.
    type Worker: Send;

    /// Does the plan make sense?
    fn check(&self) -> Result<(), JobError>;

    /// How many shards there are.
    fn shards(&self) -> u32;

    /// How much a shard has to do, in the units that `progress` reports.
    fn units(&self, shard: u32) -> u64;

    /// How many games a shard gives, if that is known beforehand.
    fn games(&self, shard: u32) -> Option<u64>;

    /// Prepares a thread. `folder` has the files the plan refers to.
    fn worker(&self, folder: &Path) -> Result<Self::Worker, JobError>;

    /// The games of a shard: a pure function of the plan and the number.
    /// `progress` hears how many units were finished since it last did.
    fn shard(
        &self,
        worker: &mut Self::Worker,
        shard: u32,
        progress: &mut dyn FnMut(u64),
    ) -> Result<Vec<GameRecord>, JobError>;
}
