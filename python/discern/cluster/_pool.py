"""Hands work to the machines of a cluster, and takes back what they make of it.

Ray carries the tasks and notices when machines die. Which machine gets which task is
decided here, because a machine is asked first whether it can run the program at all, and
because work that was lost must not go back to the machine that lost it.
"""

import os
import sys
import threading
import time
from collections import deque
from dataclasses import dataclass, field

from . import _node
from ._connect import machines

# A machine gets no more work after so many failures in a row.
MOST_FAILURES = 3
# So many failures on machines that live, and a task is given up.
MOST_ATTEMPTS = 3
# How often the list of machines is asked for, in seconds.
LOOK_EVERY = 2.0


@dataclass
class Node:
    """A machine, and what it is doing."""

    id: str
    host: str
    slots: int
    state: str = "probing"
    busy: int = 0
    failures: int = 0
    # Until then it gets no work, because it has just lost some.
    rests_until: float = 0.0

    @property
    def title(self):
        return f"{self.host} ({self.id[:8]})"


@dataclass(eq=False)
class Attempt:
    """A task that a machine is working on."""

    key: object
    node: Node
    began: float
    kind: str = "work"


@dataclass
class Queue:
    """Tasks to be done, by their keys. Subclasses say what a task is."""

    todo: deque = field(default_factory=deque)
    lost: int = 0
    failed: dict = field(default_factory=dict)
    given_up: dict = field(default_factory=dict)

    def offer(self, node, pool):
        """The next task for a machine with a free slot: its key and kind, or None."""
        for _ in range(len(self.todo)):
            key = self.todo.popleft()
            failed = self.failed.get(key, ())
            if node.id in failed and any(other.id not in failed for other in pool.workers):
                # Perhaps another machine can.
                self.todo.append(key)
                continue
            return key, "work"
        return None

    def task(self, key):
        """The function of a task, and its arguments."""
        raise NotImplementedError

    def take(self, attempt, value):
        """Takes a result. A ValueError says what is wrong with it."""
        raise NotImplementedError

    def put_back(self, attempt, why, guilty):
        """Takes note that an attempt came to nothing."""
        self.lost += 1
        if guilty:
            nodes = self.failed.setdefault(attempt.key, [])
            nodes.append(attempt.node.id)
            if len(nodes) >= MOST_ATTEMPTS:
                self.given_up[attempt.key] = why
                return
        self.todo.appendleft(attempt.key)

    def wants(self, attempt):
        """Is the result of an attempt still of use?"""
        return True

    @property
    def finished(self):
        """Is there nothing left to hand out?"""
        return not self.todo


