//! Drawings that are no charts of x and y.

mod bars;
mod classification;
mod forest;
mod mini_board;
mod square;

pub(crate) use bars::{Bar, bars};
pub(crate) use classification::classification;
pub(crate) use forest::{Compared, forest};
pub(crate) use mini_board::mini_board;
pub(crate) use square::square;

/// A drawing narrower than this puts its labels above instead of beside.
const NARROW: f64 = 500.0;
