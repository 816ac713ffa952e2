//! NumPy's arrays as columns of the statistics, without a copy where the
//! layout allows it.

use std::borrow::Cow;

use discern_stats::{Block, Column};
use numpy::{PyReadonlyArray1, PyReadonlyArray2, PyUntypedArrayMethods};
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
