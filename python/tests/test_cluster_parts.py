"""The parts of a cluster run that need no cluster."""

import csv
import json
import random
import shutil
import subprocess
import time
from collections import deque
from types import SimpleNamespace

import pytest
from cluster_help import discern, make_program, shards

from discern import _native
from discern.cluster import _node, status
from discern.cluster._pool import Attempt, Node
from discern.cluster._shards import Shards

PLAYERS = ("--player", "rev,depth=2,outcome=8,score=6",
           "--player", "rev-edges,depth=1,outcome=6,score=4")


@pytest.fixture(scope="module")
def program(tmp_path_factory):
    return make_program(tmp_path_factory.mktemp("program"))


@pytest.fixture
def plans(program, tmp_path):
    """A finished plan, and the same without its shards."""
    whole, empty = str(tmp_path / "whole"), str(tmp_path / "empty")
    discern(program, "generate", "plan", whole, *PLAYERS, "--openings", 6, "--rounds", 2,
            "--solve", 10, "--shards", 3)
    shutil.copytree(whole, empty)
    discern(program, "generate", "run", whole, "--threads", 1)
    return whole, empty


def sealed(folder, shard):
    stem = f"{folder}/shard-{shard:05}"
    with open(f"{stem}.games", "rb") as games, open(f"{stem}.seal.json") as seal:
        return games.read(), seal.read()


def test_a_shard_from_elsewhere_is_checked_and_appears_whole(plans):
    whole, empty = plans
    folder = _native.RunFolder(empty)
    assert (folder.verb, folder.shards, folder.threads, folder.repeatable) == ("generate", 3, 1, True)
    games, seal = sealed(whole, 1)
    assert folder.accept(1, games, seal, False) == {"what": "new", "other": None}
    assert folder.accept(1, games, seal, False) == {"what": "same", "other": None}
    assert [shard for shard, _ in folder.missing()] == [0, 2]
    assert shards(empty) == {"shard-00001.games": games}

    wrong = [
        (0, games, seal, "something else"),
        (0, games[:-1], sealed(whole, 0)[1], "not the games that were sealed"),
        (0, games, "{}", "not a seal"),
        (0, sealed(whole, 0)[0], sealed(whole, 0)[1].replace(folder.name, "0" * 32),
         "the seal of another plan"),
        (0, sealed(whole, 0)[0], sealed(whole, 0)[1].replace(folder.build[1], "f" * 32), "made by"),
    ]
    for shard, content, text, sentence in wrong:
        with pytest.raises(ValueError, match=sentence):
            folder.accept(shard, content, text, False)
    assert list(shards(empty)) == ["shard-00001.games"], "nothing else was written"


def test_a_damaged_shard_is_made_good_by_one_from_elsewhere(plans):
    whole, empty = plans
    folder = _native.RunFolder(empty)
    folder.accept(2, *sealed(whole, 2), False)
    with open(f"{empty}/shard-00002.games", "wb") as file:
        file.write(b"other games")
    assert [damage is not None for _, damage in folder.missing()] == [False, False, True]
    assert folder.accept(2, *sealed(whole, 2), False)["what"] == "new"
    assert [shard for shard, _ in folder.missing()] == [0, 1]


def test_status_says_what_is_there(plans):
    whole, empty = plans
    _native.RunFolder(empty).accept(0, *sealed(whole, 0), False)
    found = status(empty)
    assert (found["kind"], found["shards"], found["whole"]) == ("generate", 3, 1)
    assert found["games_left"] == 8 and found["run"] is None


def test_a_child_ends_when_nobody_holds_its_input(program, tmp_path):
    slow = str(tmp_path / "slow")
    discern(program, "generate", "plan", slow, "--player", "rev,depth=12", "--player",
            "rev,depth=12", "--openings", 1, "--rounds", 2, "--shards", 1)
    child = subprocess.Popen([program, "generate", "run", slow, "--shard", "0/1", "--until-eof"],
                             stdin=subprocess.PIPE, stderr=subprocess.DEVNULL)
    time.sleep(0.5)
    assert child.poll() is None, "it works"
    child.stdin.close()
    assert child.wait(timeout=20) == 1
    assert shards(slow) == {}