class Pool:
    """The machines of a cluster at work on one queue after the other."""

    def __init__(self, ray, kit, probe, threads, say, patience=60.0):
        self.ray, self.kit, self.threads, self.say = ray, kit, threads, say
        self.patience = patience
        self.nodes = {}
        self.running = {}
        self.probes = {}
        self.stopping = self.aborting = False
        self.looked = -LOOK_EVERY
        self.idle_since = time.monotonic()
        self._probe = probe
        self._beat = time.monotonic()
        threading.Thread(target=self._watch, daemon=True).start()

    @property
    def workers(self):
        """The machines that work."""
        return [node for node in self.nodes.values() if node.state == "ready"]

    def run(self, queue, tick=lambda: None):
        """Works until the queue is finished, somebody stops it, or no machine is left."""
        while True:
            if self.aborting:
                self._cancel()
                return
            if not self.running and (queue.finished or self.stopping):
                return
            self._look(queue)
            if not self.stopping:
                self._hand_out(queue)
            self._collect(queue)
            if queue.finished and not any(map(queue.wants, self.running.values())):
                # Other machines have made what these are still at.
                self._cancel()
                return
            if not self.running and not self.workers and not self.probes:
                if time.monotonic() - self.idle_since > self.patience:
                    raise ValueError("no machine of the cluster can work")
            else:
                self.idle_since = time.monotonic()
            tick()

    def _look(self, queue):
        """Sees which machines there are, and asks new ones whether they can work."""
        if time.monotonic() - self.looked < LOOK_EVERY:
            return
        for machine in machines(self.ray):
            node = self.nodes.get(machine.id)
            if node is None and machine.alive:
                self._meet(machine)
            elif node is not None and not machine.alive and node.state != "gone":
                self.say(f"{node.title} is gone")
                node.state = "gone"
                self._give_up_on(node, queue)
        self.looked = self._beat = time.monotonic()

    def _give_up_on(self, node, queue):
        """Does not wait for a lost machine: its tasks may never fail by themselves."""
        for ref in [ref for ref, attempt in self.running.items() if attempt.node is node]:
            queue.put_back(self.running.pop(ref), "the machine is gone", guilty=False)
        self.probes = {ref: other for ref, other in self.probes.items() if other is not node}
        node.busy = 0

    def _meet(self, machine):
        slots = int(machine.processors // self.threads)
        node = Node(machine.id, machine.host, slots)
        self.nodes[machine.id] = node
        if slots == 0:
            node.state = "refused"
            # A head without processors is usual, and not worth a word.
            if machine.processors > 0:
                self.say(f"{node.title} gets no work: {self.threads} processors are needed")
            return
        ref = self._submit(_node.probe, self._probe, node, 0)
        self.probes[ref] = node

    def _submit(self, function, arguments, node, processors):
        strategy = self.ray.util.scheduling_strategies.NodeAffinitySchedulingStrategy
        task = self.ray.remote(function).options(
            num_cpus=processors,
            max_retries=0,
            scheduling_strategy=strategy(node.id, soft=False),
        )
        return task.remote(self.kit, *arguments)

    def _hand_out(self, queue):
        # Round and round, so that the work spreads.
        while True:
            given = False
            for node in self.workers:
                if node.busy >= node.slots or node.rests_until > time.monotonic():
                    continue
                offer = queue.offer(node, self)
                if offer is None:
                    continue
                key, kind = offer
                function, arguments = queue.task(key)
                ref = self._submit(function, arguments, node, self.threads)
                self.running[ref] = Attempt(key, node, time.monotonic(), kind)
                node.busy += 1
                given = True
            if not given:
                return

    def _collect(self, queue):
        refs = [*self.running, *self.probes]
        if not refs:
            time.sleep(0.2)
            self._beat = time.monotonic()
            return
        done, _ = self.ray.wait(refs, num_returns=1, timeout=0.5)
        if done:
            done, _ = self.ray.wait(refs, num_returns=len(refs), timeout=0)
        self._beat = time.monotonic()
        for ref in done:
            if ref in self.probes:
                self._meet_answer(self.probes.pop(ref), self._get(ref))
                continue
            attempt = self.running.pop(ref)
            attempt.node.busy -= 1
            value, why = self._get(ref)
            if why is not None:
                self.say(f"{attempt.node.title} was lost with {attempt.key}: {why}")
                # A dead machine loses every task at once until Ray has noticed.
                attempt.node.rests_until = time.monotonic() + LOOK_EVERY
                queue.put_back(attempt, why, guilty=False)
                continue
            self._weigh(queue, attempt, value)

    def _weigh(self, queue, attempt, value):
        why = value["error"]
        if why is None:
            try:
                queue.take(attempt, value)
            except ValueError as error:
                why = str(error)
        node = attempt.node
        if why is None:
            node.failures = 0
            return
        self.say(f"{node.title}: {why}")
        queue.put_back(attempt, why, guilty=True)
        node.failures += 1
        if node.failures >= MOST_FAILURES and node.state == "ready":
            node.state = "refused"
            self.say(f"{node.title} gets no more work after {node.failures} failures in a row")

    def _meet_answer(self, node, answer):
        value, why = answer
        if why is None:
            node.host, why = value["host"], value["error"]
        if node.state == "gone":
            return
        node.state = "ready" if why is None else "refused"
        if why is not None:
            self.say(f"{node.title} gets no work: {why}")

    def _get(self, ref):
        """The value of a task, or why there is none."""
        try:
            return self.ray.get(ref, timeout=self.patience), None
        except self.ray.exceptions.RayError as error:
            return None, type(error).__name__

    def _cancel(self):
        for ref in [*self.running, *self.probes]:
            try:
                self.ray.cancel(ref, force=True)
            except (ValueError, self.ray.exceptions.RayError):
                continue
        for attempt in self.running.values():
            attempt.node.busy -= 1
        self.running.clear()
        self.probes.clear()

    def _watch(self):
        """Ends the process if the head does not answer: calls to it may last for ever."""
        while True:
            time.sleep(1)
            if time.monotonic() - self._beat > self.patience:
                print("the head of the cluster does not answer; what is finished is in the "
                      "folder, and the same command resumes", file=sys.stderr, flush=True)
                os._exit(1)
