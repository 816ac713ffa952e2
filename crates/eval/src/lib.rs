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
//! * [`Weights`]: a list of [`Features`], their tables, and any number of
//!   [`NamedModel`]s, each of a [`Kind`]; their file, and the explanation of a
//!   value.
//! * [`evaluator`]: the one door from the name of a model to an
//!   [`AnyEvaluator`]; models without weights are in [`HAND_SET`].
//! * [`Feature`], [`patterns`]: the features and the geometry behind them.
//!
//! A further feature is an entry of a list (`scalars.rs`, or a pattern), a
//! further kind of model a file in `models/` and a line in its `mod.rs`.
//!
//! ```
//! use discern_board::Board;
//! use discern_eval::{Evaluator, Rev};
//!
//! let rev = Rev::default();
//! let value = rev.evaluate(&Board::START);
//! assert!((value.probability() - 0.5).abs() < 0.1);
//! ```

mod basis;
mod bytes;
mod evaluator;
mod fast;
mod feature;
mod features;
mod material;
mod models;
pub mod patterns;
mod phases;
mod registry;
mod rev;
mod scalars;
mod spread;
mod tables;
mod value;
mod weights;

pub use basis::{Basis, Instance};
pub use evaluator::Evaluator;
pub use fast::{LinearEvaluator, QuadEvaluator};
pub use feature::Feature;
pub use features::{Features, ParseFeaturesError};
pub use material::Material;
pub use models::*;
pub use phases::{FIRST_PHASE, LAST_PHASE, PHASES, Phases};
pub use registry::{
    AnyEvaluator, Estimate, EvaluatorVisitor, HAND_SET, HandSet, MissingModel, evaluator, hand_set,
    register,
};
pub use rev::Rev;
pub use tables::{Stages, TableSet, TableValue, Tables};
pub use value::Value;
pub use weights::{
    Explanation, FeatureExplanation, HeldOut, Manifest, ModelExplanation, Named, NamedModel,
    NamedParts, OtherTables, STRONGEST, Weights, WeightsError,
};
