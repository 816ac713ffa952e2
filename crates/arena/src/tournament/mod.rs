//! Tournaments: planned, played in parallel, stored game by game.

mod plan;
mod results;
mod rows;
mod run;
mod standings;
mod worker;

pub use plan::{Fixture, Schedule, TournamentPlan};
pub use results::{Effort, GameResult, Results, ResumeError, Resumed};
pub use rows::{MatchRow, PlayerRow, TournamentRow};
pub use run::{Conclusion, Finished, SprtRunResult, Tournament, TournamentError};
pub use standings::{Match, Standing, Standings};
pub use worker::Worker;
