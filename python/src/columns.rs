//! NumPy's arrays as columns of the statistics, without a copy where the
//! layout allows it.

use std::borrow::Cow;

use discern_stats::{Block, Column};
use numpy::{PyArray1, PyReadonlyArray1, PyReadonlyArray2, PyUntypedArrayMethods};
use pyo3::prelude::*;

use crate::failure::value_error;

/// One column of numbers that Python owns.
#[derive(FromPyObject)]
pub enum Numbers<'py> {
    Single(PyReadonlyArray1<'py, f32>),
    Double(PyReadonlyArray1<'py, f64>),
}

impl Numbers<'_> {
    /// The column as the statistics see it.
    pub fn column(&self) -> Column<'_> {
        match self {
            Self::Single(values) => match values.as_slice() {
                Ok(values) => values.into(),
                Err(_) => values.as_array().to_vec().into(),
            },
            Self::Double(values) => match values.as_slice() {
                Ok(values) => values.into(),
                Err(_) => values.as_array().to_vec().into(),
            },
        }
    }
}

/// The features: row after row in one array, or a column for each.
#[derive(FromPyObject)]
pub enum Features<'py> {
    SingleRows(PyReadonlyArray2<'py, f32>),
    DoubleRows(PyReadonlyArray2<'py, f64>),
    Columns(Vec<Numbers<'py>>),
}

impl Features<'_> {
    /// The columns; those of rows are read where they stand.
    pub fn columns(&self) -> PyResult<Vec<Column<'_>>> {
        match self {
            Self::SingleRows(rows) => {
                let (width, values) = (rows.shape()[1], rows.as_slice().map_err(value_error)?);
                Ok(Column::of_rows(values, width))
            }
            Self::DoubleRows(rows) => {
                let (width, values) = (rows.shape()[1], rows.as_slice().map_err(value_error)?);
                Ok(Column::of_rows(values, width))
            }
            Self::Columns(columns) => Ok(columns.iter().map(Numbers::column).collect()),
        }
    }
}

/// The columns beside the features.
#[derive(FromPyObject)]
pub struct Sides<'py> {
    #[pyo3(item)]
    pub outcome: Option<Numbers<'py>>,
    #[pyo3(item)]
    pub score: Option<Numbers<'py>>,
    #[pyo3(item)]
    pub weight: Option<Numbers<'py>>,
    #[pyo3(item)]
    pub trials: Option<Numbers<'py>>,
    #[pyo3(item)]
    pub group: Option<PyReadonlyArray1<'py, u32>>,
}

impl Sides<'_> {
    /// A block of these and the features.
    pub fn block<'a>(&'a self, features: Vec<Column<'a>>) -> PyResult<Block<'a>> {
        let column = |numbers: &'a Option<Numbers>| numbers.as_ref().map(Numbers::column);
        let group = match &self.group {
            Some(group) => Some(Cow::Borrowed(group.as_slice().map_err(value_error)?)),
            None => None,
        };
        Ok(Block {
            phase: 0,
            features,
            outcome: column(&self.outcome),
            trials: column(&self.trials),
            score: column(&self.score),
            weight: column(&self.weight),
            group,
        })
    }
}

/// Labels of the kinds that are most common.
#[derive(FromPyObject)]
pub enum Labels<'py> {
    Bool(PyReadonlyArray1<'py, bool>),
    I8(PyReadonlyArray1<'py, i8>),
    U8(PyReadonlyArray1<'py, u8>),
    I32(PyReadonlyArray1<'py, i32>),
    I64(PyReadonlyArray1<'py, i64>),
    F32(PyReadonlyArray1<'py, f32>),
    F64(PyReadonlyArray1<'py, f64>),
}

/// Labels of which each is 0 or 1: how many are 1, and all of them as float32.
/// `None` if there are others. One pass, where NumPy would take six.
#[pyfunction]
pub fn zero_or_one<'py>(
    py: Python<'py>,
    labels: Labels<'py>,
) -> PyResult<Option<(usize, Bound<'py, PyArray1<f32>>)>> {
    /// The ones among the labels, unless some are neither 0 nor 1.
    fn counted<T: Copy>(labels: &[T], is: impl Fn(T) -> [bool; 2]) -> Option<(usize, Vec<f32>)> {
        let mut outcome = Vec::with_capacity(labels.len());
        let mut ones = 0;
        // No early end within a part: that way it is vectorised.
        for part in labels.chunks(1024) {
            let either = part.iter().fold(true, |all, &label| {
                let [zero, one] = is(label);
                all & (zero | one)
            });
            if !either {
                return None;
            }
            ones += part.iter().map(|&label| u32::from(is(label)[1])).sum::<u32>() as usize;
            outcome.extend(part.iter().map(|&label| f32::from(u8::from(is(label)[1]))));
        }
        Some((ones, outcome))
    }
    macro_rules! numbers {
        ($labels:ident, $zero:literal, $one:literal) => {{
            let labels = $labels.as_slice().map_err(value_error)?;
            py.detach(|| counted(labels, |label| [label == $zero, label == $one]))
        }};
    }
    let found = match &labels {
        Labels::Bool(labels) => numbers!(labels, false, true),
        Labels::I8(labels) => numbers!(labels, 0, 1),
        Labels::U8(labels) => numbers!(labels, 0, 1),
        Labels::I32(labels) => numbers!(labels, 0, 1),
        Labels::I64(labels) => numbers!(labels, 0, 1),
        Labels::F32(labels) => numbers!(labels, 0.0, 1.0),
        Labels::F64(labels) => numbers!(labels, 0.0, 1.0),
    };
    Ok(found.map(|(ones, outcome)| (ones, PyArray1::from_vec(py, outcome))))
}
