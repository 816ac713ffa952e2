use std::fs::File;
use std::path::PathBuf;

use crate::accept::Accepted;
use crate::build::Build;
use crate::error::JobError;
use crate::folder::RunFolder;
use crate::job::Job;

/// The folder of a run, whatever kind of work it is: what a program needs that
/// has shards made elsewhere.
pub trait AnyFolder: Send + Sync {
    /// Format and version of the plan, which say what kind of work it is.
    fn format(&self) -> &str;

    /// Names the plan.
    fn name(&self) -> &str;

    /// The build that began.
    fn build(&self) -> &Build;

    /// How many shards there are.
    fn shards(&self) -> u32;

    /// How many processors a shard keeps busy.
    fn threads(&self) -> usize;

    /// Does a shard come out the same every time?
    fn is_repeatable(&self) -> bool;

    /// What `units` counts, for people.
    fn unit_name(&self) -> &'static str;

    /// How much a shard has to do.
    fn units(&self, shard: u32) -> u64;

    /// The plan and the files it refers to: all that another machine needs.
    fn inputs(&self) -> Result<Vec<PathBuf>, JobError>;

    /// The shards that are not whole, each with the damage if there is any.
    fn missing(&self) -> Result<Vec<(u32, Option<String>)>, JobError>;

    /// Keeps other processes from working on the whole plan.
    fn lock(&self) -> Result<File, JobError>;

    /// Takes a shard that was made elsewhere.
    fn accept(
        &self,
        shard: u32,
        games: &[u8],
        seal: &str,
        other_build: bool,
    ) -> Result<Accepted, JobError>;
}

impl<J: Job + Send> AnyFolder for RunFolder<J> {
    fn format(&self) -> &str {
        &self.plan().format
    }

    fn name(&self) -> &str {
        self.name()
    }

    fn build(&self) -> &Build {
        &self.plan().build
    }

    fn shards(&self) -> u32 {
        self.work().shards()
    }

    fn threads(&self) -> usize {
        self.work().threads()
    }

    fn is_repeatable(&self) -> bool {
        self.work().is_repeatable()
    }

    fn unit_name(&self) -> &'static str {
        J::UNITS
    }

    fn units(&self, shard: u32) -> u64 {
        self.work().units(shard)
    }

    fn inputs(&self) -> Result<Vec<PathBuf>, JobError> {
        self.inputs()
    }

    fn missing(&self) -> Result<Vec<(u32, Option<String>)>, JobError> {
        self.missing()
    }

    fn lock(&self) -> Result<File, JobError> {
        self.lock()
    }

    fn accept(
        &self,
        shard: u32,
        games: &[u8],
        seal: &str,
        other_build: bool,
    ) -> Result<Accepted, JobError> {
        self.accept(shard, games, seal, other_build)
    }
}
