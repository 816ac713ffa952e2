//! Sparse rows: from a file to weights of up to two thousand million indices,
//! and back to predictions.

mod data;
mod forecast;
mod line;
mod model;
mod predict;
mod report;
mod store;

pub use data::{SparseColumns, SparseData, SparseFacts, SparseLimits};
pub use forecast::Forecast;
pub use line::SparseLine;
pub use model::{SparseModel, SparseSource};
pub use predict::{SparsePredictedRow, SparsePredictor, SparseRows};
pub use report::{SparseReport, SparseSettings, SparseWork};
