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
//! * [`Weights`]: tables and the models LOG, FISHER and QUAD of every phase,
//!   their file, and the explanation of a value; [`Weights::shipped`] are part
//!   of the program.
//! * [`LinearEvaluator`], [`QuadEvaluator`]: the models at full speed.
//! * [`Feature`], [`patterns`]: the 13 features and the geometry behind them.
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

mod direct;
mod evaluator;
mod fast;
mod feature;
mod material;
mod model;
pub mod patterns;
mod phases;
mod rev;
mod spread;
mod tables;
mod value;
mod weights;

pub use direct::{DirectModel, DirectPhase, DirectSet};
pub use evaluator::Evaluator;
pub use fast::{LinearEvaluator, QuadEvaluator};
pub use feature::{FEATURES, Feature, FeatureSet, ParseFeatureSetError};
pub use material::Material;
pub use model::{LinearErrors, LinearModel, QuadraticModel};
pub use phases::{FIRST_PHASE, LAST_PHASE, PHASES, Phases};
pub use rev::Rev;
pub use tables::{Instance, Stages, TableSet, TableValue, Tables};
pub use value::Value;
pub use weights::{
    Contribution, Explanation, FeatureExplanation, Manifest, Weights, WeightsError,
    WriteWeightsError,
};
