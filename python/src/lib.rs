//! The compiled half of the Python package `discern`.
//!
//! It hands NumPy's columns to the statistics, positions to the engine, and
//! plain values back; what it looks like to scikit-learn, pandas and a notebook
//! is written in Python beside it. It refuses to know how anything is computed.
//! The interpreter's lock is released while a
//! fit, a search or a file takes its time.

mod basis;
mod columns;
mod dense;
mod engine;
mod failure;
mod folders;
mod game;
mod measures;
mod partial;
mod position;
mod records;
mod sparse;

use pyo3::prelude::*;

#[pymodule]
#[pyo3(name = "_native")]
mod native {
    #[pymodule_export]
    use super::{
        basis::{Basis, learn_features, shipped_basis},
        columns::zero_or_one,
        dense::fit_dense,
        engine::Engine,
        folders::{FolderLock, RunFolder, fingerprint},
        game::Game,
        measures::{calibration, estimates, measures, wald_test},
        partial::PartialFit,
        position::Position,
        records::{read_games, read_positions, split_by_game},
        sparse::fit_sparse,
    };

    #[pymodule_init]
    fn init(module: &super::Bound<'_, super::PyModule>) -> super::PyResult<()> {
        use super::PyModuleMethods;
        module.add("__version__", env!("CARGO_PKG_VERSION"))
    }
}
