//! How uncertain estimates are, by every kind of standard error.

use serde::{Deserialize, Serialize};

use crate::matrix::Matrix;

/// Where a standard error comes from; each kind takes more work than the ones
/// before it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum ErrorKind {
    /// Inverse information of the model as specified. With the paper's n = 100
    /// invented trials per row it is ten times too small.
    Information,
    /// Inverse information as if every row were one trial.
    Corrected,
    /// The sandwich of Huber and White: right even if the model is not. Takes
    /// another pass over the data.
    Robust,
    /// The sandwich over groups: right even if rows of a game resemble each
    /// other. Takes a vector of coefficients for each group, too.
    Clustered,
}

impl ErrorKind {
    /// The words used in files and on the command line, and what they mean.
    pub const WORDS: [(&str, &str, Self); 4] = [
        ("information", "Inverse information of the model as specified", Self::Information),
        ("corrected", "The same with every row as one trial", Self::Corrected),
        ("robust", "Sandwich over rows", Self::Robust),
        ("clustered", "Sandwich over groups", Self::Clustered),
    ];

    /// Its word.
    #[must_use]
    pub fn word(self) -> &'static str {
        Self::WORDS[self as usize].0
    }
}

/// The covariance of estimates.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(untagged)]
#[must_use]
pub enum Covariance {
    /// All of it.
    Full(Matrix),
    /// Its diagonal, where there are too many estimates for more.
    Variances(Vec<f64>),
}

impl Covariance {
    /// The diagonal.
    #[must_use]
    pub fn variances(&self) -> Vec<f64> {
        match self {
            Self::Full(matrix) => matrix.diagonal(),
            Self::Variances(variances) => variances.clone(),
        }
    }

    /// All of it, if known.
    #[must_use]
    pub fn into_matrix(self) -> Option<Matrix> {
        match self {
            Self::Full(matrix) => Some(matrix),
            Self::Variances(_) => None,
        }
    }

    pub(crate) fn scaled(&self, factor: f64) -> Self {
        match self {
            Self::Full(matrix) => Self::Full(matrix.scaled(factor)),
            Self::Variances(values) => Self::Variances(values.iter().map(|v| factor * v).collect()),
        }
    }

    /// Adds weight · u u′, of a matrix only the upper triangle.
    pub(crate) fn add_square(&mut self, weight: f64, u: &[f64]) {
        match self {
            Self::Full(matrix) => matrix.add_upper_outer(weight, u),
            Self::Variances(values) => {
                values.iter_mut().zip(u).for_each(|(value, u)| *value += weight * u * u);
            }
        }
    }

    /// Adds another one of the same kind.
    pub(crate) fn add(&mut self, other: &Self) {
        match (self, other) {
            (Self::Full(sum), Self::Full(other)) => sum.add_scaled(1.0, other),
            (Self::Variances(sum), Self::Variances(other)) => {
                sum.iter_mut().zip(other).for_each(|(sum, other)| *sum += other);
            }
            _ => unreachable!("sums of one fit are of one kind"),
        }
    }

    /// Both triangles from the upper one.
    pub(crate) fn mirrored(self) -> Self {
        self.map(|upper| Matrix::from_fn(upper.order(), |i, j| upper[(i.min(j), i.max(j))]))
    }

    /// Another matrix made from this one; variances stay as they are.
    pub(crate) fn map(self, change: impl FnOnce(&Matrix) -> Matrix) -> Self {
        match self {
            Self::Full(matrix) => Self::Full(change(&matrix)),
            variances => variances,
        }
    }
}

/// All a fit knows of the uncertainty of its estimates.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[must_use]
pub struct Uncertainty {
    information: Covariance,
    /// Invented trials per row, which the information counts as real.
    trials: f64,
    pub(crate) robust: Option<Covariance>,
    /// Over groups, and their number.
    pub(crate) clustered: Option<(Covariance, usize)>,
}

impl Uncertainty {
    pub(crate) fn new(information: Covariance, trials: f64) -> Self {
        Self { information, trials, robust: None, clustered: None }
    }

    /// The covariance of the estimates; `None` if the settings did not ask for
    /// it, or the rows have no groups or only one.
    #[must_use]
    pub fn covariance(&self, kind: ErrorKind) -> Option<Covariance> {
        match kind {
            ErrorKind::Information => Some(self.information.clone()),
            ErrorKind::Corrected => Some(self.information.scaled(self.trials)),
            ErrorKind::Robust => self.robust.clone(),
            ErrorKind::Clustered => self.clustered.as_ref().map(|clustered| clustered.0.clone()),
        }
    }

    /// Number of groups behind the clustered errors, if there are any.
    #[must_use]
    pub fn groups(&self) -> Option<usize> {
        self.clustered.as_ref().map(|clustered| clustered.1)
    }

    /// The kind to trust: clustered where there are groups, else corrected.
    #[must_use]
    pub fn best(&self) -> ErrorKind {
        if self.clustered.is_some() { ErrorKind::Clustered } else { ErrorKind::Corrected }
    }
}
