"""What the dense estimators share: settings → native fit → fitted values."""

import warnings

import numpy as np
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.exceptions import ConvergenceWarning
from sklearn.utils.multiclass import check_classification_targets, type_of_target
from sklearn.utils.validation import check_is_fitted, validate_data

from . import _native
from ._columns import (
    FLOATS,
    frame_columns,
    frame_names,
    group_column,
    is_frame,
    matrix,
    native_features,
    side_column,
    zero_or_one,
)
from .summary import Summary


class Estimator(BaseEstimator):
    """Settings and fitted values of one dense model."""

    _model = None

    def _features(self, X, *, reset):
        """The features as an array or a list of columns, checked for shape."""
        if is_frame(X):
            validate_data(self, X, reset=reset, skip_check_array=True)
            columns = frame_columns(X)
            if not columns or not len(columns[0]):
                raise ValueError("the table has no rows or no columns")
            return columns
        # Values that are not finite are found by the fit itself.
        least = 2 if reset else 1
        return validate_data(
            self, X, reset=reset, dtype=FLOATS, ensure_all_finite=False, ensure_min_samples=least
        )

    def _finite_matrix(self, X):
        X = matrix(self._features(X, reset=False))
        if not np.isfinite(X).all():
            # The sentence of the fit.
            row, column = np.argwhere(~np.isfinite(X))[0]
            value = X[row, column]
            text = "NaN" if np.isnan(value) else str(value)
            name = self.feature_names_[column]
            raise ValueError(f"feature '{name}' is {text}, which is not a finite number")
        return X

    def _names(self, X, count):
        return frame_names(X) if is_frame(X) else [f"x{j + 1}" for j in range(count)]

    def _fit_native(self, X, features, sides, groups):
        rows = len(features[0]) if isinstance(features, list) else features.shape[0]
        count = len(features) if isinstance(features, list) else features.shape[1]
        errors = self.errors
        if errors == "auto":
            errors = "corrected" if groups is None else "clustered"
        sides = {"outcome": None, "score": None, "weight": None, "trials": None, **sides}
        sides["group"] = group_column(groups, rows)
        self.feature_names_ = self._names(X, count)
        settings = {
            "errors": errors,
            "threads": self.threads,
            "invented_trials": 1.0,
            "ridge": 0.0,
            "tolerance": 3e-10,
            "max_steps": 50,
            "prior_from_data": False,
            **self._settings(),
        }
        features = native_features(features)
        fit = _native.fit_dense(self._model, features, self.feature_names_, sides, settings)
        self._take(fit)
        return self

    def _settings(self):
        return {}

    def _take(self, fit):
        """Keeps what the fit said as attributes."""
        self.term_names_ = fit["names"]
        self.coefficients_ = fit["coefficients"]
        self.covariances_ = fit["covariances"]
        self.best_errors_ = fit["best_errors"]
        self.n_groups_ = fit["groups"]
        self.n_rows_ = fit["rows"]
        self.log_likelihood_ = fit["log_likelihood"]
        self.stop_ = fit["stop"]
        self.n_iter_ = max(1, fit["steps"])
        self._closed_form = fit["steps"] == 0
        if self.stop_ == "separated":
            warnings.warn(
                "the classes are separated: the estimates do not exist, and their size is that of "
                "the last step (set ridge or invented_trials)",
                ConvergenceWarning,
                stacklevel=4,
            )
        elif self.stop_ != "converged":
            warnings.warn(f"the fit has not converged: {self.stop_}", ConvergenceWarning, stacklevel=4)

    def covariance_(self, kind=None):
        """Covariance of the coefficients, or only the variances of a model with
        too many of them; errors of `kind` as in `standard_errors_`."""
        check_is_fitted(self)
        kind = kind or self.best_errors_
        if kind not in self.covariances_:
            known = ", ".join(self.covariances_)
            raise ValueError(f"no {kind} standard errors were computed: there are {known}")
        return self.covariances_[kind]

    def standard_errors_(self, kind=None):
        """Standard errors of `coefficients_`, the constant first.

        kind: "information", "corrected" (one trial a row), "robust" (Huber and
        White) or "clustered" (by `groups` of `fit`); by default the best known.
        """
        covariance = self.covariance_(kind)
        return np.sqrt(covariance if covariance.ndim == 1 else np.diag(covariance))

    def _degrees_of_freedom(self, kind):
        return None

    def estimates_(self, kind=None, confidence=0.95):
        """The table of coefficients: a dict of columns."""
        errors = self.standard_errors_(kind)
        freedom = self._degrees_of_freedom(kind or self.best_errors_)
        tests = _native.estimates(list(self.coefficients_), list(errors), freedom, confidence)
        return {"name": self.term_names_, "coef": self.coefficients_, "error": errors, **tests}

    def wald_test_(self, features=None, kind=None):
        """Tests that the coefficients of some features (all) are 0: χ², degrees
        of freedom and p."""
        covariance = self.covariance_(kind)
        if covariance.ndim == 1:
            raise ValueError("only variances are known of this model")
        names = self.feature_names_ if features is None else list(features)
        places = [self.term_names_.index(name) for name in names]
        return _native.wald_test(list(self.coefficients_), covariance, places)

    def summary(self, kind=None, confidence=0.95):
        """What was fitted, as a table that prints itself."""
        check_is_fitted(self)
        return Summary(self, kind or self.best_errors_, confidence)

    def _facts(self):
        """Further lines of the summary, name and value."""
        return []


