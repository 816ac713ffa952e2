"""The engine, with answers that show themselves in a notebook."""

from ._native import Engine as _Engine
from ._native import Game, Position
from .board import svg


def position_of(what):
    """A position from a position, a game, or the text of either."""
    if isinstance(what, Game):
        return what.position
    if isinstance(what, Position):
        return what
    text = what.strip()
    is_transcript = not text or (text[0].isalpha() and text[1:2].isdigit())
    return Game(text).position if is_transcript else Position(text)


class Analysis(dict):
    """What a search found: `mover`, `discs`, `moves` (best first: `move`,
    `probability`, `value`, `depth`, `exact`, `outcome`, `score`, `pv`), `nodes`
    and `seconds`. A notebook shows the board with the odds on its squares."""

    def __init__(self, position, found):
        super().__init__(found)
        self.position = position

    @property
    def best(self):
        """The best move."""
        return self["moves"][0]

    def _repr_svg_(self):
        def odds(move):
            return f"{move['score']:+d}" if move["score"] is not None else move["probability"]

        return svg(self.position, {move["move"]: odds(move) for move in self["moves"]})


class Engine(_Engine):
    """Finds moves, proves endings, says why.

    Engine(model="log", weights=None, threads=1, table_mib=64): `model` is one of
    the weights ("log", "fisher", "quad", "direct") or "rev"; `weights` a file of
    `discern fit --positions`, by default the shipped one. Positions may be given
    as `Position`, `Game` or text. Ctrl-C stops a search.
    """

    def analyze(self, position="", *, seconds=None, depth=None, nodes=None, best=64):
        """The best moves with their odds, after `seconds` (1), to a `depth` at
        full width, or within `nodes`."""
        position = position_of(position)
        limits = {"seconds": seconds, "depth": depth, "nodes": nodes, "best": best}
        return Analysis(position, super().analyze(position, **limits))

    def solve(self, position, *, outcome=False):
        """The exact score and best play; only win, draw or loss with `outcome`."""
        return super().solve(position_of(position), outcome=outcome)

    def explain(self, position, *, move=None):
        """What each feature adds to the log-odds, in each model of the weights."""
        return super().explain(position_of(position), move=move)

    def review(self, game, *, seconds=None, depth=None):
        """Every move of a game judged."""
        return super().review(game if isinstance(game, Game) else Game(game), seconds=seconds, depth=depth)
