"""The engine: odds, proofs, Ctrl-C, threads."""

import os
import signal
import threading
import time

import pytest

import discern

ENDING = "XXXXXXXXXXOOOOXXXOXOOXOXXOOXXOOXXOOXXOOXXOXOOXO-XXOOOO--XXXX---- O"


def test_analysis_orders_the_moves():
    found = discern.Engine().analyze("f5d6c3", depth=6)
    odds = [move["probability"] for move in found["moves"]]
    assert found["mover"] == "white" and odds == sorted(odds, reverse=True)
    assert {move["move"] for move in found["moves"]} == set(discern.Game("f5d6c3").position.legal_moves())
    assert found.best["pv"][0] == found.best["move"] and 0 < found.best["probability"] < 1
    assert found == discern.Engine().analyze(discern.Game("f5d6c3"), depth=6) | {"seconds": found["seconds"]}


def test_endings_are_proven():
    solution = discern.Engine().solve(ENDING)
    assert solution["exact"] and solution["score"] < 0 and solution["outcome"] == "loss"
    outcome = discern.Engine("rev").solve(discern.Position(ENDING), outcome=True)
    assert outcome["outcome"] == "loss"


def test_an_explanation_adds_up():
    explained = discern.Engine().explain("f5d6c3")
    log = explained["models"]["log"]
    assert log["intercept"] + sum(log["contributions"].values()) == pytest.approx(log["value"])
    after = discern.Engine().explain("f5d6c3", move="d3")
    assert after["discs"] == 8


def test_a_review_judges_every_move():
    moves = discern.Engine().review("f5d6c3d3c4", depth=3)
    assert [move["move"] for move in moves] == ["f5", "d6", "c3", "d3", "c4"]
    assert all(move["probability_best"] >= move["probability_played"] for move in moves)


def test_control_c_stops_a_search_within_a_tenth_of_a_second(request):
    # Started in the background of a script, Python would ignore Ctrl-C.
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    request.addfinalizer(lambda: signal.signal(signal.SIGINT, before))
    engine = discern.Engine()

    def delay_of(search):
        pressed = []

        def press():
            time.sleep(0.5)
            pressed.append(time.perf_counter())
            os.kill(os.getpid(), signal.SIGINT)

        threading.Thread(target=press).start()
        with pytest.raises(KeyboardInterrupt):
            search()
        return time.perf_counter() - pressed[0]

    for search in (lambda: engine.analyze("f5", seconds=60), lambda: engine.solve("f5d6c3")):
        # Other work on the machine may delay the thread, but not every time.
        assert any(delay_of(search) < 0.1 for _ in range(8))
    assert engine.analyze("f5", depth=2)["moves"], "the engine can be used again"


def test_two_threads_search_at_the_same_time():
    long, short = discern.Engine(), discern.Engine()
    span = []

    def search():
        span.append(time.perf_counter())
        long.analyze("f5", seconds=2)
        span.append(time.perf_counter())

    thread = threading.Thread(target=search)
    thread.start()
    turns = []
    while thread.is_alive():
        start = time.perf_counter()
        short.analyze("f5", depth=6)
        turns.append((start, time.perf_counter()))
    begin, end = span
    # However slow the machine is: searches began and ended within the long one.
    assert sum(begin < a and b < end for a, b in turns) >= 3
