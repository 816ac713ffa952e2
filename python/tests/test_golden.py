"""The golden values of the Rust tests hold from Python, too."""

import csv
import json
from pathlib import Path

import numpy as np
import pytest

import discern

GOLDEN = Path(__file__).resolve().parents[2] / "crates/stats/tests/golden"
close = pytest.approx


def numbers(values):
    return np.array([float(value) for value in values])


@pytest.fixture(scope="module")
def more():
    golden = json.loads((GOLDEN / "more-golden.json").read_text())
    rows = golden["rows"]
    columns = {key: np.array([float(row[key]) for row in rows]) for key in rows[0] if key != "x"}
    golden["X"] = np.array([[float(v) for v in row["x"]] for row in rows])
    return golden | columns


def first():
    answers = json.loads((GOLDEN / "golden-fit.json").read_text())
    with open(GOLDEN / "golden-fit.csv") as file:
        rows = list(csv.DictReader(file))
    X = np.array([[float(row[f"x{j}"]) for j in (1, 2, 3)] for row in rows])
    result = np.array([row["result"] for row in rows])
    return X, result == "W", result == "D", answers


def points(answers):
    return np.array([numbers(p["x"]) for p in answers["points"]]), numbers(
        p["f"] for p in answers["points"]
    )


def test_log_fisher_and_quad_with_draws():
    X, won, drawn, answers = first()
    log = discern.LogisticRegression(invented_trials=100).fit(X, won, draws=drawn)
    fisher = discern.FisherDiscriminant(prior="equal").fit(X, won, draws=drawn)
    quad = discern.QuadraticDiscriminant(prior="equal").fit(X, won, draws=drawn)
    assert log.coefficients_ == close(numbers(answers["log"]["beta"]), rel=1e-9)
    errors = numbers(answers["log"]["se_information"])
    assert log.standard_errors_("information") == close(errors, rel=1e-9)
    assert log.deviance_ == close(float(answers["log"]["deviance"]), rel=1e-9)
    assert fisher.coef_[0] == close(numbers(answers["fisher"]["w"]), rel=1e-9)
    assert quad.linear_ == close(numbers(answers["quad"]["b"]), rel=1e-9)
    for i in range(3):
        assert quad.quadratic_[i] == close(numbers(answers["quad"]["A"][i]), rel=1e-9)
    for model, name in ((log, "log"), (fisher, "fisher"), (quad, "quad")):
        x, f = points(answers[name])
        assert model.decision_function(x) == close(f, rel=1e-9)


def check_log(model, answers):
    assert model.stop_ == "converged"
    assert model.coefficients_ == close(numbers(answers["beta"]), rel=1e-9)
    for kind in ("information", "robust", "clustered"):
        assert model.standard_errors_(kind) == close(numbers(answers[f"se_{kind}"]), rel=1e-9)


def test_log_with_weights_and_groups(more):
    model = discern.LogisticRegression(invented_trials=100)
    model.fit(
        more["X"], more["outcome"] == 1, more["weight"], draws=more["outcome"] == 0.5, groups=more["group"]
    )
    check_log(model, more["log_weighted"])


def test_log_of_plain_wins_and_losses(more):
    decided = more["outcome"] != 0.5
    model = discern.LogisticRegression()
    model.fit(more["X"][decided], more["outcome"][decided], groups=more["group"][decided])
    check_log(model, more["log_binary"])


def test_log_of_counts(more):
    model = discern.LogisticRegression(invented_trials=100)
    sides = {"trials": more["trials"], "groups": more["group"]}
    model.fit(more["X"], more["successes"], more["weight"], **sides)
    check_log(model, more["log_counts"])


def test_least_squares(more):
    model = discern.LinearRegression()
    model.fit(more["X"], more["score"], more["weight"], groups=more["group"])
    answers = more["ols"]
    assert model.coefficients_ == close(numbers(answers["beta"]), rel=1e-9)
    assert model.standard_errors_("information") == close(numbers(answers["se"]), rel=1e-9)
    assert model.standard_errors_("robust") == close(numbers(answers["se_robust"]), rel=1e-9)
    assert model.standard_errors_("clustered") == close(numbers(answers["se_clustered"]), rel=1e-9)
    assert model.r_squared_ == close(float(answers["r_squared"]), rel=1e-9)
    table = model.estimates_("information")
    assert table["p_value"] == close(numbers(answers["p"]), rel=1e-8, abs=1e-14)


def test_discordance(more):
    answers, x2 = more["diagnostics"], more["X"][:, 1]
    found = discern.discordance(more["outcome"], log_odds=x2)
    assert found.value == close(float(answers["discordance_with_draws"]), rel=1e-12)
    decided = more["outcome"] != 0.5
    found = discern.discordance(more["outcome"][decided], log_odds=x2[decided])
    assert found.value == close(float(answers["discordance_decided"]), rel=1e-12)
