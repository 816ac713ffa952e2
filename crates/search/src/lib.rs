//! Finds the best move: NegaScout over any [`Evaluator`], and an endgame
//! solver whose results are exact.
//!
//! [`Searcher::search`] looks deeper and deeper until a limit is reached, and
//! proves the outcome or the score of endgames. This crate refuses to know
//! what makes a position good (the evaluator does; no model is known by name
//! here) and where positions come from.
//!
//! ```text
//! searcher ─► root ─► deep ─┬─► midgame              to the horizon, corner quiescence
//!             │      │      └─► small ─► endgame/    12 … 0 empty squares
//!             │      ├─ order       which move first
//!             │      ├─ table       positions met before, shared by all threads
//!             │      └─ split       work for idle threads
//!             └─ limits, clock, control: when to end
//! plain       a second program: another search, without a table
//! engine      a searcher whose evaluator is chosen as the program runs
//! benchmark   fixed positions: node signature and speed
//! ```
//!
//! ```
//! use discern_board::{Board, Game};
//! use discern_eval::Rev;
//! use discern_search::{Limits, Options, Searcher, StopFlag};
//!
//! let mut searcher = Searcher::new(Rev::default(), Options { threads: 1, table_mebibytes: 16 })?;
//! let report = searcher.search(&Board::START, &Limits::depth(6), &StopFlag::new(), |_| {});
//! let best = report.best().expect("the game is not over");
//! assert!(Board::START.play(best.mv).is_some());
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! [`Evaluator`]: discern_eval::Evaluator

mod benchmark;
mod clock;
mod control;
mod deep;
mod endgame;
mod ending;
mod engine;
mod limits;
mod midgame;
mod order;
mod plain;
mod prefetch;
mod proof;
mod report;
mod root;
mod searcher;
mod selectivity;
mod small;
mod split;
mod stability;
mod stopwatch;
mod table;
mod ticker;
mod worker;

pub use benchmark::{Benchmark, Effort};
pub use clock::Clock;
pub use control::StopFlag;
pub use engine::{Engine, engine, plain_engine};
pub use limits::{Limits, MoveTime};
pub use plain::PlainSearcher;
pub use proof::{Bounds, Proof};
pub use report::{Certainty, Line, Report};
pub use searcher::{Options, Searcher};
pub use stopwatch::{Stopwatch, Timing};
