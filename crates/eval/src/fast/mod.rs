//! The evaluators of the search: models and tables brought into the form in
//! which they are fastest.

mod form;
mod linear;
mod lookup;
mod packed;
mod quadratic;

pub use linear::LinearEvaluator;
pub use quadratic::QuadEvaluator;
