"""The shards of a plan as work for a cluster."""

import json
import os
import random
import statistics
import time
from collections import deque

from . import _node
from ._pool import Queue

# A shard that takes so many times the usual is given to a second machine, too.
SLOW = 3.0
# But not before it took so many seconds.
SLOW_SECONDS = 20.0
LOG = "cluster-log.jsonl"


class Shards(Queue):
    """Missing shards to be made, and finished ones to be made again elsewhere."""

    def __init__(self, path, folder, options, other_build, audit, say, rng=None):
        missing = folder.missing()
        for _, damage in missing:
            if damage is not None:
                say(f"{damage}; the shard is made again")
        super().__init__(todo=deque(shard for shard, _ in missing))
        self.folder, self.options, self.other_build, self.say = folder, options, other_build, say
        self.units = {shard: folder.units(shard) for shard in self.todo}
        self.total, self.begun = folder.shards, time.monotonic()
        self.missing = set(self.todo)
        self.done = self.games = 0
        self.seconds = []
        self.makers = read_makers(path)
        self.audits, self.audited, self.doubled = deque(), 0, set()
        self.broken = []
        self.chosen = set()
        self.log = open(os.path.join(path, LOG), "a", buffering=1)
        if audit > 0:
            # Whoever asks for an audit gets one, however small the plan.
            count = max(1, round(audit * folder.shards))
            self.chosen.update((rng or random.Random()).sample(range(folder.shards), count))
            self.audits.extend(sorted(self.chosen - self.missing))

    def offer(self, node, pool):
        offer = super().offer(node, pool)
        return offer or self._audit_for(node, pool) or self._slow_one(node, pool)

    def _audit_for(self, node, pool):
        """A finished shard that another machine has made, unless there is only this one."""
        for _ in range(len(self.audits)):
            shard = self.audits.popleft()
            maker, _ = self.makers.get(shard, (None, None))
            if maker != node.id or len(pool.workers) == 1:
                return shard, "audit"
            self.audits.append(shard)
        return None

    def _slow_one(self, node, pool):
        """A shard that another machine has been at for suspiciously long."""
        if not self.seconds:
            return None
        limit = max(SLOW_SECONDS, SLOW * statistics.median(self.seconds))
        now = time.monotonic()
        for attempt in pool.running.values():
            slow = now - attempt.began > limit and attempt.key not in self.doubled
            if slow and attempt.kind == "work" and attempt.node.id != node.id:
                self.doubled.add(attempt.key)
                self.say(f"{attempt.node.title} is slow with shard {attempt.key}; "
                         f"{node.title} tries it, too")
                return attempt.key, "double"
        return None

    def task(self, key):
        return _node.make_shard, (self.folder.verb, key, self.total, self.options)

    def take(self, attempt, value):
        shard = attempt.key
        found = self.folder.accept(shard, value["games"], value["seal"], self.other_build)
        if found["what"] == "differs":
            self._report_broken(attempt, found["other"])
        if attempt.kind == "audit":
            self.audited += 1
            return
        if found["what"] != "new" or shard not in self.missing:
            return
        self.missing.discard(shard)
        self.done += 1
        self.games += self.units.get(shard, 0)
        self.seconds.append(value["seconds"])
        self.makers[shard] = attempt.node.id, attempt.node.title
        line = {"shard": shard, "node": attempt.node.id, "host": value["host"],
                "seconds": round(value["seconds"], 3), "processor": round(value["processor"], 3),
                "bytes": len(value["games"])}
        self.log.write(json.dumps(line) + "\n")
        if shard in self.chosen:
            self.audits.append(shard)

    def _report_broken(self, attempt, other):
        _, first = self.makers.get(attempt.key, (None, "an earlier machine"))
        what = (f"shard {attempt.key} of {attempt.node.title} differs from that of {first}: "
                f"one of the two machines is broken; the other shard is {other}")
        self.broken.append(what)
        self.say(what)

    def put_back(self, attempt, why, guilty):
        if attempt.kind == "audit":
            self.lost += 1
            if not guilty:
                self.audits.append(attempt.key)
        elif attempt.key in self.missing and attempt.key not in self.todo:
            self.doubled.discard(attempt.key)
            super().put_back(attempt, why, guilty)

    def wants(self, attempt):
        return attempt.kind == "audit" or attempt.key in self.missing

    @property
    def finished(self):
        return not self.todo and not self.audits


def read_makers(path):
    """Who made which shard, as far as the log of the folder says."""
    makers = {}
    try:
        with open(os.path.join(path, LOG)) as log:
            for line in log:
                try:
                    entry = json.loads(line)
                    node, shard = entry["node"], entry["shard"]
                    makers[shard] = node, f"{entry['host']} ({node[:8]})"
                except (ValueError, KeyError, TypeError):
                    # Cut by a lost machine: only a name is missing then.
                    continue
    except FileNotFoundError:
        pass
    return makers
