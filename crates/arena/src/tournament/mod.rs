//! Tournaments: planned, played in parallel, stored game by game.

mod halt;
mod plan;
mod results;
mod run;
mod standings;

pub use halt::Halt;
pub use plan::{Builder, Contestant, Fixture, Plan, Schedule};
pub use results::{Effort, GameResult, Results, ResumeError};
pub use run::{Conclusion, Finished, SprtRunResult, Tournament, TournamentError};
pub use standings::{Match, Standing, Standings};
