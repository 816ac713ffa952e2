//! From a table with named columns to fitted models and back: what
//! `discern fit` and `discern predict` are made of.
//!
//! * [`TableData`]: the rows of a CSV or Parquet file as examples, given which
//!   column plays which part ([`Columns`]).
//! * [`FitReport`]: LOG, FISHER, QUAD and OLS of every phase with held-out
//!   metrics and diagnostics; [`Line`]s are its serialised form.
//! * [`PartialFit`]: the same models of many tables, by sums that each of them
//!   is asked for ([`PartRequest`]).
//! * [`ModelFile`]: `model.json`, with every number exact to the last bit.
//! * [`Predictor`]: the models of such a file applied to the rows of a table.
//! * [`SparseData`], [`SparseReport`], [`SparseModel`], [`SparsePredictor`]: the
//!   same for sparse rows, LIBSVM text or lists in Parquet.
//!
//! * [`densities`]: how values and features are distributed, for plots.
//!
//! The crate refuses to know any game or command line; it prints nothing and
//! formats no number. The statistics are those of `discern-stats`, the files
//! those of `discern-table`.
//!
//! ```
//! use discern_fit::{Columns, FitReport, ModelKind, Settings, TableData};
//!
//! let path = std::env::temp_dir().join("discern-fit-example.csv");
//! let rows = "mobility,result\n3,win\n1,win\n2,loss\n-1,loss\n0,draw\n-2,win\n";
//! std::fs::write(&path, rows)?;
//! let columns = Columns { label: Some("result".into()), ..Columns::default() };
//! let data = TableData::read(&path, &columns, 1 << 20, |_| ())?;
//! assert_eq!((data.facts().rows, &data.facts().features[..]), (6, &["mobility".into()][..]));
//!
//! let settings = Settings { models: vec![ModelKind::Log], ..Settings::default() };
//! let report = FitReport::fit(&settings, data.examples())?;
//! let line = serde_json::to_value(report.lines().next())?;
//! assert_eq!(line["stop"], "converged");
//! # std::fs::remove_file(&path)?;
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod apply;
mod data;
mod densities;
mod error;
mod label;
mod line;
mod model_file;
mod models;
mod partial;
mod predict;
mod sparse;

pub use apply::{AnyPredictor, Applied};
pub use data::{Columns, Facts, TableData, default_memory};
pub use densities::{FeatureDensity, PhaseDensities, WinningShare, densities};
pub use error::Error;
pub use line::Line;
pub use model_file::{Entry, Equation, ModelFile, Named, Source, Weights};
pub use models::{
    Diagnostics, FitReport, Fitted, ModelKind, ModelReport, PhaseReport, Settings, check_folds,
    folds_of, trials_of,
};
pub use partial::{PartAnswer, PartRequest, PartialFit};
pub use predict::{PredictColumns, PredictedBatch, PredictedRows, Predictor};
pub use sparse::{
    Forecast, SparseColumns, SparseData, SparseFacts, SparseLimits, SparseLine, SparseModel,
    SparsePredictedRow, SparsePredictor, SparseReport, SparseRows, SparseSettings, SparseSource,
    SparseWork,
};
