#!/usr/bin/env python3
"""A run on a thousand machines, simulated: how long, how much waste, what gives out first.

The driver of `discern.cluster` is simulated as it is built: it hands a shard to a machine
with a free processor, takes finished ones one after the other, gives lost ones to other
machines once Ray has noticed the loss, and doubles slow ones at the end. What a shard costs
the machine and the driver are numbers measured by `scripts/measure-cluster.py`; the others are
assumptions, all of them options. Standard library only.

    scripts/simulate-cluster.py --machines 1000 --processors 16 --games 100000000
"""

import argparse
import heapq
import random
import statistics


def options():
    top = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    number = lambda name, value, what, kind=float: top.add_argument(
        f"--{name}", type=kind, default=value, help=f"{what} (%(default)s)")
    number("machines", 1000, "machines", int)
    number("processors", 1, "processors of a machine", int)
    number("games", 100_000_000, "games of the plan", int)
    number("shard-games", 1200, "games of a shard", int)
    # Measured: docs/cluster.md says how.
    number("game-seconds", 0.05, "processor seconds of a game")
    number("spread", 0.05, "standard deviation of the logarithm of a shard's time")
    number("start-seconds", 0.2, "what a shard costs a machine beside its games")
    number("driver-ms", 5.0, "milliseconds of the driver for a shard")
    number("shard-bytes-per-game", 35.0, "bytes of a game in a shard")
    number("kit-megabytes", 20.0, "program, weights and plan")
    # Assumed.
    number("speed-spread", 0.1, "standard deviation of the logarithm of a machine's speed")
    number("slow-share", 0.01, "share of machines that are four times slower")
    number("losses-per-hour", 0.02, "chance that a machine is lost within an hour")
    number("frozen-share", 0.2, "share of the losses that are frozen machines")
    number("notice-seconds", 30.0, "until Ray notices that a machine is lost")
    number("return-minutes", 10.0, "until a lost machine has been replaced")
    number("join-minutes", 2.0, "machines join evenly within this time")
    number("network-gigabits", 1.0, "the driver's network")
    number("slow-factor", 3.0, "times the usual time before a shard is doubled")
    number("seed", 1, "of all random numbers", int)
    return top.parse_args()


