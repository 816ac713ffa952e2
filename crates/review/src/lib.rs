//! What each move of a game cost.
//!
//! [`review`] goes through a game from its last move to its first, asks a
//! [`Search`] to compare each move with the best one, and yields a
//! [`ReviewedMove`] with odds, discs and a [`Grade`]. A [`Summary`] counts
//! them by side and phase.
//!
//! A judgement is fair and careful:
//!
//! * The best move and the move played are seen by one search, equally deep:
//!   values of odd and even depths differ by more than most mistakes.
//! * Moves that lead to the same position up to symmetry are the same move.
//! * A move lost only what the last depths of the search agree on, less what a
//!   deeper search may take back: a grade needs a difference beyond the search's
//!   own uncertainty.
//! * Odds count until the outcome is decided, discs from then on; [`Counts`]
//!   lets the caller choose.
//!
//! This crate refuses to know how a search works ([`EngineSearch`] adapts our
//! own) and how a review is shown.
//!
//! ```
//! use discern_board::Game;
//! use discern_eval::Rev;
//! use discern_review::{Counts, EngineSearch, Grade, review};
//! use discern_search::{Limits, Options, Searcher, StopFlag};
//!
//! let mut engine = Searcher::new(Rev::default(), Options { threads: 1, table_mebibytes: 4 })?;
//! let stop = StopFlag::new();
//! let mut search = EngineSearch { engine: &mut engine, limits: Limits::depth(4), stop: &stop };
//! let game: Game = "f5d6c3".parse()?;
//! let moves: Vec<_> = review(&game, &mut search, Counts::Both).collect();
//! assert_eq!(moves.len(), 3);
//! // All first moves are the same.
//! assert_eq!((moves[2].ply, moves[2].grade), (0, Grade::Best));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod compare;
mod expected;
mod grade;
mod reviewed;
mod summary;
mod weighed;

pub use compare::{Comparison, EngineSearch, Search};
pub use expected::expected_discs;
pub use grade::{Counts, Grade};
pub use reviewed::{ReviewedMove, review};
pub use summary::{Part, Phase, Side, Summary};
