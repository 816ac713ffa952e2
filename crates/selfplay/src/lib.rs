//! Games made by plan: played, solved where they are 20 moves from their end,
//! searched for errors and corrected (Section 3 of the paper).
//!
//! A [`Job`] is work described completely by a small plan and cut into shards.
//! Shard i is a pure function of the plan and i: it has the same bytes on any
//! machine, with any number of threads, before and after `kill -9`. This crate
//! refuses to know what the games are learned from, and it prints nothing.
//!
//! * [`openings`]: all positions after some moves, up to symmetry.
//! * [`GeneratePlan`]: games from every opening between two programs.
//! * [`CorrectPlan`]: errors in an archive and the better games.
//! * [`RunFolder`]: plan and finished shards of one run; [`run_missing`] works
//!   on what is missing, [`merge`] puts the shards together.
//!
//! ```
//! use discern_selfplay::{GeneratePlan, Job, Openings};
//!
//! let players = ["rev,depth=2", "rev-edges,depth=2"].map(|text| text.parse().unwrap());
//! let plan = GeneratePlan {
//!     openings: Openings { plies: 7, count: Some(1) },
//!     rounds: 2,
//!     shards: 1,
//!     ..GeneratePlan::between(players)
//! };
//! let mut worker = plan.worker(std::path::Path::new("."))?;
//! let games = plan.shard(&mut worker, 0, &mut |_| {})?;
//! assert_eq!(games.len(), 2);
//! assert_ne!(games[0].players.black.name, games[1].players.black.name);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod correct;
mod dice;
mod error;
mod fingerprint;
mod folder;
mod generate;
mod job;
mod merge;
mod openings;
mod outcome;
mod play;
mod player;
mod pool;
mod randomness;
mod seal;
mod shard;
mod suspect;

pub use correct::{CorrectPlan, Corrector};
pub use error::JobError;
pub use fingerprint::{Fingerprint, fingerprint, fingerprint_of_bytes, fingerprint_of_file};
pub use folder::{RunFolder, ShardState};
pub use generate::{GeneratePlan, Players};
pub use job::{Job, PROGRAM};
pub use merge::{Duplicates, Merged, ShardSummary, merge};
pub use openings::{Opening, Openings, openings};
pub use outcome::{EarlyOutcome, Solver};
pub use player::{ParsePlayerError, PlayerPlan};
pub use pool::{Step, run_missing};
pub use randomness::Randomness;
pub use seal::Seal;
pub use shard::{ParseShardError, Shard};
