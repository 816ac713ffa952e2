"""FISHER and QUAD: discriminants of normally distributed features."""

import numpy as np
from sklearn.utils.validation import check_is_fitted

from ._base import Classifier, LinearClassifier


class _Prior:
    def __init__(self, *, prior="data", errors="auto", threads=None):
        self.prior = prior
        self.errors = errors
        self.threads = threads

    def _settings(self):
        if self.prior not in ("equal", "data"):
            raise ValueError(f"prior '{self.prior}' is neither 'equal' nor 'data'")
        return {"prior_from_data": self.prior == "data"}


class FisherDiscriminant(_Prior, LinearClassifier):
    """Fisher's linear discriminant: one covariance for both classes.

    Parameters
    ----------
    prior : "data" or "equal"
        Probabilities of the classes: their shares, or ½ each as in the paper.
    errors, threads
        As for `LogisticRegression`.

    Attributes
    ----------
    coef_, intercept_, classes_
    distance_ : squared distance of the classes in standard deviations of f
    """

    _model = "fisher"

    def _take(self, fit):
        super()._take(fit)
        self.distance_ = fit["distance"]

    def _facts(self):
        return [("Squared distance", self.distance_)]


class QuadraticDiscriminant(_Prior, Classifier):
    """The quadratic discriminant: a covariance for each class.

    Log-odds are xQx′ + Lx′ + c with Q = `quadratic_`, L = `linear_` and
    c = `constant_`. Parameters as for `FisherDiscriminant`.
    """

    _model = "quad"

    def _take(self, fit):
        super()._take(fit)
        self.quadratic_ = fit["quadratic"]
        self.linear_ = fit["linear"]
        self.constant_ = fit["constant"]
        self.centre_ = fit["centre"]
        self._at_centre = (fit["linear_at_centre"], fit["constant_at_centre"])

    def decision_function(self, X):
        """Log-odds of the second class."""
        check_is_fitted(self)
        # Around the centre of the classes the terms do not cancel.
        linear, constant = self._at_centre
        x = self._finite_matrix(X) - self.centre_
        return np.einsum("ij,ij->i", x @ self.quadratic_, x) + x @ linear + constant
