//! Search.
mod control;
mod deep;
mod endgame;
mod limits;
mod midgame;
mod order;
mod report;
mod searcher;
mod small;
mod split;
mod stability;
mod table;
mod worker;

pub use control::StopFlag;
pub use limits::{Limits, MoveTime};
pub use report::{Certainty, Line, Report};
pub use searcher::{Options, Searcher, proven_outcome};
