//! Evaluation functions: how likely is the mover to win?
//!
//! An [`Evaluator`] turns a board into a [`Value`], the log-odds of a win for
//! the side to move, with the same meaning in every phase of the game (paper,
//! Section 2). This crate refuses to know how values are searched or fitted.
//!
//! * [`Value`]: log-odds in thousandths; proven results lie outside the range
//!   of estimates.
//! * [`Evaluator`]: what the search asks; may carry state along a line.
//! * [`Rev`]: hand-set heuristics, the second program of the paper.
//! * [`Material`]: counts discs; for tests and as the weakest opponent.
//!
//! ```
//! use discern_board::Board;
//! use discern_eval::{Evaluator, Rev};
//!
//! let rev = Rev::default();
//! let value = rev.evaluate(&Board::START);
//! assert!((value.probability() - 0.5).abs() < 0.1);
//! ```

mod evaluator;
mod material;
mod rev;
mod value;

pub use evaluator::Evaluator;
pub use material::Material;
pub use rev::Rev;
pub use value::Value;
