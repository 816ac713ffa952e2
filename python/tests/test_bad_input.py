"""Bad input gets a ValueError with the sentence of the command line."""

import subprocess
from pathlib import Path

import numpy as np
import pandas
import pytest

import discern

ROOT = Path(__file__).resolve().parents[2]
PROGRAM = ROOT / "target/debug/discern"


def said(*arguments):
    """What the command line says, behind the name of program and file."""
    if not PROGRAM.exists():
        pytest.skip("the program has not been built")
    done = subprocess.run([PROGRAM, *arguments], capture_output=True, text=True)
    assert done.returncode != 0
    return done.stderr.strip()


@pytest.mark.parametrize("text", ["xx", "f5f5", "f5zz", "-" * 64])
def test_positions_and_games(text):
    with pytest.raises(ValueError) as error:
        discern.Engine().analyze(text)
    assert said("analyze", text) == f"discern: {error.value}"


def test_a_model_that_does_not_exist():
    with pytest.raises(ValueError, match="there is no model 'best', only log, ") as error:
        discern.Engine("best")
    assert said("analyze", "f5", "--model", "best") == f"discern: {error.value}"


def fit_and_say(tmp_path, columns, label):
    file = tmp_path / "table.csv"
    names = [*columns, "won"]
    rows = zip(*columns.values(), label)
    file.write_text("\n".join([",".join(names), *(",".join(map(str, row)) for row in rows)]) + "\n")
    X = np.column_stack([np.array(column, dtype=float) for column in columns.values()])
    with pytest.raises(ValueError) as error:
        discern.FisherDiscriminant().fit(pandas.DataFrame(X, columns=list(columns)), np.array(label))
    return str(error.value), said("fit", str(file), "--label", "won", "--models", "fisher")


def test_a_constant_feature_and_collinear_ones(tmp_path):
    x, won = list(range(30)), [int(i % 3 == 0) for i in range(30)]
    for columns in ({"a": x, "b": [1] * 30}, {"a": x, "b": [2 * i for i in x]}):
        ours, theirs = fit_and_say(tmp_path, columns, won)
        assert ours in theirs


def test_values_out_of_range():
    X, y = np.random.default_rng(1).normal(size=(50, 2)), np.arange(50) % 2
    cases = [
        ({"X": np.where(np.arange(100).reshape(50, 2) == 7, np.nan, X)}, "feature 'x2' is NaN"),
        ({"sample_weight": -np.ones(50)}, "weight -1 is not a finite number of at least 0"),
        ({"trials": np.zeros(50)}, "not a positive number of trials|between 0"),
        ({"y": 2 * y, "trials": np.ones(50)}, "outcome 2 is not between 0"),
        ({"groups": [1, 2]}, "column 'group' has 2 rows where 50 are expected"),
        ({"y": np.arange(50) % 3}, "Only binary classification"),
    ]
    for change, sentence in cases:
        with np.errstate(all="ignore"), pytest.raises(ValueError, match=sentence):
            discern.LogisticRegression().fit(**{"X": X, "y": y, **change})
    for settings, sentence in [
        ({"errors": "none"}, "'none' is no kind of standard errors"),
        ({"invented_trials": 2}, "2 trials per row: give 1, or more than 2"),
        ({"ridge": -1}, "ridge -1 is below 0"),
        ({"threads": 0}, "give 1 to"),
    ]:
        with pytest.raises(ValueError, match=sentence):
            discern.LogisticRegression(**settings).fit(X, y)
    model = discern.LogisticRegression().fit(X, y)
    with pytest.raises(ValueError, match="no clustered standard errors were computed"):
        model.standard_errors_("clustered")


def test_files_that_are_no_games(tmp_path):
    file = tmp_path / "rubbish.games"
    file.write_bytes(b"\x00\x01rubbish")
    with pytest.raises(ValueError, match="rubbish.games"):
        discern.read_games(file)
    with pytest.raises(ValueError, match="No such file"):
        discern.read_games(tmp_path / "missing.wtb")


def test_limits_of_the_engine():
    engine = discern.Engine()
    for limits in ({"depth": 0}, {"seconds": -1}, {"seconds": 1, "depth": 3}):
        with pytest.raises(ValueError):
            engine.analyze("f5", **limits)
    with pytest.raises(ValueError, match="the game is over"):
        engine.solve("e6f4e3f6g5d6e7f5c5")
