//! What the data look like to the models: whether the classes differ as the
//! models assume, and which features say the same.

mod covariance;
mod histogram;
mod inflation;
mod shape;

pub use covariance::{BoxTest, CovarianceComparison, Verdict, compare_covariances};
pub use histogram::{ClassHistogram, class_histogram};
pub use inflation::variance_inflation;
pub use shape::{ClassShape, class_shapes};
