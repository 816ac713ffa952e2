//! Features of many positions at once.

use discern_board::Board;
use discern_eval::Features;
use discern_eval::patterns::{AllIndices, PATTERNS};
use discern_learn::{FitSettings, feature_table};
use numpy::{PyArray1, PyArray2, PyArrayMethods, PyReadonlyArray1};
use pyo3::prelude::*;

use crate::dense::threads;
use crate::failure::value_error;
use crate::records::{Classified, boards};

/// A list of features, and the tables behind those that are patterns.
#[pyclass(frozen, module = "discern")]
pub struct Basis(discern_eval::Basis);

#[pymethods]
impl Basis {
    /// Short names of the features, in the order of the columns.
    #[getter]
    fn names(&self) -> Vec<&'static str> {
        self.0.features().names()
    }

    /// The features of boards given as bits, a row each.
    #[pyo3(signature = (mover, opponent, threads=None))]
    fn values<'py>(
        &self,
        py: Python<'py>,
        mover: PyReadonlyArray1<u64>,
        opponent: PyReadonlyArray1<u64>,
        threads: Option<usize>,
    ) -> PyResult<Bound<'py, PyArray2<f64>>> {
        let boards = boards(&mover, &opponent)?;
        let width = self.0.features().len();
        let threads = self::threads(threads)?.count();
        let values = py.detach(|| {
            let mut values = vec![0.0; boards.len() * width];
            let share = boards.len().div_ceil(threads).max(1);
            std::thread::scope(|scope| {
                for (boards, rows) in boards.chunks(share).zip(values.chunks_mut(share * width)) {
                    scope.spawn(move || {
                        for (board, row) in boards.iter().zip(rows.chunks_exact_mut(width)) {
                            self.fill(board, row);
                        }
                    });
                }
            });
            values
        });
        PyArray1::from_vec(py, values).reshape([boards.len(), width])
    }

    fn __repr__(&self) -> String {
        format!("Basis('{}')", self.0.features())
    }
}

impl Basis {
    /// The features of a board, by the configurations of all patterns at once.
    fn fill(&self, board: &Board, row: &mut [f64]) {
        let set = self.0.tables().at(board.discs() as usize);
        let indices = AllIndices::of(board);
        let mut by_pattern = [0.0; PATTERNS.len()];
        indices.occurrences(|found| {
            by_pattern[found.pattern] += set.value(found.pattern, found.configuration).value();
        });
        let lines = indices.mobility();
        for (value, feature) in row.iter_mut().zip(self.0.features().iter()) {
            let scalar = || feature.value(board, &lines).expect("a scalar");
            *value = feature.pattern().map_or_else(scalar, |pattern| by_pattern[pattern]);
        }
    }
}

/// The features and tables of the shipped weights.
#[pyfunction]
pub fn shipped_basis() -> Basis {
    Basis((**discern_data::weights().basis()).clone())
}

/// A basis, rows of features, and which position each of them is.
type Learned<'py> = (Basis, Bound<'py, PyArray2<f32>>, Bound<'py, PyArray1<i64>>);

/// Learns the tables from classified positions. Returns the basis, the features
/// of the positions by tables that leave out their own games, and which
/// position each row is.
#[pyfunction]
#[pyo3(signature = (positions, features=None, threads=None))]
pub fn learn_features<'py>(
    py: Python<'py>,
    positions: Classified<'py>,
    features: Option<&str>,
    threads: Option<usize>,
) -> PyResult<Learned<'py>> {
    let positions = positions.positions()?;
    let features = match features {
        None => Features::default(),
        Some(text) => text.parse().map_err(value_error)?,
    };
    let threads = self::threads(threads)?;
    let settings = FitSettings { features, threads, ..FitSettings::default() };
    let (basis, values, rows) = py.detach(|| feature_table(&positions, &settings));
    let width = basis.features().len();
    let values = PyArray1::from_vec(py, values).reshape([rows.len(), width])?;
    let rows = PyArray1::from_iter(py, rows.into_iter().map(i64::from));
    Ok((Basis(basis), values, rows))
}
