//! Whoever can be asked for a move: our engine, or a program that speaks GTP
//! or NBoard.

mod child;
mod engine;
mod failure;
mod gtp;
mod nboard;
pub mod testing;
mod turn;

use std::time::Duration;

use discern_board::{Color, Move};
use discern_records::Evaluation;
use discern_search::StopFlag;

pub use child::{Command, ParseCommandError, StartError};
pub(crate) use engine::usable;
pub use engine::{EnginePlayer, evaluation};
pub use failure::Failure;
pub use gtp::GtpPlayer;
pub use nboard::NBoardPlayer;
pub use turn::Turn;

/// Chooses moves.
///
/// For every game: [`begin`](Player::begin), then for each of the player's
/// turns [`prepare`](Player::prepare), which costs it no time, and
/// [`choose`](Player::choose). After a [`Failure`] that
/// [is fatal](Failure::is_fatal) the player is of no further use.
pub trait Player: Send {
    /// A new game, of which this player has one side.
    fn begin(&mut self, color: Color, turn: &Turn, stop: &StopFlag) -> Result<(), Failure>;

    /// Hears what has been played. Does not count as thinking.
    fn prepare(&mut self, turn: &Turn, stop: &StopFlag) -> Result<(), Failure>;

    /// Chooses a move; the side to move can move.
    fn choose(&mut self, turn: &Turn, stop: &StopFlag) -> Result<Choice, Failure>;
}

/// A chosen move and what is known about how it was found.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Choice {
    /// The move; the referee checks it.
    pub mv: Move,
    /// What the player thinks of it, from his view.
    pub evaluation: Option<Evaluation>,
    /// Plies searched.
    pub depth: Option<u32>,
    /// Nodes searched.
    pub nodes: Option<u64>,
    /// From the question to the answer.
    pub elapsed: Duration,
}

impl Choice {
    /// A move of which nothing else is known.
    pub fn bare(mv: Move, elapsed: Duration) -> Choice {
        Choice { mv, evaluation: None, depth: None, nodes: None, elapsed }
    }
}
