//! Statistics of classified game positions: LOG, FISHER and QUAD (Buro 1995,
//! Sections 2 and 4), linear regression, their uncertainty and diagnostics.
//!
//! The crate knows rows of features with an outcome, and nothing of any game;
//! it reads no files and prints nothing. Estimators share one shape: settings
//! with `Default` → `fit` → a fitted value that owns its coefficients, their
//! uncertainty and why it stopped. All work in passes over [`Examples`], in
//! memory ([`Dataset`], [`ColumnsView`]) or read again for each pass, keep only
//! sums, and give the same bits for any number of threads.
//!
//! ```
//! use discern_stats::{Dataset, Example, Fisher, Logistic, Moments, Predict, Quadratic, Threads};
//!
//! let mut data = Dataset::builder(["material", "tempo"]);
//! for row in 0..40 {
//!     let material = f64::from(row % 7) - 3.0;
//!     let tempo = f64::from(row % 3);
//!     let outcome = if material + tempo + f64::from(row % 4) > 2.0 { 1.0 } else { 0.0 };
//!     data.push(&Example::new(&[material, tempo], outcome))?;
//! }
//! let data = data.finish();
//!
//! let moments = Moments::collect(&data, Threads::ONE)?;
//! let fisher = Fisher::default().fit(&moments)?;
//! let quad = Quadratic::default().fit(&moments)?;
//! let log = Logistic::default().fit(&data)?;
//! for model in [&fisher as &dyn Predict, &quad, &log] {
//!     assert!(model.probability(&[3.0, 2.0]) > 0.5);
//! }
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct ReadmeExamples;

mod block;
mod crossval;
mod dataset;
mod diagnostics;
mod discriminant;
mod error;
mod examples;
mod gram;
mod inference;
mod labels;
mod linear;
mod logistic;
mod matrix;
mod metrics;
mod moments;
mod pass;
mod phases;
mod predict;
mod sandwich;
mod simd;
mod standard;
mod tile;

pub use block::{BLOCK_ROWS, Block, Column};
pub use crossval::{PhaseModel, cross_validate};
pub use dataset::{ColumnsView, Dataset, DatasetBuilder, Example};
pub use diagnostics::{
    BoxTest, ClassHistogram, ClassShape, CovarianceComparison, Verdict, class_histogram,
    class_shapes, compare_covariances, variance_inflation,
};
pub use discriminant::{
    Fisher, FisherFit, Prior, Quadratic, QuadraticErrors, QuadraticFit, add_fisher_errors,
};
pub use error::{DataError, FitError};
pub use examples::{Blocks, Examples, Fold, Side};
pub use inference::{
    ErrorKind, Estimate, Reference, WaldTest, estimates, normal_log_odds, standard_errors,
    wald_test,
};
pub use labels::Trials;
pub use linear::{Linear, LinearFit};
pub use logistic::{Logistic, LogisticFit, StopReason};
pub use matrix::{Cholesky, Dependent, Matrix};
pub use metrics::{
    Bins, CalibrationBin, Discordance, Measured, Metrics, Prediction, calibration, discordance,
    discordance_and_influence, metrics, predict_all, share_interval,
};
pub use moments::{Moments, PhaseMoments, Scatter};
pub use pass::Threads;
pub use phases::{PhaseRange, Pooling};
pub use predict::{Predict, logistic};
pub use sandwich::Clustered;
