//! The opening book.
//!
//! A book is a graph of canonical positions. Each knows its *examined* moves,
//! which lead to other positions of the book, and its *deviation*: the best
//! move that is not examined, as a search saw it. NegaMax runs over both alike,
//! which is sound because a value means the same in every phase: the odds of
//! an opening search stand beside those of a late midgame (the last paragraph
//! of Buro's paper).
//!
//! | type | what it is |
//! | --- | --- |
//! | [`Worth`], [`Worths`], [`Grade`] | a value, in the three ways a draw can count, and how reliable it is |
//! | [`Entry`] | what is known of a position by itself: deviation, games |
//! | [`Graph`] | a book in memory: entries, links, values always up to date |
//! | [`BookFile`] | a book on disk to look positions up in, memory-mapped |
//! | [`Workshop`] | a book being changed: graph, file and a journal that survives `kill -9` |
//! | [`Judge`], [`Crew`] | whoever searches, given from outside; one for each thread |
//! | [`Growth`], [`Lessons`] | growing best-first; entering games |
//! | [`Choice`] | which book move to play |
//! | [`opening_of`] | what players call an opening |
//!
//! This crate refuses to know how positions are searched, and it prints
//! nothing.
//!
//! ```
//! use discern_board::{Bitboard, Board};
//! use discern_book::{Crew, Deviation, Grade, Growth, Judge, Workshop, Worth};
//!
//! // Who counts moves instead of searching.
//! let judge = |board: &Board, except: Bitboard| {
//!     let after = |square| board.play_unchecked(square, board.flips(square)).moves().count();
//!     let moves = (board.moves() - except).squares();
//!     let square = moves.min_by_key(|&square| after(square))?;
//!     let worth = Worth::estimate(-50 * after(square) as i32);
//!     Some(Deviation { square, worth, grade: Grade::Depth(1) })
//! };
//! let folder = tempfile::tempdir()?;
//! let mut workshop = Workshop::open(folder.path().join("small.book"))?;
//! let mut crew = Crew { judges: vec![Box::new(judge)], stop: &|| false };
//! let growth = Growth { positions: 20, ..Growth::default() };
//! growth.grow(&mut workshop, &mut crew, |_| {})?;
//! assert_eq!(workshop.finish()?.len(), 20);
//! let book = discern_book::BookFile::open(folder.path().join("small.book"))?;
//! assert!(book.find(&Board::START)?.is_some());
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod choice;
mod crew;
mod edax;
mod entry;
mod error;
mod explore;
mod file;
mod graph;
mod grow;
mod hash;
mod journal;
mod judge;
mod learn;
mod lines;
mod merge;
mod names;
mod paths;
mod steps;
pub mod study;
mod unite;
mod workshop;
mod worth;

pub use choice::Choice;
pub use crew::Crew;
pub use edax::{is_edax, read_edax, write_edax};
pub use entry::{Entry, Games, Results, Who};
pub use error::BookError;
pub use explore::{AnsweredMove, BookAnswer, Explored};
pub use file::{BookFile, Found, Manifest, to_bytes};
pub use graph::{BookMove, Graph, Link, Node};
pub use grow::{Growing, Grown, Growth, Task};
pub use journal::Journal;
pub use judge::{Deviation, Judge};
pub use learn::{Learned, Lesson, Lessons, search_wanting};
pub use lines::{BookLine, lines};
pub use merge::{Merged, merged};
pub use names::{Opening, opening_at, opening_of, openings};
pub use paths::{Paths, best_line};
pub use steps::{MoveClass, Step, move_classes, step};
pub use unite::united;
pub use workshop::Workshop;
pub use worth::{Draws, Grade, Worth, Worths};
