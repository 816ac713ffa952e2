//! FISHER and QUAD: discriminant functions for normally distributed features
//! (Section 2.1).

mod fisher;
mod quadratic;

pub use fisher::{Fisher, FisherFit};
pub use quadratic::{Quadratic, QuadraticErrors, QuadraticFit};

use serde::{Deserialize, Serialize};

use crate::error::FitError;
use crate::estimator::Fits;
use crate::examples::Examples;
use crate::moments::{Moments, PhaseMoments};
use crate::pass::Threads;
use crate::phases::{PhaseRange, Pooling};
use crate::sandwich::{Sandwich, add_sandwiches};
use crate::uncertainty::ErrorKind;

/// Fits every window by its moments, and then the errors of all of them.
fn fit_windows<F: Sandwich>(
    examples: &dyn Examples,
    pooling: Option<Pooling>,
    threads: Threads,
    errors: ErrorKind,
    fit: impl Fn(&Moments, PhaseRange) -> Result<F, FitError>,
) -> Result<Fits<Option<i32>, F>, FitError> {
    let moments = PhaseMoments::of(examples, threads)?;
    let (phases, mut fits): (Vec<_>, Vec<_>) = moments
        .slots(pooling)
        .into_iter()
        .map(|(phase, range, moments)| (phase, fit(&moments, range)))
        .unzip();
    add_sandwiches(examples, threads, errors, &mut fits)?;
    Ok(phases.into_iter().zip(fits).collect())
}

/// The a priori probabilities of the classes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum Prior {
    /// P(W) = P(L) = ½, as in the paper.
    #[default]
    Equal,
    /// The shares of the classes among the rows.
    FromData,
}

impl Prior {
    /// The words for them, and what they mean.
    pub const WORDS: [(&str, &str, Self); 2] = [
        ("equal", "P(W) = P(L) = 1/2", Self::Equal),
        ("data", "Shares of the classes in the data", Self::FromData),
    ];

    /// log P(W) − log P(L)
    fn log_odds(self, moments: &Moments) -> f64 {
        match self {
            Self::Equal => 0.0,
            Self::FromData => (moments.won.weight / moments.lost.weight).ln(),
        }
    }
}
