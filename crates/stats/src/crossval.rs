//! Cross-validation by group: predictions of rows by models that saw no row
//! of the same game.

use crate::error::FitError;
use crate::examples::{Examples, Fold, Side};
use crate::metrics::{Prediction, predict_all};

/// Log-odds of phase and features; `None` where there is no answer.
pub type PhaseModel = Box<dyn Fn(i32, &[f64]) -> Option<f64>>;

/// Predicts every row by a model fitted to the other folds.
///
/// Groups are dealt into `folds` by a fixed hash; a row without a group is a
/// group of its own. `fit` sees the training rows of a fold.
///
/// # Errors
/// If there are fewer than two folds, or what `fit` returns.
pub fn cross_validate(
    examples: &dyn Examples,
    folds: u32,
    fit: impl Fn(&Fold<'_>) -> Result<PhaseModel, FitError>,
) -> Result<Vec<Prediction>, FitError> {
    if folds < 2 {
        return Err(FitError::Setting(format!("{folds} folds: at least 2 are needed")));
    }
    let mut predictions = Vec::new();
    for fold in 0..folds {
        let model = fit(&Fold::new(examples, fold, folds, Side::Training))?;
        let held_out = Fold::new(examples, fold, folds, Side::HeldOut);
        predictions.extend(predict_all(&held_out, model)?);
    }
    Ok(predictions)
}