def test_a_program_that_cannot_run_is_a_sentence(program, tmp_path):
    broken = tmp_path / "broken"
    broken.write_bytes(b"\x7fELF for another processor")
    broken.chmod(0o755)
    assert _node.call([str(broken)])[1].startswith("the program does not start")
    assert _node.call([program, "solve", "/nowhere"])[1].endswith("(ended with code 1)")
    assert _node.call(["/bin/sh", "-c", "kill -9 $$"])[1] == "it said nothing (ended with signal 9)"


class Folder:
    """A folder of which only the numbers matter."""

    verb, shards = "generate", 10

    def __init__(self, missing, answers=()):
        self.left, self.answers = missing, deque(answers)

    def missing(self):
        return [(shard, None) for shard in self.left]

    def units(self, _):
        return 5

    def accept(self, *_):
        return {"what": self.answers.popleft() if self.answers else "new", "other": "evidence"}


def queue(path, folder, audit=0.0):
    return Shards(str(path), folder, [], False, audit, lambda _: None, random.Random(1))


def at_work(nodes, *attempts):
    """A pool with these machines and what they are at."""
    return SimpleNamespace(workers=nodes, running=dict(enumerate(attempts)))


VALUE = {"error": None, "games": b"", "seal": "", "host": "a", "seconds": 1.0, "processor": 1.0}


def machines(names):
    return [Node(name * 8, name, 1, "ready") for name in names]


def test_a_failed_shard_goes_to_another_machine_and_is_given_up_in_the_end(tmp_path):
    work = queue(tmp_path, Folder([0, 1]))
    nodes = machines("abc")
    pool = at_work(nodes)
    assert work.offer(nodes[0], pool) == (0, "work")
    work.put_back(Attempt(0, nodes[0], 0.0), "no", guilty=True)
    assert work.offer(nodes[0], pool) == (1, "work"), "not the one that it failed at"
    for node in nodes[1:]:
        assert work.offer(node, pool) == (0, "work")
        work.put_back(Attempt(0, node, 0.0), "no", guilty=True)
    assert work.given_up == {0: "no"} and work.lost == 3
    # A lost machine is nobody's fault.
    for _ in range(5):
        work.put_back(Attempt(1, nodes[0], 0.0), "gone", guilty=False)
        assert work.offer(nodes[0], pool) == (1, "work")


def test_audits_go_elsewhere_and_a_difference_is_a_broken_machine(tmp_path):
    work = queue(tmp_path, Folder([4], ["new", "differs"]), audit=1.0)
    work.audits.clear()
    first, second = nodes = machines("ab")
    key, _ = work.offer(first, at_work(nodes))
    work.take(Attempt(key, first, 0.0), VALUE)
    assert not work.finished, "the audit is left"
    assert work.offer(first, at_work(nodes)) is None, "who made it does not audit it"
    key, kind = work.offer(second, at_work(nodes))
    assert (key, kind) == (4, "audit")
    work.take(Attempt(key, second, 0.0, kind), VALUE)
    assert work.finished and work.audited == 1
    assert "a (aaaaaaaa)" in work.broken[0] and "b (bbbbbbbb)" in work.broken[0]
    # The next run knows who made it.
    assert queue(tmp_path, Folder([])).makers[4][0] == "a" * 8


def test_a_slow_shard_is_given_to_a_second_machine_once(tmp_path):
    work = queue(tmp_path, Folder([0, 1]))
    slow, quick = nodes = machines("ab")
    now = time.monotonic()
    key, _ = work.offer(slow, at_work(nodes))
    old = Attempt(key, slow, now - 100)
    key, _ = work.offer(quick, at_work(nodes, old))
    work.take(Attempt(key, quick, now), VALUE)
    assert work.offer(slow, at_work(nodes, old)) is None, "not to the same machine"
    assert work.offer(quick, at_work(nodes, old)) == (0, "double")
    assert work.offer(quick, at_work(nodes, old)) is None
    work.take(Attempt(0, quick, now, "double"), VALUE)
    assert not work.wants(old), "the slow one is not waited for"


