//! FISHER and QUAD: discriminant functions for normally distributed features
//! (Section 2.1).

mod fisher;
mod quadratic;

pub use fisher::{Fisher, FisherFit, add_fisher_errors};
pub use quadratic::{Quadratic, QuadraticErrors, QuadraticFit};

use crate::moments::Moments;

/// The a priori probabilities of the classes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Prior {
    /// P(W) = P(L) = ½, as in the paper.
    #[default]
    Equal,
    /// The shares of the classes among the rows.
    FromData,
}

impl Prior {
    /// log P(W) − log P(L)
    fn log_odds(self, moments: &Moments) -> f64 {
        match self {
            Self::Equal => 0.0,
            Self::FromData => (moments.won.weight / moments.lost.weight).ln(),
        }
    }
}
