"""LOG: logistic regression by Newton's method."""

from ._base import LinearClassifier


class LogisticRegression(LinearClassifier):
    """Logistic regression with maximum likelihood estimates and their errors.

    Parameters
    ----------
    invented_trials : float, default 1
        Trials that every row stands for. The paper's 100 let a won row count 99
        wins and a lost one 1, so that estimates always exist; 1 is the usual
        regression.
    ridge : float, default 0
        Penalty on squared standardised coefficients.
    errors : str, default "auto"
        The most elaborate standard errors to compute: "information",
        "corrected", "robust", "clustered"; "auto" is clustered with groups and
        corrected without.
    tolerance, max_steps
        When Newton's method has converged, and when it gives up.
    threads : int, optional
        All processors by default; the result does not depend on it.

    Attributes
    ----------
    coef_ : array (1, features); intercept_ : array (1,); classes_ : array (2,)
    deviance_, null_deviance_, log_likelihood_ : float
    stop_ : "converged", "separated", "step-limit" or "stalled"

    >>> import numpy as np
    >>> rng = np.random.default_rng(1)
    >>> X = rng.normal(size=(500, 2))
    >>> y = X[:, 0] + rng.logistic(size=500) > 0
    >>> model = LogisticRegression().fit(X, y)
    >>> bool(model.coef_[0, 0] > 3 * model.standard_errors_()[1])
    True
    """

    _model = "log"

    def __init__(
        self,
        *,
        invented_trials=1,
        ridge=0.0,
        errors="auto",
        tolerance=3e-10,
        max_steps=50,
        threads=None,
    ):
        self.invented_trials = invented_trials
        self.ridge = ridge
        self.errors = errors
        self.tolerance = tolerance
        self.max_steps = max_steps
        self.threads = threads

    def _settings(self):
        return {
            "invented_trials": float(self.invented_trials),
            "ridge": float(self.ridge),
            "tolerance": float(self.tolerance),
            "max_steps": self.max_steps,
        }

    def _take(self, fit):
        super()._take(fit)
        self.deviance_ = fit["deviance"]
        self.null_deviance_ = fit["null_deviance"]
        self.separated_ = fit["separated"]

    def _facts(self):
        return [("Deviance", self.deviance_), ("Null deviance", self.null_deviance_)]