class Classifier(ClassifierMixin, Estimator):
    """Two classes, of which the second one is won."""

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.classifier_tags.multi_class = False
        return tags

    def fit(self, X, y, sample_weight=None, *, draws=None, trials=None, groups=None):
        """Fits the model.

        X: array, or pandas, Polars or Arrow table of numbers.
        y: two classes; the second one in order is won. With `trials`, the
            number of successes instead.
        sample_weight: how often each row counts.
        draws: True for rows that are neither won nor lost; they count as half
            of each, and their y does not matter.
        trials: trials behind each row.
        groups: rows of one group (game) are not independent of each other.
        """
        features = self._features(X, reset=True)
        rows = len(features[0]) if isinstance(features, list) else features.shape[0]
        trials = side_column(trials, rows, "trials")
        outcome = self._outcome(y, rows, draws, trials)
        sample_weight = weight_column(sample_weight, rows, outcome)
        sides = {"outcome": outcome, "weight": sample_weight, "trials": trials}
        return self._fit_native(X, features, sides, groups)

    def _outcome(self, y, rows, draws, trials):
        """The share of the win of each row; sets `classes_`."""
        if y is None:
            raise ValueError(
                f"This {type(self).__name__} estimator requires y to be passed, but the target y is None."
            )
        if trials is not None:
            successes = side_column(y, rows, "outcome")
            self.classes_ = np.array([0, 1])
            return successes / trials
        y = one_dimension(y)
        if len(y) != rows:
            raise ValueError(f"column 'outcome' has {len(y)} rows where {rows} are expected")
        if draws is not None:
            draws = np.asarray(draws, dtype=bool)
            if draws.shape != (rows,):
                raise ValueError(f"column 'draws' has {len(draws)} rows where {rows} are expected")
        decided = y if draws is None else y[~draws]
        counted = zero_or_one(decided)
        if counted is not None and 0 < counted[0] < len(decided):
            self.classes_ = np.array([0, 1], dtype=decided.dtype)
            if draws is None:
                return counted[1]
        else:
            check_classification_targets(decided)
            self.classes_ = np.unique(decided)
        if len(self.classes_) > 2:
            kind = type_of_target(decided)
            raise ValueError(
                f"Only binary classification is supported. The type of the target is {kind}."
            )
        if not len(self.classes_):
            raise ValueError("all rows are drawn: there is nothing to tell apart")
        if len(self.classes_) < 2:
            raise ValueError(f"all rows are of one class, {self.classes_[0]}: there is nothing to tell apart")
        outcome = (y == self.classes_[1]).astype(np.float32)
        if draws is not None:
            outcome[draws] = 0.5
        return outcome

    def predict_proba(self, X):
        """P of both classes."""
        f = self.decision_function(X)
        # Without overflow on either side.
        won = 0.5 * (1.0 + np.tanh(0.5 * f))
        return np.column_stack([1.0 - won, won])

    def predict_log_proba(self, X):
        """log P of both classes."""
        f = self.decision_function(X)
        return np.column_stack([-np.logaddexp(0.0, f), -np.logaddexp(0.0, -f)])

    def predict(self, X):
        """The more probable class."""
        check_is_fitted(self)
        return self.classes_[(self.decision_function(X) > 0).astype(int)]


class LinearClassifier(Classifier):
    """A classifier whose log-odds are linear."""

    def _take(self, fit):
        super()._take(fit)
        self.intercept_ = fit["coefficients"][:1]
        self.coef_ = fit["coefficients"][1:].reshape(1, -1)

    def decision_function(self, X):
        """Log-odds of the second class."""
        check_is_fitted(self)
        return self._finite_matrix(X) @ self.coef_[0] + self.intercept_[0]


def weight_column(sample_weight, rows, outcome=None):
    """The weights, of which some must count, and in both classes."""
    weight = side_column(sample_weight, rows, "weight")
    if weight is None:
        return None
    if not weight.any():
        raise ValueError("all sample weights are zero: there are no rows to fit")
    if outcome is not None and np.ptp(outcome[weight != 0]) == 0 and outcome[weight != 0][0] in (0, 1):
        raise ValueError("all rows that count are of one class: there is nothing to tell apart")
    return weight


def one_dimension(y):
    y = np.asarray(y)
    if y.ndim == 2 and y.shape[1] == 1:
        from sklearn.utils.validation import column_or_1d

        return column_or_1d(y, warn=True)
    if y.ndim != 1:
        raise ValueError(f"y should be a 1d array, got an array of shape {y.shape} instead.")
    return y

