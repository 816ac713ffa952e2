//! The evaluators of the search: models and tables brought into the form in
//! which they are fastest.

mod dense;
mod form;
mod linear;
mod lookup;
mod packed;
mod quadratic;

pub(crate) use dense::{board_terms, quad_evaluator};
pub(crate) use linear::FoldedModel;
pub use linear::LinearEvaluator;
pub use quadratic::QuadEvaluator;
