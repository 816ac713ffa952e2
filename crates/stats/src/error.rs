//! What can be wrong with data, and why a fit may be impossible.

use thiserror::Error;

/// An example that cannot be used, or data that could not be read.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum DataError {
    /// A feature is NaN or infinite.
    #[error("feature '{feature}' is {value}, which is not a finite number")]
    NotFinite {
        /// Name of the feature.
        feature: String,
        /// The value found.
        value: f64,
    },
    /// The row has more or fewer features than the data.
    #[error("{found} features where {expected} are expected")]
    FeatureCount {
        /// Features of the data.
        expected: usize,
        /// Features of the row.
        found: usize,
    },
    /// The outcome is not between 0 (lost) and 1 (won).
    #[error("outcome {0} is not between 0 (lost) and 1 (won)")]
    Outcome(f64),
    /// The number of trials is not positive and finite.
    #[error("{0} is not a positive number of trials")]
    TrialCount(f64),
    /// The score is NaN or infinite.
    #[error("score {0} is not a finite number")]
    Score(f64),
    /// The weight is negative, NaN or infinite.
    #[error("weight {0} is not a finite number of at least 0")]
    Weight(f64),
    /// One row has a column that another lacks.
    #[error("'{0}' is given for some rows and missing for others")]
    Ragged(&'static str),
    /// Columns of one block differ in length.
    #[error("column '{column}' has {found} rows where {expected} are expected")]
    ColumnLength {
        /// Name of the column.
        column: String,
        /// Rows of the block.
        expected: usize,
        /// Rows of the column.
        found: usize,
    },
    /// Reading the examples failed; the text says where and why.
    #[error("{0}")]
    Read(String),
    /// An entry of a sparse row names a weight that does not exist.
    #[error("index {index} is out of range: the last weight has index {last}")]
    Index {
        /// The index, counted from 0.
        index: u64,
        /// The largest index there may be.
        last: u64,
    },
    /// The offset is NaN or infinite.
    #[error("offset {0} is not a finite number")]
    Offset(f64),
}

/// Why a model cannot be fitted to the data.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum FitError {
    /// The data cannot be used.
    #[error(transparent)]
    Data(#[from] DataError),
    /// A setting is out of its range.
    #[error("{0}")]
    Setting(String),
    /// There is no row, or every row has weight 0.
    #[error("there are no rows to fit")]
    NoRows,
    /// The data have no column this model needs.
    #[error("the data have no column of {0}")]
    Missing(&'static str),
    /// All rows belong to one class.
    #[error("there are no {missing} rows among {rows}: both classes are needed")]
    OneClass {
        /// `won` or `lost`.
        missing: &'static str,
        /// Rows in all.
        rows: f64,
    },
    /// A feature never changes, so that its weight means nothing.
    #[error("feature '{feature}' is constant{within}: leave it out")]
    Constant {
        /// Name of the feature.
        feature: String,
        /// Empty, or the class within which it is constant.
        within: &'static str,
    },
    /// Features are linearly dependent, so that their weights are not unique.
    #[error("the features are collinear{within}: {combination}; leave one of them out")]
    Collinear {
        /// The dependence written out, such as `c = 2·a − 1·b + const`.
        combination: String,
        /// Names of the features involved, the dependent one first.
        features: Vec<String>,
        /// Empty, or the class within which they are collinear.
        within: &'static str,
    },
    /// Squares of the values do not fit into `f64`.
    #[error("feature '{feature}' has values so large that their squares overflow: rescale it")]
    Overflow {
        /// Name of the feature.
        feature: String,
    },
    /// Fewer rows than coefficients.
    #[error("{rows} rows are too few for {coefficients} coefficients")]
    TooFewRows {
        /// Rows in all.
        rows: f64,
        /// Coefficients to estimate.
        coefficients: usize,
    },
    /// Standard errors by group need at least two groups.
    #[error("clustered standard errors need at least two groups, found {0}")]
    TooFewGroups(usize),
    /// All rows of a phase with an intercept of its own belong to one class.
    #[error(
        "phase {phase} has no {missing} rows, so that its intercept does not exist: \
         smooth the intercepts, or leave the phase out"
    )]
    OneClassPhase {
        /// The phase.
        phase: i32,
        /// `won` or `lost`.
        missing: &'static str,
    },
}
