"""Logistic regression on sparse rows: pattern weights by the hundred thousand."""

import warnings

import numpy as np
from scipy import sparse
from sklearn.exceptions import ConvergenceWarning
from sklearn.utils.validation import check_is_fitted, validate_data

from . import _native
from ._base import Classifier, weight_column
from ._columns import side_column


class SparseLogisticRegression(Classifier):
    """Logistic regression with a ridge on sparse (or small dense) matrices.

    Minimises the sum of the log losses plus ½·ridge·Σ weight²; the intercept is
    not penalised.

    Parameters
    ----------
    ridge : float, default 1
    fit_intercept : bool, default True
    invented_trials, tolerance, max_steps, threads
        As for `LogisticRegression`; converged when |gradient|/√information is
        at most `tolerance` for every weight.

    Attributes
    ----------
    coef_ : array (1, features); intercept_ : array (1,)
    counts_ : rows that have each feature
    coef_errors_ : standard errors; error_kind_ : "joint" or "conditional"
    """

    def __init__(
        self,
        *,
        ridge=1.0,
        fit_intercept=True,
        invented_trials=1,
        tolerance=1e-8,
        max_steps=100,
        threads=None,
    ):
        self.ridge = ridge
        self.fit_intercept = fit_intercept
        self.invented_trials = invented_trials
        self.tolerance = tolerance
        self.max_steps = max_steps
        self.threads = threads

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = True
        return tags

    def _rows(self, X, *, reset):
        X = validate_data(self, X, reset=reset, accept_sparse="csr", dtype=np.float64)
        return X if sparse.issparse(X) else sparse.csr_array(X)

    def fit(self, X, y, sample_weight=None, *, draws=None, trials=None):
        """Fits the weights; arguments as for `LogisticRegression.fit`."""
        X = self._rows(X, reset=True)
        rows = X.shape[0]
        trials = side_column(trials, rows, "trials")
        outcome = self._outcome(y, rows, draws, trials)
        table = {
            "outcome": outcome.astype(np.float64),
            "weight": weight_column(sample_weight, rows, outcome),
            "trials": trials,
            "ends": X.indptr[1:].astype(np.int64),
            "indices": X.indices.astype(np.int64),
            "values": np.ascontiguousarray(X.data),
        }
        settings = {
            "ridge": float(self.ridge),
            "fit_intercept": bool(self.fit_intercept),
            "invented_trials": float(self.invented_trials),
            "tolerance": float(self.tolerance),
            "max_steps": self.max_steps,
            "threads": self.threads,
        }
        fit = _native.fit_sparse(table, X.shape[1], settings)
        self.intercept_ = np.array([fit["intercept"]])
        self.coef_ = fit["weights"].reshape(1, -1)
        self.coef_errors_, self.error_kind_ = fit["errors"], fit["error_kind"]
        self.intercept_error_ = fit["intercept_error"]
        self.counts_ = fit["counts"]
        self.log_likelihood_, self.penalty_ = fit["log_likelihood"], fit["penalty"]
        self.n_rows_ = fit["rows"]
        self.stop_, self.n_iter_ = fit["stop"], max(1, fit["steps"])
        if self.stop_ != "converged":
            warnings.warn(f"the fit has not converged: {self.stop_}", ConvergenceWarning, stacklevel=2)
        return self

    def decision_function(self, X):
        """Log-odds of the second class."""
        check_is_fitted(self)
        return self._rows(X, reset=False) @ self.coef_[0] + self.intercept_[0]

    def standard_errors_(self, kind=None):
        """Standard errors of the intercept and the weights."""
        check_is_fitted(self)
        if kind not in (None, self.error_kind_):
            raise ValueError(f"no {kind} standard errors were computed: there are {self.error_kind_}")
        first = np.nan if self.intercept_error_ is None else self.intercept_error_
        return np.concatenate([[first], self.coef_errors_])

    def summary(self, kind=None, confidence=0.95):
        raise ValueError("a summary of so many weights would not help: see coef_ and coef_errors_")
