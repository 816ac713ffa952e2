"""Files of games and positions as data frames, and features of positions."""

import numpy as np

from . import _native
from ._native import Game, Position


def frame_of(columns, frame=None):
    """Columns as a data frame: "pandas", "polars", "arrow" or "dict"; by default
    pandas where it is installed, else a dict."""
    if frame is None:
        try:
            import pandas  # noqa: F401

            frame = "pandas"
        except ImportError:
            frame = "dict"
    if frame == "pandas":
        import pandas

        return pandas.DataFrame(columns)
    if frame == "polars":
        import polars

        return polars.DataFrame(columns)
    if frame == "arrow":
        import pyarrow

        return pyarrow.table(columns)
    if frame == "dict":
        return columns
    raise ValueError(f"frame '{frame}' is none of pandas, polars, arrow, dict")


def read_games(path=None, *, frame=None):
    """The games of a file or folder in any format that we know (our archives,
    WTHOR, GGF, SGF, transcripts), or the shipped ones, one row each."""
    return frame_of(_native.read_games(path), frame)


def read_positions(path=None, *, frame=None):
    """The classified positions of such games, one row each.

    `mover` and `opponent` are the discs of both sides as bits, a1 the lowest;
    `outcome` is 1, 0.5 or 0 for the mover; positions of one `group` may come
    from the same game; `shared` ones belong to several groups.
    """
    return frame_of(_native.read_positions(path), frame)


def _column(table, name, kind):
    column = table[name]
    column = column.to_numpy() if hasattr(column, "to_numpy") else column
    return np.ascontiguousarray(column, dtype=kind)


def _classified(positions):
    kinds = {"mover": "u8", "opponent": "u8", "outcome": "f8", "group": "u4", "shared": "?"}
    return {name: _column(positions, name, kind) for name, kind in kinds.items()}


def _bits(positions):
    """Both sides' discs of positions, games or a table of positions."""
    if isinstance(positions, Position):
        positions = [positions]
    elif isinstance(positions, Game):
        positions = positions.positions
    if isinstance(positions, (list, tuple)):
        mover = np.array([position.mover_bits for position in positions], dtype=np.uint64)
        opponent = np.array([position.opponent_bits for position in positions], dtype=np.uint64)
        return mover, opponent
    if isinstance(positions, np.ndarray):
        if positions.ndim != 2 or positions.shape[1] != 2:
            raise ValueError("positions are two columns of bits: mover and opponent")
        return tuple(np.ascontiguousarray(positions[:, j], dtype=np.uint64) for j in range(2))
    return _column(positions, "mover", "u8"), _column(positions, "opponent", "u8")


def features(positions, basis=None, *, threads=None):
    """The features of many positions as an array, a row each; `basis.names` says
    which column is what.

    positions: a list of `Position`, a `Game`, a table of `read_positions`, or an
    array (n, 2) of bits. basis: of `learn_features`, else the shipped one.
    """
    basis = basis or _native.shipped_basis()
    return basis.values(*_bits(positions), threads)


def learn_features(positions, names=None, *, threads=None):
    """Learns the tables behind the features from classified positions.

    Returns the basis, the features of the positions by tables that leave out
    their own games (so that the fits are not fooled by what the tables know by
    heart), and the number of the position that each row belongs to.
    """
    return _native.learn_features(_classified(positions), names, threads)


def split_by_game(positions, test_share=0.2, seed=1):
    """Two masks of positions to learn from and to test on, which share neither
    games nor positions."""
    sides = _native.split_by_game(_classified(positions), test_share, seed)
    return sides == 1, sides == 2
