"""A real cluster on 127.0.0.1 that loses machines while it works.

A head and three nodes with one processor each. One node is killed, one is frozen, in the end
the head is killed; what comes out has the bytes of one undisturbed process.
"""

import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import uuid
from pathlib import Path

import pytest
from cluster_help import LOOPBACK, discern, listens, make_program, processes, shards, tree

PACKAGE = Path(__file__).resolve().parents[1]
# Nodes on one machine take turns; a node that is only slow is not to be taken for dead.
HEALTH = {
    "health_check_initial_delay_ms": 2000,
    "health_check_period_ms": 1000,
    "health_check_timeout_ms": 4000,
    "health_check_failure_threshold": 3,
    "gcs_rpc_server_reconnect_timeout_s": 5,
}
# Only against waiting for ever: beside other work everything takes longer.
LONG = 600.0


def wait_for(what, condition, seconds=LONG):
    """Waits until something holds."""
    end = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < end, f"{what}: not within {seconds} s"
        time.sleep(0.1)


class Bench:
    """A program, plans, a cluster, and an environment by which its processes are known."""

    def __init__(self, folder):
        self.folder, self.mark = folder, f"DISCERN_TEST_MARK={uuid.uuid4()}"
        self.program = make_program(folder)
        name, value = self.mark.split("=")
        self.environment = {
            **os.environ, name: value,
            "PYTHONPATH": str(PACKAGE),
            "DISCERN_CLUSTER_CACHE": str(folder / "cache"),
            "RAY_TMPDIR": tempfile.mkdtemp(prefix="ray-", dir="/tmp"),
            "RAY_ENABLE_WINDOWS_OR_OSX_CLUSTER": "0",
            "RAY_USAGE_STATS_ENABLED": "0",
            "RAY_AUTH_MODE": "token",
            "RAY_AUTH_TOKEN": uuid.uuid4().hex * 2,
            "RAY_gcs_rpc_server_reconnect_timeout_s": "5",
        }

    def plan(self, name, *arguments):
        """A plan, made by one process in a folder beside it."""
        folder, alone = self.folder / name, self.folder / f"{name}-alone"
        discern(self.program, arguments[0], "plan", folder, *arguments[1:])
        shutil.copytree(folder, alone)
        discern(self.program, arguments[0], "run", alone, "--threads", 1)
        return folder, shards(alone)

    def drive(self, *arguments):
        """Starts a driver."""
        command = [sys.executable, "-m", "discern.cluster", *map(str, arguments)]
        output = open(self.folder / "driver.txt", "w+")
        child = subprocess.Popen(command, env=self.environment, stdout=output, stderr=output)
        child.said = lambda: (self.folder / "driver.txt").read_text()
        return child


@pytest.fixture(scope="module")
def bench(tmp_path_factory):
    bench = Bench(tmp_path_factory.mktemp("bench"))
    yield bench
    for number in processes(bench.mark):
        os.kill(number, signal.SIGKILL)
    shutil.rmtree(bench.environment["RAY_TMPDIR"], ignore_errors=True)


@pytest.fixture(scope="module")
def cluster(bench):
    before = dict(os.environ)
    os.environ.update(bench.environment)
    from ray.cluster_utils import Cluster

    room = {"object_store_memory": 100 << 20, "node_ip_address": "127.0.0.1"}
    # What nobody here asks for costs seconds of processor to start: logs brought to a driver,
    # machines added by themselves.
    less = {"include_dashboard": False, "include_log_monitor": False, "no_monitor": True}
    cluster = Cluster(initialize_head=True, connect=False, head_node_args={
        "num_cpus": 0, "_system_config": HEALTH, **less, **room})
    cluster.workers = []

    def grow():
        # Ray gives a raylet 30 s to start, which a busy machine may need.
        for attempt in range(3):
            try:
                return cluster.workers.append(cluster.add_node(wait=False, num_cpus=1, **room))
            except Exception:
                if attempt == 2:
                    raise

    cluster.grow = grow
    try:
        yield cluster
    finally:
        for node in [cluster.head_node, *cluster.workers]:
            node.kill_all_processes(check_alive=False, allow_graceful=False)
        os.environ.clear()
        os.environ.update(before)


def raylet(node):
    """The process that is a node; all others of the node come from it."""
    return node.all_processes["raylet"][0].process.pid


def finished(driver, code=0, seconds=LONG):
    """Waits for a driver; what it said."""
    found = driver.wait(timeout=seconds)
    assert found == code, driver.said()
    return driver.said()


