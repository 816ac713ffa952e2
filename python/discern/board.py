"""Boards that draw themselves in a notebook."""

from html import escape

from ._native import Game, Position

SIZE = 40
MARGIN = 16

_STYLE = (
    ".f{fill:#2d7d4f;stroke:#1c5536}.b{fill:#111;stroke:#000}.w{fill:#fafafa;stroke:#555}"
    ".o{font:11px sans-serif;fill:#fff;text-anchor:middle}.best{font-weight:bold;fill:#ffe27a}"
    ".c{font:10px sans-serif;fill:#777;text-anchor:middle}.l{fill:#d33}"
)


def svg(position, odds=None, last=None):
    """The board as SVG. `odds` maps moves to probabilities or texts, which are
    written on their squares; `last` marks the square of the last move."""
    odds = dict(odds or {})
    side = 8 * SIZE + 2 * MARGIN
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {side} {side}" width="{side}" '
        f'height="{side}" role="img" aria-label="{escape(_label(position))}"><style>{_STYLE}</style>'
    ]
    numbers = [value for value in odds.values() if not isinstance(value, str)]
    best = max(numbers, default=None)
    for row in range(8):
        middle = MARGIN + row * SIZE + SIZE / 2
        parts.append(f'<text class="c" x="{MARGIN / 2}" y="{middle + 4}">{row + 1}</text>')
        parts.append(f'<text class="c" x="{middle}" y="{MARGIN - 5}">{"abcdefgh"[row]}</text>')
    for row in range(8):
        for column in range(8):
            square = "abcdefgh"[column] + str(row + 1)
            x, y = MARGIN + column * SIZE, MARGIN + row * SIZE
            middle = (x + SIZE / 2, y + SIZE / 2)
            parts.append(f'<rect class="f" x="{x}" y="{y}" width="{SIZE}" height="{SIZE}"/>')
            disc = position.disc(square)
            if disc:
                kind = "b" if disc == "black" else "w"
                parts.append(
                    f'<circle class="{kind}" cx="{middle[0]}" cy="{middle[1]}" r="{0.42 * SIZE}"/>'
                )
                if square == last:
                    parts.append(f'<circle class="l" cx="{middle[0]}" cy="{middle[1]}" r="4"/>')
            elif square in odds:
                value = odds[square]
                text = value if isinstance(value, str) else f"{100 * value:.0f}%"
                kind = "o best" if value == best else "o"
                parts.append(
                    f'<text class="{kind}" x="{middle[0]}" y="{middle[1] + 4}">{escape(text)}</text>'
                )
    foot = "the game is over" if position.is_over else f"{position.mover} to move"
    parts.append(f'<text class="c" x="{side / 2}" y="{side - 4}">{foot}</text></svg>')
    return "".join(parts)


def game_svg(game):
    """The last position of a game, its last move marked."""
    squares = [move for move in game.moves if move != "pass"]
    return svg(game.position, last=squares[-1] if squares else None)


def _label(position):
    return f"Othello board, {position.discs} discs, {position.mover} to move"


__all__ = ["Game", "Position", "svg"]
