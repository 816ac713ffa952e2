//! The shape that all estimators share: settings → `fit` → a fitted value.

use crate::block::Block;
use crate::dataset::ColumnsView;
use crate::error::FitError;
use crate::examples::Examples;
use crate::inference::{Estimate, Reference, WaldTest, estimates, wald_test};
use crate::logistic::StopReason;
use crate::matrix::Matrix;
use crate::phases::Pooling;
use crate::predict::Predict;
use crate::uncertainty::{ErrorKind, Uncertainty};

/// Fits of several phases; what is wrong with one is its own result.
pub type Fits<K, F> = Vec<(K, Result<F, FitError>)>;

/// Settings of a model that can be fitted to examples.
///
/// ```
/// use discern_stats::{Dataset, Estimator, Fit};
///
/// /// The weight of the first feature and its standard error, in any model.
/// fn slope_and_error(model: &impl Estimator, data: &Dataset) -> Option<(f64, f64)> {
///     let fit = model.fit(data).ok()?;
///     let errors = fit.standard_errors(fit.uncertainty().best())?;
///     Some((fit.coefficients()[1], errors[1]))
/// }
/// ```
pub trait Estimator {
    /// The fitted model.
    type Fit: Fit;

    /// One fit for all rows, under the key `None`, or one for each phase with
    /// the rows of its window, all of them in the same passes over the data.
    ///
    /// # Errors
    /// If the settings or the data as a whole cannot be used.
    fn fit_windows(
        &self,
        examples: &dyn Examples,
        pooling: Option<Pooling>,
    ) -> Result<Fits<Option<i32>, Self::Fit>, FitError>;

    /// Fits one model to all rows, whatever their phase.
    ///
    /// # Errors
    /// If a setting is out of range, the data cannot be read or lack a column
    /// that the model needs, a class is missing, or features are constant or
    /// collinear. A fit that did not converge is not an error: it says so in
    /// [`Fit::stop`].
    fn fit(&self, examples: &dyn Examples) -> Result<Self::Fit, FitError> {
        let fit = self.fit_windows(examples, None)?.pop();
        fit.map_or(Err(FitError::NoRows), |(_, fit)| fit)
    }

    /// Fits one model to columns that somebody else owns: what
    /// [`fit`](Self::fit) makes of a [`ColumnsView`], but without the pass that
    /// looks for features that are no finite numbers first.
    ///
    /// Such a number spoils every sum that it enters, and so the fit: only a
    /// fit that failed or is not finite is worth the search for it.
    ///
    /// # Errors
    /// As [`fit`](Self::fit) and [`ColumnsView::new`].
    fn fit_columns<N: Into<String>>(
        &self,
        features: impl IntoIterator<Item = N>,
        block: Block,
    ) -> Result<Self::Fit, FitError>
    where
        Self: Sized,
    {
        let view = ColumnsView::unverified(features, block)?;
        match self.fit(&view) {
            Ok(fit) if is_finite(&fit) => Ok(fit),
            suspicious => {
                view.verify()?;
                suspicious
            }
        }
    }

    /// Fits one model per phase, each to the rows of its window.
    ///
    /// # Errors
    /// As [`fit_windows`](Self::fit_windows).
    fn fit_phases(
        &self,
        examples: &dyn Examples,
        pooling: Pooling,
    ) -> Result<Fits<i32, Self::Fit>, FitError> {
        let fits = self.fit_windows(examples, Some(pooling))?;
        Ok(fits.into_iter().filter_map(|(phase, fit)| Some((phase?, fit))).collect())
    }
}

/// Are there numbers only? The likelihood is a sum over every feature of every
/// row.
fn is_finite(fit: &impl Fit) -> bool {
    fit.log_likelihood().is_finite() && fit.coefficients().iter().all(|value| value.is_finite())
}

/// What every fit keeps in fields of the same name.
macro_rules! common_fields {
    () => {
        fn features(&self) -> &[String] {
            &self.features
        }

        fn uncertainty(&self) -> &Uncertainty {
            &self.uncertainty
        }

        fn rows(&self) -> f64 {
            self.rows
        }
    };
}
pub(crate) use common_fields;

/// A fitted model: its estimates, how uncertain they are, and how it came
/// about.
pub trait Fit: Predict {
    /// Names of the features.
    fn features(&self) -> &[String];

    /// All estimates, the constant first and then one per feature; QUAD goes
    /// on with the products of features.
    fn coefficients(&self) -> Vec<f64>;

    /// How uncertain the estimates are.
    fn uncertainty(&self) -> &Uncertainty;

    /// Sum of the weights of the rows.
    fn rows(&self) -> f64;

    /// Log-likelihood at the estimates, as other programs print it.
    fn log_likelihood(&self) -> f64;

    /// Why the iteration stopped. A closed form has none that could fail.
    fn stop(&self) -> StopReason {
        StopReason::Converged
    }

    /// Steps of the iteration; 0 for a closed form.
    fn steps(&self) -> u32 {
        0
    }

    /// Distribution of (estimate − truth) / standard error.
    fn reference(&self, _kind: ErrorKind) -> Reference {
        Reference::Normal
    }

    /// What each coefficient is called: `(intercept)`, the features, products.
    fn names(&self) -> Vec<String> {
        std::iter::once("(intercept)".to_string()).chain(self.features().iter().cloned()).collect()
    }

    /// The covariance of the coefficients; `None` if it was not computed.
    fn covariance(&self, kind: ErrorKind) -> Option<Matrix> {
        self.uncertainty().covariance(kind)?.into_matrix()
    }

    /// The standard error of each coefficient; `None` if it was not computed.
    fn standard_errors(&self, kind: ErrorKind) -> Option<Vec<f64>> {
        let variances = self.uncertainty().covariance(kind)?.variances();
        Some(variances.into_iter().map(f64::sqrt).collect())
    }

    /// The table of coefficients with errors of some kind, intervals and tests.
    fn estimates(&self, kind: ErrorKind, confidence: f64) -> Option<Vec<Estimate>> {
        let errors = self.standard_errors(kind)?;
        let values = self.coefficients();
        Some(estimates(self.names(), &values, &errors, self.reference(kind), confidence))
    }

    /// Tests that no feature matters; `None` if the covariance is not known or
    /// singular.
    fn wald_test(&self, kind: ErrorKind) -> Option<WaldTest> {
        let slopes: Vec<usize> = (1..=self.features().len()).collect();
        wald_test(&self.coefficients(), &self.covariance(kind)?, &slopes)
    }
}
