"""pandas, Polars and Arrow in; data frames out."""

import struct

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


@pytest.mark.parametrize("width", [1, 3, 4, 13])
@pytest.mark.parametrize("kind", [np.float32, np.float64])
def test_rows_are_read_where_they_lie_and_give_the_bits_of_columns(width, kind):
    from discern._columns import native_features

    X = np.random.default_rng(2).normal(size=(9001, width)).astype(kind)
    y = np.arange(9001) % 7 < 3
    features = native_features(X)
    assert features is X if width > 1 else np.shares_memory(features[0], X)
    by_rows = discern.LogisticRegression().fit(X, y)
    by_columns = discern.LogisticRegression().fit(np.asfortranarray(X), y)
    assert np.array_equal(by_rows.coef_, by_columns.coef_)


@pytest.mark.parametrize("kind", [bool, np.int8, np.uint8, np.int16, np.int32, np.int64, np.float32, np.float64])
def test_labels_of_every_kind_give_the_same_fit(kind):
    X, y = np.random.default_rng(4).normal(size=(5000, 2)), np.arange(5000) % 3 == 0
    expected = discern.LogisticRegression().fit(X, np.where(y, "won", "lost"))
    for labels in (y.astype(kind), np.repeat(y, 2).astype(kind)[::2]):
        model = discern.LogisticRegression().fit(X, labels)
        assert np.array_equal(model.coef_, expected.coef_)
        assert model.classes_.tolist() == [0, 1] and model.classes_.dtype == kind
    for one_class in (0 * y, 0 * y + 1):
        with pytest.raises(ValueError, match=f"all rows are of one class, {one_class[0]}"):
            discern.LogisticRegression().fit(X, one_class)


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


def test_wthor_becomes_a_frame_and_a_broken_file_is_a_sentence(tmp_path):
    game = "e6f4e3f6g5d6e7f5c5"
    squares = [game[i : i + 2] for i in range(0, len(game), 2)]
    moves = bytes(10 * int(square[1]) + "abcdefgh".index(square[0]) + 1 for square in squares)
    header = struct.pack("<4BIHH4B", 20, 4, 12, 31, 1, 0, 2004, 8, 0, 22, 0)
    record = struct.pack("<3H2B60s", 0, 1, 2, 64, 64, moves)
    file = tmp_path / "WTH_2004.wtb"
    file.write_bytes(header + record)
    games = discern.read_games(file)
    assert list(games.moves) == [game] and list(games.score_black) == [64]
    assert list(games.date) == ["2004"] and list(games.white) == ["#2"]
    positions = discern.read_positions(file)
    # The position that ends the game is none to decide in.
    assert sorted(positions.discs) == list(range(4, 4 + len(squares)))
    assert set(positions.outcome) == {0.0, 1.0}
    file.write_bytes(header + record[:-1])
    with pytest.raises(ValueError, match="WTH_2004.wtb"):
        discern.read_games(file)
