//! The evaluators of the search: models and tables brought into the form in
//! which they are fastest.

mod counts;
mod dense;
mod form;
mod linear;
mod lookup;
mod network;
mod packed;
mod perceptron;
mod quadratic;

pub(crate) use dense::{board_terms, quad_evaluator};
pub(crate) use linear::FoldedModel;
pub use linear::LinearEvaluator;
pub(crate) use network::network_evaluator;
pub(crate) use perceptron::perceptron_evaluator;
pub use quadratic::QuadEvaluator;
