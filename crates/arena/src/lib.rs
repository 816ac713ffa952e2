//! Tournaments and what their results are worth (paper, Section 4, second
//! half).
//!
//! ```text
//! tournament/   all games of a plan, in one process or in shards; standings
//! openings      nearly even positions to begin with
//! stats/        pairs in, estimates and tests out
//! ```
//!
//! This crate refuses to know how a player finds its moves, how results are
//! printed, and which evaluation functions there are.
//!
//! ```
//! use discern_arena::stats::{Pair, Summary};
//!
//! // Disc differences of two pairs: a clean sweep and a balanced one.
//! let summary = Summary::new(&[Pair::new([6, 2]), Pair::new([10, -10])], 1);
//! assert_eq!(summary.percentage(), 75.0);
//! assert_eq!(summary.pentanomial.0, [0, 0, 1, 0, 1]);
//! ```

pub mod openings;
pub mod stats;
pub mod tournament;
