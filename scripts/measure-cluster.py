#!/usr/bin/env python3
"""What a cluster costs beside the local pool: processor time of the same plan, made twice.

Both runs have all processors of this machine; they take turns, and the processor time of all
their processes is counted by the kernel (a cgroup, so this needs root). Run it with the
package's Python:

    target/venv/bin/python scripts/measure-cluster.py PROGRAM [--shards 8] [--depth 8] [--turns 2]

With --nodes N, the cluster is a head without processors and N nodes with one each, all of them
on 127.0.0.1 and counted, instead of the one node that a run starts by itself.
"""

import argparse
import json
import os
import secrets
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
FIRST = Path("/sys/fs/cgroup/cpuacct")
GROUP = (FIRST if FIRST.exists() else FIRST.parent) / f"discern-measure-{os.getpid()}"


def used():
    """Processor seconds of the group, in either version of cgroups."""
    if FIRST.exists():
        return int((GROUP / "cpuacct.usage").read_text()) / 1e9
    stat = dict(line.split() for line in (GROUP / "cpu.stat").read_text().splitlines())
    return int(stat["usage_usec"]) / 1e6


def measured(command, environment=None):
    """Runs a command in a group of its own: processor and wall seconds of all of it."""
    GROUP.mkdir()
    try:
        began = time.monotonic()
        child = subprocess.Popen(
            [sys.executable, "-c",
             "import os, sys; open(sys.argv[1], 'w').write(str(os.getpid())); "
             "os.execvp(sys.argv[2], sys.argv[2:])", str(GROUP / "cgroup.procs"), *command],
            env=environment, stderr=subprocess.PIPE, text=True)
        _, said = child.communicate()
        if child.returncode != 0:
            sys.exit(said)
        seconds = time.monotonic() - began
        # Ray's helpers may take a minute to end.
        for _ in range(1200):
            if not (GROUP / "cgroup.procs").read_text():
                break
            time.sleep(0.1)
        return used(), seconds
    finally:
        GROUP.rmdir()


def of_nodes(nodes, command):
    """Runs a command beside a cluster of so many nodes, given its address."""
    os.environ |= {"RAY_ENABLE_WINDOWS_OR_OSX_CLUSTER": "0", "RAY_AUTH_MODE": "token",
                   "RAY_AUTH_TOKEN": secrets.token_hex(32), "RAY_USAGE_STATS_ENABLED": "0"}
    with tempfile.TemporaryDirectory(prefix="ray-", dir="/tmp", ignore_cleanup_errors=True) as desk:
        os.environ["RAY_TMPDIR"] = desk
        from ray.cluster_utils import Cluster

        room = {"object_store_memory": 100 << 20, "node_ip_address": "127.0.0.1"}
        head = {"num_cpus": 0, "include_dashboard": False, **room}
        cluster = Cluster(initialize_head=True, connect=False, head_node_args=head)
        driver = subprocess.Popen([*command, "--address", cluster.address])
        # The driver's own node shall be the head, so the others come later.
        time.sleep(5)
        for _ in range(nodes):
            cluster.add_node(wait=False, num_cpus=1, **room)
        code = driver.wait()
        for node in cluster.list_all_nodes():
            node.kill_all_processes(check_alive=False, allow_graceful=False)
    sys.exit(code)


def main():
    if sys.argv[1] == "of-nodes":
        of_nodes(int(sys.argv[2]), sys.argv[3:])
    top = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    top.add_argument("program")
    top.add_argument("--shards", type=int, default=8)
    top.add_argument("--openings", type=int, default=320)
    top.add_argument("--depth", type=int, default=8)
    top.add_argument("--turns", type=int, default=2)
    top.add_argument("--nodes", type=int)
    asked = top.parse_args()
    program, cores = os.path.abspath(asked.program), len(os.sched_getaffinity(0))
    environment = {**os.environ, "PYTHONPATH": str(ROOT / "python")}
    found = {"local": [], "cluster": []}
    with tempfile.TemporaryDirectory() as desk:
        plan = f"{desk}/plan"
        player = f"direct,depth={asked.depth}"
        subprocess.run([program, "generate", "plan", plan, "--player", player, "--player", player,
                        "--openings", str(asked.openings), "--rounds", "4", "--evaluations",
                        "--shards", str(asked.shards)], check=True)
        for turn in range(asked.turns):
            for kind, many in found.items():
                folder = f"{desk}/{kind}-{turn}"
                shutil.copytree(plan, folder)
                command = [program, "generate", "run", folder, "--threads", str(cores)]
                if kind == "cluster":
                    command = [sys.executable, "-m", "discern.cluster", "run", folder,
                               "--program", program]
                    if asked.nodes:
                        command = [sys.executable, __file__, "of-nodes", str(asked.nodes), *command]
                many.append(measured(command, environment))
                print(f"{kind:8} {many[-1][0]:8.1f} s of processor, {many[-1][1]:8.1f} s", flush=True)
                if kind == "cluster":
                    log = [json.loads(line) for line in open(f"{folder}/cluster-log.jsonl")]
        games = 4 * asked.openings
        each = [entry["processor"] for entry in log]
        size = sum(entry["bytes"] for entry in log)
        print(f"a shard: {statistics.mean(each):.1f} s of processor "
              f"(standard deviation {statistics.pstdev(each):.1f}), {size / len(log):.0f} bytes")
        others = found["cluster"][-1][0] - sum(each)
        print(f"all but the shards' programs, last turn: {others:.1f} s of processor, "
              f"{others / sum(each):.3f} of theirs")
        print(f"a game: {1000 * sum(each) / games:.1f} ms of processor, {size / games:.1f} bytes")
    ratio = sum(p for p, _ in found["cluster"]) / sum(p for p, _ in found["local"])
    print(f"cluster / local, processor time: {ratio:.3f}")


if __name__ == "__main__":
    main()
