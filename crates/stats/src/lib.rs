//! Statistics of classified game positions: LOG, FISHER and QUAD (Buro 1995,
//! Sections 2 and 4), linear regression, their uncertainty and diagnostics.
//!
//! The crate knows rows of features with an outcome. It refuses to know any
//! game, where rows come from ([`Examples`]), and how numbers are printed.
#![doc = include_str!("../README.md")]

mod block;
mod crossval;
mod dataset;
mod diagnostics;
mod discriminant;
mod error;
mod estimator;
mod examples;
mod gram;
mod inference;
mod labels;
mod linear;
mod logistic;
mod matrix;
mod metrics;
mod moments;
mod partial;
mod pass;
mod phases;
mod predict;
mod sandwich;
mod simd;
pub mod sparse;
mod standard;
mod tile;
mod uncertainty;

pub use block::{BLOCK_ROWS, Block, Column, RowValues};
pub use crossval::{PhaseModel, cross_validate};
pub use dataset::{ColumnsView, Dataset, DatasetBuilder, Example};
pub use diagnostics::{
    BoxTest, ClassHistogram, ClassShape, CovarianceComparison, Verdict, class_histogram,
    class_shapes, compare_covariances, variance_inflation,
};
pub use discriminant::{Fisher, FisherFit, Prior, Quadratic, QuadraticErrors, QuadraticFit};
pub use error::{DataError, FitError};
pub use estimator::{Estimator, Fit, Fits};
pub use examples::{Blocks, Examples, Fold, Side};
pub use inference::{Estimate, Reference, WaldTest, estimates, normal_log_odds, wald_test};
pub use labels::Trials;
pub use linear::{Linear, LinearFit};
pub use logistic::{Logistic, LogisticFit, LogisticSteps, StopReason};
pub use matrix::{Cholesky, Dependent, Matrix};
pub use metrics::{
    Bins, CalibrationBin, Discordance, Measured, Metrics, Prediction, calibration, discordance,
    discordance_and_influence, metrics, predict_all, share_interval,
};
pub use moments::{Moments, PhaseMoments, Scatter, WithMoments};
pub use partial::{Gathered, PartSums, Pass};
pub use pass::Threads;
pub use phases::{PhaseRange, Pooling};
pub use predict::{Predict, logistic};
pub use uncertainty::{Covariance, ErrorKind, Uncertainty};
