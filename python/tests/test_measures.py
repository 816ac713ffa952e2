"""Calibration and discordance against plain definitions."""

import numpy as np
import pytest
from sklearn.metrics import brier_score_loss, log_loss, roc_auc_score

import discern


def predictions():
    rng = np.random.default_rng(9)
    p = rng.uniform(0.02, 0.98, size=800)
    return (rng.uniform(size=800) < p).astype(float), p


def test_measures_agree_with_scikit_learn():
    y, p = predictions()
    found = discern.measures(y, p)
    assert found["discordance"].value == pytest.approx(1 - roc_auc_score(y, p), rel=1e-12)
    assert found["log_loss"].value == pytest.approx(log_loss(y, p), rel=1e-12)
    assert found["brier"].value == pytest.approx(brier_score_loss(y, p), rel=1e-12)
    assert discern.discordance(y, np.column_stack([1 - p, p])) == found["discordance"]
    by_group = discern.measures(y, p, groups=np.arange(800) // 8)
    assert by_group["log_loss"].value == found["log_loss"].value
    assert by_group["log_loss"].error != found["log_loss"].error


def test_calibration_of_true_probabilities_covers_the_diagonal():
    y, p = predictions()
    for strategy in ("uniform", "quantile"):
        curve = discern.calibration(y, p, bins=8, strategy=strategy)
        assert curve["weight"].sum() == 800 and len(curve["predicted"]) == 8
        inside = (curve["low"] <= curve["predicted"]) & (curve["predicted"] <= curve["high"])
        assert inside.sum() >= 7


def test_bad_predictions_are_refused():
    y, p = predictions()
    for arguments in ((y, 2 * p), (y[:5], p), (y + 1, p), (y,)):
        with pytest.raises(ValueError):
            discern.measures(*arguments)
    with pytest.raises(ValueError, match="no pair"):
        discern.discordance(np.ones(5), np.full(5, 0.5))
