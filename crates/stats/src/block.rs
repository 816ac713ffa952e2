//! A block of examples: columns of one phase, the unit of every pass.

use std::borrow::Cow;
use std::ops::Range;

/// Rows of a full block.
///
/// Large enough that the cost per block (a few hundred sums) vanishes, small
/// enough that a block stays in the second-level cache. Sums are added block
/// by block in a fixed order, so this constant is part of the last bit of
/// every result; the number of threads is not.
pub const BLOCK_ROWS: usize = 4096;

/// Numbers of one column, in the narrowest type that holds them exactly.
#[derive(Clone, Debug)]
pub enum Column<'a> {
    /// Single precision: half the memory, and enough for most features.
    F32(Cow<'a, [f32]>),
    /// Double precision.
    F64(Cow<'a, [f64]>),
    /// Single precision, one value in each row of a table.
    F32Rows(RowValues<'a, f32>),
    /// Double precision, one value in each row of a table.
    F64Rows(RowValues<'a, f64>),
}

/// The values of one column in a table that lies in memory row after row.
#[derive(Clone, Copy, Debug)]
pub struct RowValues<'a, T> {
    /// From the first value of the column on.
    values: &'a [T],
    width: usize,
}

impl<'a, T: Copy> RowValues<'a, T> {
    fn len(&self) -> usize {
        self.values.len().div_ceil(self.width)
    }

    #[inline]
    fn value(&self, row: usize) -> T {
        self.values[row * self.width]
    }

    fn slice(&self, rows: Range<usize>) -> Self {
        let end = self.values.len().min(rows.end * self.width);
        Self { values: &self.values[(rows.start * self.width).min(end)..end], ..*self }
    }

    fn collect(&self) -> Vec<T> {
        (0..self.len()).map(|row| self.value(row)).collect()
    }

    /// The table from the column's value in `row` on, and its width.
    #[inline]
    pub(crate) fn since_row(&self, row: usize) -> (&'a [T], usize) {
        (&self.values[row * self.width..], self.width)
    }
}

impl<'a> Column<'a> {
    /// Number of values.
    pub fn len(&self) -> usize {
        match self {
            Self::F32(values) => values.len(),
            Self::F64(values) => values.len(),
            Self::F32Rows(values) => values.len(),
            Self::F64Rows(values) => values.len(),
        }
    }

    /// Whether there is no value.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The value of a row.
    ///
    /// # Panics
    /// If `row` is not below [`len`](Self::len).
    #[inline]
    pub fn value(&self, row: usize) -> f64 {
        match self {
            Self::F32(values) => f64::from(values[row]),
            Self::F64(values) => values[row],
            Self::F32Rows(values) => f64::from(values.value(row)),
            Self::F64Rows(values) => values.value(row),
        }
    }

    /// All values in order.
    pub fn values(&self) -> impl Iterator<Item = f64> + '_ {
        (0..self.len()).map(|row| self.value(row))
    }

    /// Some of the rows, without a copy.
    ///
    /// # Panics
    /// If `rows` reaches beyond the end.
    pub fn slice(&self, rows: Range<usize>) -> Column<'_> {
        match self {
            Self::F32(values) => Column::F32(Cow::Borrowed(&values[rows])),
            Self::F64(values) => Column::F64(Cow::Borrowed(&values[rows])),
            Self::F32Rows(values) => Column::F32Rows(values.slice(rows)),
            Self::F64Rows(values) => Column::F64Rows(values.slice(rows)),
        }
    }

    /// The same values, owned.
    pub fn into_owned(self) -> Column<'static> {
        match self {
            Self::F32(values) => Column::F32(Cow::Owned(values.into_owned())),
            Self::F64(values) => Column::F64(Cow::Owned(values.into_owned())),
            Self::F32Rows(values) => values.collect().into(),
            Self::F64Rows(values) => values.collect().into(),
        }
    }

    /// Whether every value is a finite number.
    pub fn is_finite(&self) -> bool {
        match self {
            Self::F32(values) => every(values, f32::is_finite),
            Self::F64(values) => every(values, f64::is_finite),
            _ => self.all(f64::is_finite),
        }
    }

    /// Whether every value passes a test.
    #[inline]
    pub(crate) fn all(&self, test: impl Fn(f64) -> bool) -> bool {
        match self {
            Self::F32(values) => every(values, |value| test(f64::from(value))),
            Self::F64(values) => every(values, test),
            _ => self.values().all(test),
        }
    }

    /// Owns `values` as `f32` where every one of them is exact in it.
    pub fn narrowest(values: &[f64]) -> Column<'static> {
        if values.iter().all(|&value| f64::from(value as f32) == value) {
            Column::F32(values.iter().map(|&value| value as f32).collect())
        } else {
            Column::F64(Cow::Owned(values.to_vec()))
        }
    }

    /// Bytes of the values.
    pub fn bytes(&self) -> usize {
        match self {
            Self::F32(values) => values.len() * size_of::<f32>(),
            Self::F64(values) => values.len() * size_of::<f64>(),
            Self::F32Rows(values) => values.len() * size_of::<f32>(),
            Self::F64Rows(values) => values.len() * size_of::<f64>(),
        }
    }

    /// The columns of a table that lies in memory row after row, each `width`
    /// values wide, without a copy.
    ///
    /// # Panics
    /// If the values do not make whole rows.
    pub fn of_rows<T>(values: &'a [T], width: usize) -> Vec<Column<'a>>
    where
        Column<'a>: From<RowValues<'a, T>>,
    {
        assert!(width == 0 || values.len().is_multiple_of(width), "rows are not whole");
        (0..width)
            .map(|j| RowValues { values: &values[j.min(values.len())..], width }.into())
            .collect()
    }
}

