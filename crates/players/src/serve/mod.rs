//! Our engine behind the protocols that other programs speak, and at a board
//! with a person.

mod editor;
mod gtp;
mod gtp_clock;
mod interrupt;
mod lines;
mod nboard;
mod prompt;
mod terminal;

pub use gtp::GtpServer;
pub use gtp_clock::{GtpClock, TimeMeaning};
pub use nboard::{NBoardServer, Teacher};
pub use prompt::{PlainPrompt, Prompt, person};
pub use terminal::{GameTable, GameTableError};
