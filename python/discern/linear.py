"""Least squares on a numeric result."""

import numpy as np
from sklearn.base import RegressorMixin
from sklearn.utils.validation import check_is_fitted

from ._base import Estimator, one_dimension, weight_column
from ._columns import side_column


class LinearRegression(RegressorMixin, Estimator):
    """Least squares with the errors of your choice.

    Parameters as for `FisherDiscriminant`, without a prior. Attributes:
    coef_ (features), intercept_, r_squared_, residual_variance_.
    """

    _model = "linear"

    def __init__(self, *, errors="auto", threads=None):
        self.errors = errors
        self.threads = threads

    def fit(self, X, y, sample_weight=None, *, groups=None):
        """Fits the model; `sample_weight` says how often each row counts, rows
        of one of the `groups` are not independent of each other."""
        features = self._features(X, reset=True)
        rows = len(features[0]) if isinstance(features, list) else features.shape[0]
        if y is None:
            raise ValueError(
                f"This {type(self).__name__} estimator requires y to be passed, but the target y is None."
            )
        score = side_column(one_dimension(y), rows, "score")
        sides = {"score": score, "weight": weight_column(sample_weight, rows)}
        return self._fit_native(X, features, sides, groups)

    def _take(self, fit):
        super()._take(fit)
        self.intercept_ = float(fit["coefficients"][0])
        self.coef_ = fit["coefficients"][1:]
        self.r_squared_ = fit["r_squared"]
        self.residual_variance_ = fit["residual_variance"]
        self.degrees_of_freedom_ = fit["degrees_of_freedom"]

    def _degrees_of_freedom(self, kind):
        by_group = kind == "clustered" and self.n_groups_
        return self.n_groups_ - 1.0 if by_group else self.degrees_of_freedom_

    def predict(self, X):
        """The expected result."""
        check_is_fitted(self)
        return self._finite_matrix(X) @ self.coef_ + self.intercept_

    def _facts(self):
        return [("R²", self.r_squared_), ("Residual deviation", np.sqrt(self.residual_variance_))]