class Cluster:
    """The simulation: a heap of events, machines, and a driver that does one thing at a time."""

    def __init__(self, asked):
        self.asked, self.rng = asked, random.Random(asked.seed)
        self.shards = -(-asked.games // asked.shard_games)
        self.todo = list(range(self.shards))[::-1]
        self.missing = set(range(self.shards))
        self.running = {}
        self.attempts = {}
        self.events, self.order = [], 0
        self.now = self.driver_free = self.driver_busy = 0.0
        self.useful = self.lost = self.doubled = 0.0
        self.retries = self.losses = 0
        self.times, self.waits = [], []
        self.idle = []
        self.speed, self.life = {}, {}
        self.limit = float("inf")
        self.at(2.0, "look")
        kit = 8e6 * asked.kit_megabytes / (1e9 * asked.network_gigabits)
        for machine in range(asked.machines):
            # The driver sends the kit to the first, and those pass it on.
            ready = 60 * asked.join_minutes * machine / asked.machines
            self.at(ready + kit * (1 + machine).bit_length(), "join", machine)

    def at(self, when, what, *facts):
        self.order += 1
        heapq.heappush(self.events, (when, self.order, what, facts))

    def run(self):
        while self.missing:
            self.now, _, what, facts = heapq.heappop(self.events)
            getattr(self, what)(*facts)
        return self

    def join(self, machine):
        asked = self.asked
        slow = 4.0 if self.rng.random() < asked.slow_share else 1.0
        self.speed[machine] = slow * self.rng.lognormvariate(0.0, asked.speed_spread)
        self.life[machine] = self.life.get(machine, 0) + 1
        if asked.losses_per_hour > 0:
            rate = asked.losses_per_hour / 3600
            self.at(self.now + self.rng.expovariate(rate), "lose", machine, self.life[machine])
        for _ in range(asked.processors):
            self.free(machine, self.life[machine])

    def free(self, machine, life):
        if self.life[machine] != life:
            return
        shard, double = self.next_shard()
        if shard is None:
            self.idle.append((machine, life))
            return
        asked = self.asked
        # The driver hands it out when it comes to it.
        start = max(self.now, self.driver_free)
        usual = asked.start_seconds + asked.shard_games * asked.game_seconds
        seconds = usual * self.speed[machine] * self.rng.lognormvariate(0.0, asked.spread)
        attempt = (machine, life, start, seconds, double)
        key = self.order
        self.attempts[key] = (shard, attempt)
        self.running.setdefault(shard, []).append(key)
        self.at(start + seconds, "finish", key)

    def next_shard(self):
        while self.todo:
            shard = self.todo.pop()
            if shard in self.missing:
                return shard, False
        limit = self.limit
        for shard, keys in self.running.items():
            _, first = self.attempts[keys[0]]
            # The oldest come first.
            if self.now - first[2] <= limit:
                break
            if shard in self.missing and len(keys) == 1:
                return shard, True
        return None, False

    def finish(self, key):
        if key not in self.attempts or self.is_lost(key):
            return
        shard, (machine, life, _, seconds, _) = self.attempts.pop(key)
        self.running[shard].remove(key)
        if not self.running[shard]:
            del self.running[shard]
        # One after the other: fetch, check, write.
        asked = self.asked
        bits = 8 * asked.shard_bytes_per_game * asked.shard_games
        work = asked.driver_ms / 1000 + bits / (1e9 * asked.network_gigabits)
        begin = max(self.now, self.driver_free)
        self.waits.append(begin - self.now)
        self.driver_free = begin + work
        self.driver_busy += work
        if shard in self.missing:
            self.missing.discard(shard)
            self.useful += seconds
            self.times.append(seconds)
        else:
            self.doubled += seconds
        self.at(self.driver_free, "free", machine, life)

    def is_lost(self, key):
        """Was the machine lost that was at it?"""
        _, (machine, life, *_) = self.attempts[key]
        return self.life[machine] != life

    def look(self):
        """Idle processors look again whether there is something to double."""
        if self.times:
            self.limit = self.asked.slow_factor * statistics.median(self.times[-999:])
        idle, self.idle = self.idle, []
        for machine, life in idle:
            self.free(machine, life)
        self.at(self.now + 2.0, "look")

    def lose(self, machine, life):
        if self.life[machine] != life:
            return
        self.losses += 1
        self.life[machine] += 1
        frozen = self.rng.random() < self.asked.frozen_share
        notice = self.now + self.asked.notice_seconds * (1 if frozen else 0.2)
        for key, (shard, attempt) in list(self.attempts.items()):
            if attempt[0] == machine and attempt[1] == life:
                self.lost += self.now - min(attempt[2], self.now)
                self.at(notice, "again", key)
        self.at(self.now + 60 * self.asked.return_minutes, "join", machine)

    def again(self, key):
        if key not in self.attempts:
            return
        shard, _ = self.attempts.pop(key)
        self.running[shard].remove(key)
        if not self.running[shard]:
            del self.running[shard]
        if shard in self.missing:
            self.retries += 1
            self.todo.append(shard)


def main():
    asked = options()
    cluster = Cluster(asked).run()
    spent = cluster.useful + cluster.lost + cluster.doubled
    hours = cluster.now / 3600
    room = asked.machines * asked.processors * cluster.now
    print(f"{asked.games:,} games in {cluster.shards:,} shards of "
          f"{asked.shard_games * asked.game_seconds:.0f} s on {asked.machines:,} machines with "
          f"{asked.processors} processors")
    print(f"time            {hours:.2f} h; without any loss or wait {cluster.useful / asked.machines / asked.processors / 3600:.2f} h")
    print(f"processor time  {spent / 3600:,.0f} h, {100 * (spent - cluster.useful) / spent:.2f} % of it "
          f"wasted: lost {cluster.lost / 3600:,.1f} h, doubled {cluster.doubled / 3600:,.1f} h")
    print(f"idle            {100 * (1 - spent / room):.1f} % of all processors' time")
    print(f"machines lost   {cluster.losses}, shards made again {cluster.retries}")
    print(f"driver          {100 * cluster.driver_busy / cluster.now:.1f} % busy, "
          f"{cluster.shards / cluster.now:.1f} shards/s; a finished shard waits "
          f"{1000 * statistics.mean(cluster.waits):.0f} ms, at most {max(cluster.waits):.1f} s")
    print(f"results         {cluster.shards * asked.shard_games * asked.shard_bytes_per_game / 1e9:.2f} GB")


if __name__ == "__main__":
    main()