def table(path, rows):
    with open(path, "w", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(["discs", "a", "b", "c", "result"])
        writer.writerows(rows)
    return str(path)


def rows(count, labels, seed=3):
    dice = random.Random(seed)
    for _ in range(count):
        a, b, c = dice.gauss(0, 1), dice.gauss(3, 2), dice.gauss(-100, 0.5)
        odds = 0.8 * a - 0.5 * (b - 3) + 0.7 * (c + 100) + dice.gauss(0, 1.5)
        yield [dice.choice([20, 21, 24]), a, b, c, labels[(odds > -0.3) + (odds > 0.3)]]


def numbers(value, place=""):
    """All numbers of a line of JSON, with their places."""
    if isinstance(value, dict):
        for key, inner in value.items():
            if key not in ("iterations", "sample_iterations", "halvings", "robust"):
                yield from numbers(inner, f"{place} {key}")
    elif isinstance(value, list):
        for index, inner in enumerate(value):
            yield from numbers(inner, f"{place} {index}")
    elif isinstance(value, (int, float)):
        yield place, value


@pytest.mark.parametrize(("labels", "sample", "more"), [
    (("loss", "draw", "win"), 4, {"phase": "discs"}),
    ((-1, 0, 1), 4, {"exclude": ["discs"]}),
    (("loss", "draw", "win"), 1, {"exclude": ["discs"]}),
])
def test_sums_of_many_tables_give_the_fit_of_one(program, tmp_path, labels, sample, more):
    everything = list(rows(3000, labels))
    # Some parts have no −1, so that their zeros look like losses; two have a single row.
    lost = [row for row in everything if row[-1] == labels[0]]
    others = [row for row in everything if row[-1] != labels[0]]
    rest = others[701:] + lost
    random.Random(1).shuffle(rest)
    everything = others[:701] + rest
    whole = table(tmp_path / "whole.csv", everything)
    cuts = [0, 1, 700, 701, 2000, 3000]
    parts = [table(tmp_path / f"part-{low}.csv", everything[low:high])
             for low, high in zip(cuts, cuts[1:])]
    options = [f"--{key}={','.join(value) if isinstance(value, list) else value}"
               for key, value in more.items()]
    told = discern(program, "fit", whole, "--label", "result", "--json", *options)
    wanted = [json.loads(line) for line in told.splitlines()]

    settings = {"of": None, "weight": None, "phase": None, "features": [], "exclude": [],
                "models": ["quad", "log", "fisher"], "window": 2, "trials": 100, "ridge": 0.0,
                "prior_of_data": False, **more}
    fit = _native.PartialFit(label="result", **settings)
    passes = 0
    while (request := fit.request()) is not None:
        passes += not fit.is_rough
        asked = parts[sample:][:1] if fit.is_rough else parts
        answers = [_node.call([program, "fit", "--partial", "-", part], request) for part in asked]
        assert [error for _, error in answers if error] == []
        fit.advance([answer for answer, _ in answers])
    found, model, doubts = fit.finish("parts")
    found = [json.loads(line) for line in found]
    assert doubts == [] and json.loads(model)["source"]["rows"] == 3000
    assert passes < (8 if sample == 4 else 14), "a start from one table like the others saves passes"
    assert len(found) == len(wanted) == (9 if "phase" in more else 3)
    for ours, whole_one in zip(found, wanted):
        assert (ours["phase"], ours["model"]) == (whole_one["phase"], whole_one["model"])
        pairs = zip(numbers(ours), numbers(whole_one))
        for (place, a), (other, b) in pairs:
            assert place == other
            scale = 1e4 if "quad" == ours["model"] and "constant" in place else abs(b)
            assert abs(a - b) <= 1e-12 * max(scale, 1.0), (ours["model"], place, a, b)


def test_what_needs_the_rows_themselves_is_refused(program, tmp_path):
    settings = {"of": None, "weight": None, "phase": None, "features": [], "exclude": [],
                "window": 2, "trials": 100, "ridge": 0.0, "prior_of_data": False}
    with pytest.raises(ValueError, match="ols is fitted to whole tables"):
        _native.PartialFit(label="result", models=["ols"], **settings)
    request = _native.PartialFit(label="result", models=["log"], **settings).request()
    path = table(tmp_path / "bad.csv", [[20, 1, 2, 3, "banana"]])
    assert "'banana' is not a result" in _node.call([program, "fit", "--partial", "-", path],
                                                    request)[1]
