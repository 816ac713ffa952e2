//! The rules of Othello.
//!
//! Everything here is exact and allocation-free on the hot paths: [`Board`] is
//! two 64-bit words seen by the side to move, and its two kernels (legal moves
//! and flipped discs) live behind one door in [`flips`]. This crate refuses to
//! know how good a position is; that is the business of evaluators and search.
#![doc = include_str!("../README.md")]

mod bitboard;
mod board;
mod color;
mod dice;
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
pub use dice::Dice;
pub use game::{Game, IllegalMove, Ply};
pub use moves::{Move, ParseMoveError};
pub use perft::perft;
pub use position::{ParsePositionError, Position};
pub use score::{Outcome, Score};
pub use square::{ParseSquareError, Square};
pub use symmetry::Symmetry;
pub use transcript::ParseTranscriptError;
