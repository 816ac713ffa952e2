//! Games made by plan: played, solved where they are 20 moves from their end,
//! searched for errors and corrected (Section 3 of the paper).
//!
//! * [`GeneratePlan`]: games from every opening between two players.
//! * [`CorrectPlan`]: errors in an archive and the better games.
//! * [`LabelPlan`]: what a search thinks of every position of an archive.
//! * [`GrowPlan`]: a book that grows from many roots.
//!
//! All are [`discern_players::Job`]s: plans, shards and merging are those of `discern-players`.
//! This crate refuses to know what the games are learned from, and it prints
//! nothing.
//!
//! ```
//! use discern_players::{Halt, Job, Openings, Plan, Site, WeightStore};
//! use discern_selfplay::GeneratePlan;
//!
//! let players = ["rev,depth=2", "rev-edges,depth=2"].map(|text| text.parse().unwrap());
//! let (store, halt) = (WeightStore::new(), Halt::new());
//! let plan = Plan::new(GeneratePlan {
//!     openings: Openings::Distinct { plies: 7, count: Some(1) },
//!     rounds: 2,
//!     shards: 1,
//!     ..GeneratePlan::between(players, &store)?
//! });
//! let folder = std::path::Path::new(".");
//! let site =
//!     Site { plan: plan.name().into(), folder, store: &store, restart: false, halt: &halt };
//! let mut worker = plan.work.worker(&site)?;
//! let games = plan.work.shard(&mut worker, &site, 0, &mut |_| {})?;
//! assert_eq!(games.len(), 2);
//! assert_ne!(games[0].players.black.name, games[1].players.black.name);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod correct;
mod generate;
mod grow;
mod input;
mod label;
mod leaf;
mod outcome;
mod play;
mod suspect;

pub use correct::{CorrectPlan, Corrector};
pub use generate::{GeneratePlan, Players};
pub use grow::{GrowPlan, Grower};
pub use input::{Archive, InputGames};
pub use label::{LabelPlan, Labeller};
pub use outcome::{EarlyOutcome, Solver};
