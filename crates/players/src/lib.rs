//! Players and plans as data.
//!
//! * [`PlayerSpec`]: who plays, with one text form ([`GRAMMAR`]); it makes a
//!   [`player::Player`]: our engine, or a program that speaks GTP or NBoard.
//! * [`WeightStore`]: weights by content, shared by all players of a process.
//! * [`Referee`]: one game by the rules and the clocks.
//! * [`Plan`]: work described completely and by which [`Build`], named by its
//!   hash. A [`Job`] is a kind of work, cut into shards.
//! * [`RunFolder`]: a plan and its finished shards; [`run_missing`] works on
//!   what is missing, [`merge`] puts the shards together. Shards that other
//!   machines made come in by [`ShardFolder::accept`], whatever the kind of work.
//! * [`Openings`]: where games begin. [`OpenBook`]: a book to play from,
//!   [`EngineJudge`]: who searches for one.
//! * [`serve`]: our engine for other programs, and at a board with a person.
//! * [`Analysis`], [`Solution`]: what a search says of a position, for programs.
//!
//! Shard i is a pure function of the plan and i: it has the same bytes on any
//! machine, with any number of threads, before and after `kill -9`. This crate
//! refuses to know what games are played for, and it prints nothing.
//!
//! ```
//! use discern_players::{PlayerSpec, WeightStore};
//!
//! let mut player: PlayerSpec = "rev,name=Ada,depth=4".parse()?;
//! let store = WeightStore::new();
//! store.settle(&mut player)?;
//! player.check()?;
//! assert!(player.is_repeatable());
//! assert_eq!(player.to_string(), "rev,name=Ada,depth=4");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod accept;
mod analysis;
mod book;
mod build;
mod error;
mod fingerprint;
mod folder;
mod halt;
mod job;
mod judge;
mod level;
mod merge;
mod named;
pub mod openings;
mod plan;
pub mod player;
mod pool;
mod randomness;
mod referee;
mod seal;
pub mod serve;
mod shard;
mod shard_folder;
mod solution;
mod spec;
mod store;

pub use accept::Accepted;
pub use analysis::{Analysis, AnalyzedMove, Explained, LineWorth};
pub use book::{BookSpec, OpenBook};
pub use build::{Build, PROGRAM, command_line};
pub use error::JobError;
pub use fingerprint::{Fingerprint, fingerprint_of_bytes, fingerprint_of_file};
pub use folder::RunFolder;
pub use halt::Halt;
pub use job::{Job, Site};
pub use judge::{EngineJudge, described_judge, lessons_in, lessons_of, lines_of, teacher};
pub use level::Level;
pub use merge::{Duplicates, Merged, ShardSummary, merge, shard_games};
pub use named::{NamedEngine, evaluators_of, weights_of};
pub use openings::Openings;
pub use plan::{Plan, describe, format_of, name_of};
pub use pool::{Crew, Step, cores, cores_for, fair_games, run_missing};
pub use randomness::Randomness;
pub use referee::{Played, Referee, Rules, Seat};
pub use seal::Seal;
pub use shard::{Cut, ParseShardError, Shard, ShardChoice, ShardOfTaskError, shard_of_task};
pub use shard_folder::{ShardFolder, ShardState, write_whole};
pub use solution::{Known, Solution, SolutionTotals, SolvedMove};
pub use spec::{
    Defaults, EngineSpec, GRAMMAR, ParsePlayerError, PlayerSpec, PlayersFileError, ProgramSpec,
    Protocol, Search, Who, clock, read_players, seconds, time_span,
};
pub use store::WeightStore;
