"""Regressions with error bars, and an Othello engine that knows its odds.

Estimators in scikit-learn's conventions: `LogisticRegression`,
`FisherDiscriminant`, `QuadraticDiscriminant`, `LinearRegression` and
`SparseLogisticRegression`. The game: `Position`, `Game`, `Engine`,
`read_games`, `read_positions`, `features`.
"""

from importlib import import_module

from ._native import Basis, __version__
from .board import Game, Position
from .engine import Engine
from .games import features, learn_features, read_games, read_positions, split_by_game

# scikit-learn takes a second to import: only those who fit wait for it.
_LAZY = {
    "LogisticRegression": ".logistic",
    "FisherDiscriminant": ".discriminants",
    "QuadraticDiscriminant": ".discriminants",
    "LinearRegression": ".linear",
    "SparseLogisticRegression": ".sparse",
    "calibration": ".quality",
    "discordance": ".quality",
    "measures": ".quality",
}

__all__ = [
    "Basis",
    "Engine",
    "Game",
    "Position",
    "__version__",
    "features",
    "learn_features",
    "read_games",
    "read_positions",
    "split_by_game",
    *_LAZY,
]


def __getattr__(name):
    if name in _LAZY:
        return getattr(import_module(_LAZY[name], __name__), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__():
    return sorted(__all__)
