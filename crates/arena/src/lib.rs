//! Players, games under clocks, tournaments, and what their results are worth
//! (paper, Section 4, second half).
//!
//! ```text
//! player/       who chooses moves: our engine, GTP and NBoard programs
//! referee       one game by the rules and the clocks
//! tournament/   all games of a plan in parallel, stored, resumable
//! openings      nearly even positions to begin with
//! serve/        our engine for other programs: GTP and NBoard
//! stats/        pairs in, estimates and tests out
//! ```
//!
//! This crate refuses to know how results are printed, and which evaluation
//! functions there are.
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
pub mod player;
mod referee;
pub mod serve;
pub mod stats;
pub mod tournament;

pub use referee::{Played, Referee, Rules, Seat};
