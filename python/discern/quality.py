"""How good predicted probabilities are, with error bars."""

from typing import NamedTuple

import numpy as np

from . import _native
from ._columns import group_column, side_column


class Measured(NamedTuple):
    """A value and its standard error."""

    value: float
    error: float


def _arguments(outcome, probability, log_odds, sample_weight, groups):
    if (probability is None) == (log_odds is None):
        raise ValueError("give probabilities or log_odds")
    if log_odds is None:
        p = np.asarray(probability, dtype=np.float64)
        if p.ndim == 2 and p.shape[1] == 2:  # of predict_proba
            p = p[:, 1]
        if not ((p >= 0) & (p <= 1)).all():
            raise ValueError("a probability lies outside 0 to 1")
        with np.errstate(divide="ignore"):
            log_odds = np.clip(np.log(p) - np.log1p(-p), -700, 700)
    log_odds = np.ascontiguousarray(log_odds, dtype=np.float64)
    rows = len(log_odds)
    return (
        log_odds,
        side_column(outcome, rows, "outcome"),
        side_column(sample_weight, rows, "weight"),
        group_column(groups, rows),
    )


def measures(outcome, probability=None, *, log_odds=None, sample_weight=None, groups=None):
    """Discordance, log loss, Brier score and accuracy, each with its error.

    outcome: 1 won, 0 lost, 0.5 drawn. probability: P(won), also as
    `predict_proba` returns it; or log_odds as `decision_function` does.
    """
    found = _native.measures(*_arguments(outcome, probability, log_odds, sample_weight, groups))
    return {k: Measured(*v) if isinstance(v, tuple) else v for k, v in found.items()}


def discordance(outcome, probability=None, *, log_odds=None, sample_weight=None, groups=None):
    """The share of wrongly ordered pairs of different outcome (1 − AUC), and
    its standard error, by group where there are groups."""
    arguments = _arguments(outcome, probability, log_odds, sample_weight, groups)
    found = _native.measures(*arguments)
    if "discordance" not in found:
        raise ValueError("all outcomes are equal: there is no pair to order")
    return Measured(*found["discordance"])


def calibration(
    outcome,
    probability=None,
    *,
    log_odds=None,
    sample_weight=None,
    groups=None,
    bins=10,
    strategy="uniform",
    confidence=0.95,
):
    """The calibration curve: a dict of `predicted`, `observed`, its interval
    `low` to `high`, and `weight`, for each bin that is not empty. Bins have
    equal width ("uniform") or weight ("quantile")."""
    if strategy not in ("uniform", "quantile"):
        raise ValueError(f"strategy '{strategy}' is neither 'uniform' nor 'quantile'")
    if not 1 <= bins <= 1_000_000:
        raise ValueError(f"{bins} bins: give 1 to 1000000")
    arguments = _arguments(outcome, probability, log_odds, sample_weight, groups)
    return _native.calibration(*arguments, bins, strategy == "quantile", confidence)
