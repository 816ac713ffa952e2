//! The rules of Othello.
//!
//! Everything here is exact and allocation-free on the hot paths: [`Board`] is
//! two 64-bit words seen by the side to move, and its two kernels (legal moves
//! and flipped discs) live behind one door in [`flips`]. This crate refuses to
//! know how good a position is; that is the business of evaluators and search.
//!
//! * [`Square`], [`Color`], [`Move`], [`Bitboard`]: the vocabulary.
//! * [`Board`]: discs of the mover and of the opponent, no colours.
//! * [`Position`]: a board and the colour to move; what people write down.
//! * [`Game`]: a start position and the moves played, with undo.
//! * [`Symmetry`]: the eight images of a board and its canonical form.
//! * [`perft`]: counts move paths, the classic check of move generators.
//!
//! ```
//! use discern_board::{Game, Position};
//!
//! let game: Game = "f5d6c3".parse()?;
//! assert_eq!(game.position().board.discs(), 7);
//!
//! let start: Position = "---------------------------OX------XO--------------------------- X".parse()?;
//! assert_eq!(start, Position::START);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod bitboard;
mod board;
mod color;
pub mod flips;
mod game;
mod moves;
mod perft;
mod position;
mod score;
mod square;
mod symmetry;
pub mod testing;
mod transcript;

pub use bitboard::{Bitboard, Squares};
pub use board::Board;
pub use color::Color;
pub use game::{Game, IllegalMove, Ply};
pub use moves::{Move, ParseMoveError};
pub use perft::perft;
pub use position::{ParsePositionError, Position};
pub use score::{Outcome, Score};
pub use square::{ParseSquareError, Square};
pub use symmetry::Symmetry;
pub use transcript::ParseTranscriptError;
