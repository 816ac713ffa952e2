"""pandas, Polars and Arrow in; data frames out."""

import numpy as np
import pandas
import polars
import pyarrow
import pytest

import discern


def table():
    rng = np.random.default_rng(5)
    columns = {"mobility": rng.normal(size=300), "tempo": rng.integers(0, 5, 300)}
    return columns, columns["mobility"] + rng.logistic(size=300) > 0


@pytest.mark.parametrize("frame", [pandas.DataFrame, polars.DataFrame, pyarrow.table])
def test_a_frame_gives_names_and_the_fit_of_its_array(frame):
    columns, y = table()
    X = np.column_stack(list(columns.values()))
    model = discern.LogisticRegression().fit(frame(columns), y)
    assert model.feature_names_ == ["mobility", "tempo"]
    assert model.term_names_ == ["(intercept)", "mobility", "tempo"]
    plain = discern.LogisticRegression().fit(X, y)
    assert np.array_equal(model.coef_, plain.coef_)
    np.testing.assert_allclose(model.predict_proba(frame(columns)), plain.predict_proba(X), rtol=1e-14)


def test_columns_of_a_frame_are_not_copied():
    from discern._columns import frame_columns, native_features

    for frame in (pandas.DataFrame, polars.DataFrame, pyarrow.table):
        column = frame({"a": np.arange(1000.0), "b": np.ones(1000)})
        first = native_features(frame_columns(column))[0]
        assert np.shares_memory(first, frame_columns(column)[0])
    X = np.asfortranarray(np.ones((1000, 4)))
    assert all(np.shares_memory(X, column) for column in native_features(X))


def test_large_rows_are_read_where_they_lie_and_give_the_same_bits(monkeypatch):
    from discern import _columns

    X, y = np.random.default_rng(2).normal(size=(9001, 3)), np.arange(9001) % 7 < 3
    for kind in (np.float32, np.float64):
        rows = X.astype(kind)
        copied = discern.LogisticRegression().fit(rows, y)
        monkeypatch.setattr(_columns, "MOST_COPIED", 0)
        assert _columns.native_features(rows) is rows
        assert np.array_equal(discern.LogisticRegression().fit(rows, y).coef_, copied.coef_)
        monkeypatch.undo()
        assert isinstance(_columns.native_features(rows), list)


@pytest.mark.parametrize("frame,kind", [("pandas", pandas.DataFrame), ("polars", polars.DataFrame), ("arrow", pyarrow.Table)])
def test_games_become_frames(tmp_path, frame, kind):
    file = tmp_path / "games.txt"
    file.write_text("f5d6c3d3c4\nf5f6e6f4\n")
    games = discern.read_games(file, frame=frame)
    assert isinstance(games, kind)
    columns = discern.read_games(file, frame="dict")
    assert columns["moves"] == ["f5d6c3d3c4", "f5f6e6f4"]
    assert list(columns["plies"]) == [5, 4]
    assert columns["score_black"] == [None, None]