/// Whether every value passes a test. It does not end early within a part:
/// that way the compiler takes many values at a time.
#[inline]
fn every<T: Copy>(values: &[T], test: impl Fn(T) -> bool) -> bool {
    let part = |part: &[T]| part.iter().fold(true, |all, &value| all & test(value));
    values.chunks(1024).all(part)
}

/// Some columns of a table that lies in memory row after row.
pub(crate) struct Table<'a, T> {
    /// From the first of the columns on.
    pub(crate) values: &'a [T],
    /// Values from one row to the next.
    pub(crate) width: usize,
}

/// A table of either precision.
pub(crate) enum AnyTable<'a> {
    F32(Table<'a, f32>),
    F64(Table<'a, f64>),
}

impl<'a> AnyTable<'a> {
    /// Rows `start..` of `columns`, if these lie side by side in one table.
    #[inline]
    pub(crate) fn of(columns: &[Column<'a>], start: usize) -> Option<Self> {
        /// Does every column begin one value after the column before it?
        fn side_by_side<'a, T>(
            columns: impl Iterator<Item = Option<RowValues<'a, T>>>,
            start: usize,
        ) -> Option<Table<'a, T>> {
            let mut table: Option<Table<'a, T>> = None;
            for (index, column) in columns.enumerate() {
                let RowValues { values, width } = column?;
                let first = table.get_or_insert(Table { values, width });
                let expected = first.values.get(index..)?;
                if !std::ptr::eq(expected.as_ptr(), values.as_ptr()) || first.width != width {
                    return None;
                }
            }
            let Table { values, width } = table?;
            Some(Table { values: values.get(start * width..)?, width })
        }
        match columns.first()? {
            Column::F32Rows(_) => {
                let rows = |column: &Column<'a>| match column {
                    Column::F32Rows(rows) => Some(*rows),
                    _ => None,
                };
                side_by_side(columns.iter().map(rows), start).map(Self::F32)
            }
            Column::F64Rows(_) => {
                let rows = |column: &Column<'a>| match column {
                    Column::F64Rows(rows) => Some(*rows),
                    _ => None,
                };
                side_by_side(columns.iter().map(rows), start).map(Self::F64)
            }
            _ => None,
        }
    }
}

macro_rules! column_of {
    ($($number:ident $kind:ident $rows:ident)*) => {
        $(
            impl<'a> From<&'a [$number]> for Column<'a> {
                fn from(values: &'a [$number]) -> Self {
                    Self::$kind(Cow::Borrowed(values))
                }
            }

            impl<'a> From<RowValues<'a, $number>> for Column<'a> {
                fn from(values: RowValues<'a, $number>) -> Self {
                    Self::$rows(values)
                }
            }

            impl From<Vec<$number>> for Column<'static> {
                fn from(values: Vec<$number>) -> Self {
                    Self::$kind(Cow::Owned(values))
                }
            }
        )*
    };
}

column_of!(f32 F32 F32Rows f64 F64 F64Rows);

/// Consecutive examples of one phase.
///
/// Every column present has the same length; columns of features are in the
/// order of [`Examples::features`](crate::Examples::features). What a column
/// may hold is said at [`Example`](crate::Example).
#[derive(Clone, Debug, Default)]
pub struct Block<'a> {
    /// Phase of every row of the block; 0 in data without phases.
    pub phase: i32,
    /// One column per feature.
    pub features: Vec<Column<'a>>,
    /// Share of the win in each row: 1 won, ½ drawn, 0 lost.
    pub outcome: Option<Column<'a>>,
    /// Trials behind each outcome, where rows are counts of successes.
    pub trials: Option<Column<'a>>,
    /// Numeric result, such as a disc or material difference.
    pub score: Option<Column<'a>>,
    /// How often each row counts; once if absent.
    pub weight: Option<Column<'a>>,
    /// Group (game) of each row.
    pub group: Option<Cow<'a, [u32]>>,
}

impl Block<'_> {
    /// Number of rows.
    pub fn rows(&self) -> usize {
        self.features
            .first()
            .or(self.outcome.as_ref())
            .or(self.score.as_ref())
            .map_or(0, Column::len)
    }

    /// Some of the rows, without a copy.
    ///
    /// # Panics
    /// If `rows` reaches beyond the end.
    pub fn slice(&self, rows: Range<usize>) -> Block<'_> {
        Block {
            phase: self.phase,
            features: self.features.iter().map(|column| column.slice(rows.clone())).collect(),
            outcome: slice_of(&self.outcome, &rows),
            trials: slice_of(&self.trials, &rows),
            score: slice_of(&self.score, &rows),
            weight: slice_of(&self.weight, &rows),
            group: self.group.as_ref().map(|group| Cow::Borrowed(&group[rows])),
        }
    }

    /// The same rows without a copy.
    pub fn borrowed(&self) -> Block<'_> {
        self.slice(0..self.rows())
    }

    /// How often a row counts.
    #[inline]
    pub fn weight_of(&self, row: usize) -> f64 {
        self.weight.as_ref().map_or(1.0, |weight| weight.value(row))
    }

    /// Bytes of all columns.
    pub fn bytes(&self) -> usize {
        let optional = [&self.outcome, &self.trials, &self.score, &self.weight];
        self.features.iter().map(Column::bytes).sum::<usize>()
            + optional.into_iter().flatten().map(Column::bytes).sum::<usize>()
            + self.group.as_ref().map_or(0, |group| size_of_val(&**group))
    }
}

fn slice_of<'b>(column: &'b Option<Column<'_>>, rows: &Range<usize>) -> Option<Column<'b>> {
    column.as_ref().map(|column| column.slice(rows.clone()))
}
