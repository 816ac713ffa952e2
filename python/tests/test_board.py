"""Positions, games, features, drawings."""

import pickle
import xml.etree.ElementTree as xml

import numpy as np
import pytest

import discern


def test_the_start_has_four_moves():
    start = discern.Position()
    assert sorted(start.legal_moves()) == ["c4", "d3", "e6", "f5"]
    assert (start.discs, start.empties, start.mover, start.is_over) == (4, 60, "black", False)
    assert start.play("f5").mover == "white" and start.play("f5").discs == 5
    assert discern.Position(str(start)) == start
    again = discern.Position.from_bits(start.mover_bits, start.opponent_bits)
    assert again == start and hash(again) == hash(start)


def test_a_game_remembers_its_moves():
    game = discern.Game("f5d6c3")
    assert game.moves == ["f5", "d6", "c3"] and len(game) == 3 and len(game.positions) == 4
    game.play("d3")
    assert game.transcript == "f5d6c3d3" and game.undo() == "d3" and game == discern.Game("f5d6c3")
    assert pickle.loads(pickle.dumps(game)) == game
    assert pickle.loads(pickle.dumps(game.position)) == game.position


def perft(position, depth):
    moves = position.legal_moves()
    if depth == 0 or position.is_over:
        return 1
    return sum(perft(position.play(move), depth - 1) for move in moves)


def test_perft_of_five_plies():
    assert perft(discern.Position(), 5) == 1396


def test_a_finished_game_has_a_score():
    game = discern.Game("e6f4e3f6g5d6e7f5c5")
    assert game.is_over and game.score_black == 64 and game.position.score == -64


def test_features_of_many_positions_are_those_of_the_explanation():
    game = discern.Game("f5d6c3d3c4f4f6g5e6d7")
    found = discern.features(game)
    engine = discern.Engine()
    for position, row in zip(game.positions, found):
        # The basis first, then what only some of the models look at.
        expected = list(engine.explain(position)["features"].values())
        assert list(row) == pytest.approx(expected[: len(row)], abs=1e-12)
    bits = np.array([[p.mover_bits, p.opponent_bits] for p in game.positions], dtype=np.uint64)
    assert np.array_equal(discern.features(bits), found)
    assert np.array_equal(discern.features(game.positions, threads=2), found)


def test_boards_draw_themselves():
    game = discern.Game("f5d6c3")
    for drawn in (game, game.position, discern.Engine().analyze(game, depth=2)):
        picture = xml.fromstring(drawn._repr_svg_())
        discs = [e for e in picture.iter() if e.get("class") in ("b", "w")]
        assert len(discs) == 7 and picture.get("role") == "img"
    texts = "".join(xml.fromstring(discern.Engine().analyze(game, depth=2)._repr_svg_()).itertext())
    assert "%" in texts and "white to move" in texts