def test_a_cluster_that_loses_machines_makes_the_bytes_of_one_process(bench, cluster):
    games, games_alone = bench.plan(
        "games", "generate", "--player", "rev,depth=3,outcome=10,score=8", "--player",
        "rev-edges,depth=3,outcome=10,score=8", "--openings", 48, "--rounds", 2, "--solve", 12,
        "--shards", 24)
    matches, matches_alone = bench.plan(
        "matches", "tournament", "--player", "rev,name=a,nodes=400", "--player",
        "rev-edges,name=b,nodes=400", "--pairs", 16, "--shards", 8)
    head, workers = cluster.head_node, cluster.workers
    driver = bench.drive("run", games, matches, "--address", cluster.address, "--program",
                         bench.program, "--audit", "25%", "--patience", 60)
    # A driver belongs to a node of its machine. It shall be the head, so the others come later.
    wait_for("the driver", (games / "cluster-status.json").exists)
    for _ in range(3):
        cluster.grow()
    wait_for("a first shard", lambda: shards(games) or driver.poll() is not None)
    assert driver.poll() is None, driver.said()
    assert listens(processes(bench.mark)) <= LOOPBACK

    # Only the raylet: whatever it started has to notice, and end.
    killed = tree(raylet(workers[0]))
    os.kill(killed[0], signal.SIGKILL)
    there = len(shards(games))
    wait_for("more shards", lambda: len(shards(games)) > min(there + 2, 20))
    frozen = tree(raylet(workers[1]))
    for number in frozen:
        os.kill(number, signal.SIGSTOP)
    said = finished(driver)
    assert shards(games) == games_alone and len(games_alone) == 24
    assert shards(matches) == matches_alone and len(matches_alone) == 8
    assert "is gone" in said and " 0 differ" in said and " 0 audited" not in said
    makers = [json.loads(line) for line in (games / "cluster-log.jsonl").read_text().splitlines()]
    assert len({entry["node"] for entry in makers}) >= 2, "several nodes worked"
    discern(bench.program, "generate", "merge", games, "-o", games / "all.games")

    # Ray's own helpers on lost machines may take minutes to notice; our programs end with them.
    for number in killed + frozen:
        try:
            os.kill(number, signal.SIGKILL)
        except ProcessLookupError:
            continue
    alive = lambda numbers: [n for n in numbers if n in processes(bench.mark)]
    wait_for("the lost nodes to end", lambda: not alive(killed + frozen), seconds=30)

    # The head dies in the middle. The driver ends, and a cluster of this machine resumes.
    again = bench.folder / "again"
    shutil.copytree(games, again, ignore=shutil.ignore_patterns("shard-*", "cluster-*", "all*"))
    driver = bench.drive("run", again, "--address", cluster.address, "--program", bench.program,
                         "--patience", 15)
    wait_for("a first shard", lambda: shards(again) or driver.poll() is not None)
    for kind in ("gcs_server", "raylet"):
        os.kill(head.all_processes[kind][0].process.pid, signal.SIGKILL)
    assert driver.wait(timeout=LONG) != 0, driver.said()
    there = shards(again)
    assert 0 < len(there) < 24 and there.items() <= games_alone.items()
    # With it come plans of the other kinds: labels for these games, and a book.
    labels, labels_alone = bench.plan(
        "labels", "label", games / "all.games", "--player", "rev,depth=1,outcome=6,score=4",
        "--shards", 4)
    book, book_alone = bench.plan(
        "book", "book", "--player", "rev,depth=1,outcome=6,score=4", "--plies", 3, "--roots", 4,
        "--positions", 6, "--shards", 4)
    driver = bench.drive("run", again, labels, book, "--program", bench.program, "--processors", 2)
    wait_for("another shard", lambda: len(shards(again)) > len(there) or driver.poll() is not None)
    assert listens(tree(driver.pid)) <= LOOPBACK
    finished(driver)
    assert shards(again) == games_alone
    assert shards(labels) == labels_alone and len(labels_alone) == 4
    assert shards(book) == book_alone and len(book_alone) == 4
    discern(bench.program, "label", "merge", labels, "-o", labels / "all.games")
    discern(bench.program, "book", "merge", bench.folder / "my.book", book)

    # Nothing of ours or of Ray's is left behind once the head's helpers have noticed.
    for number in head.all_processes.values():
        for process in number:
            process.process.kill()
            process.process.wait()
    wait_for("everything to end", lambda: not processes_but(bench), seconds=60)
    assert list((bench.folder / "cache" / "work").iterdir()) == []
    assert not list(Path(bench.environment["RAY_TMPDIR"]).glob("ray-*")), "the folder of a run"


def processes_but(bench):
    """The processes of the cluster without this one, which has the mark for a while."""
    return {n: what for n, what in processes(bench.mark).items() if n != os.getpid()}
